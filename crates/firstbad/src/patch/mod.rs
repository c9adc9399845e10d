//! Patches: unified diffs in Git's format, divided into files, hunks, and single changes.
//!
//! A patch is a hierarchy of files, hunks, and lines (Artho, "Iterative Delta Debugging", Section 3.4 and Figure 5).
//! [`Patch::parse`] reads a patch. [`Patch::subset`] extracts any changes as a new patch that `git apply` accepts on the
//! same files. Reductions use [`Patch::parents`] for the hierarchy and [`Patch::dependencies`] for the dependencies between
//! changes. [`Patch::apply`] is `git apply` in memory, and [`hunk_dependencies`] finds dependencies between the hunks of a
//! series of patches.

mod apply;
mod base85;
mod binary;
mod content;
mod dependencies;
mod header;
mod hierarchy;
mod hunks;
mod image;
mod interleave;
mod kind;
mod lineage;
mod model;
mod names;
mod needs;
mod parse;
mod paths;
mod pieces;
mod safety;
mod scan;
mod series;
mod subset;
mod view;

use std::fmt;
use std::sync::{Arc, OnceLock};

pub use interleave::interleaved;
pub(crate) use interleave::similar;
pub use kind::ChangeKind;
pub use lineage::Reach;
pub use series::{HunkDependency, HunkId, hunk_dependencies};
pub use view::{Change, FilePatch, Hunk, Line, LineKind};

/// A patch: one or several diffs, divided into numbered changes.
///
/// A *change* is one added or removed line, one change of a file's header (mode, creation, deletion, rename, or copy), or
/// the whole content of a binary file. Changes are numbered from 0 in the order of the patch. The header changes of a file
/// come before its lines.
///
/// firstbad reads the output of `git diff`, `git show`, `git log -p --reverse`, and `git format-patch`, with or without
/// prefixes, and plain `diff -u`. It keeps the text around the diffs, which does not count as a change. A patch need not be
/// valid UTF-8.
///
/// ```
/// use firstbad::Patch;
/// let text = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
/// let patch = Patch::parse(text)?;
/// assert_eq!((patch.len(), patch.as_bytes()), (2, &text[..]));
/// assert_eq!(patch.subset(&[0])?.to_string().lines().skip(3).collect::<Vec<_>>(), ["@@ -1,2 +1,1 @@", " one", "-two"]);
/// # Ok::<(), firstbad::Error>(())
/// ```
#[derive(Clone)]
pub struct Patch {
    text: Arc<[u8]>,
    sections: Vec<model::Section>,
    hunks: Vec<model::Hunk>,
    lines: Vec<model::Line>,
    changes: Vec<model::Place>,
    origin: Vec<usize>,
    without_context: bool,
    needs: OnceLock<needs::Needs>,
}

impl Patch {
    fn of_text(text: &[u8]) -> Patch {
        Patch {
            text: text.into(),
            sections: Vec::new(),
            hunks: Vec::new(),
            lines: Vec::new(),
            changes: Vec::new(),
            origin: Vec::new(),
            without_context: false,
            needs: OnceLock::new(),
        }
    }

    /// Returns the number of changes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Returns whether the patch has no changes. `git apply` rejects such a patch, except with `--allow-empty`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the patch as text, byte for byte as it was read or extracted.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.text
    }

    /// Returns a copy of [`Patch::as_bytes`].
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.text.to_vec()
    }

    /// Returns the number of each change in the patch from which [`Patch::subset`] extracted this one, ascending. A parsed
    /// patch is its own origin.
    #[must_use]
    pub fn origin(&self) -> &[usize] {
        &self.origin
    }

    /// Marks the patch as a part of another patch, in which its changes have the numbers `origin`. Use this for a
    /// [`Patch::subset`] that was written to a file. Unless `origin` has one number for each change, ascending, the patch
    /// stays its own origin.
    #[must_use]
    pub fn taken_from(self, origin: &[usize]) -> Patch {
        if origin.len() != self.len() || !origin.is_sorted_by(|one, other| one < other) {
            return self;
        }
        Patch { origin: origin.to_vec(), ..self }
    }

    /// Returns whether the patch has no context lines (`-U0`), so that `git apply` needs `--unidiff-zero`. A subset inherits
    /// this property.
    #[must_use]
    pub fn is_without_context(&self) -> bool {
        self.without_context
    }

    /// Returns the number of folders that `git apply` must strip from names (`-p`): 1 for Git's prefixes, and 0 without
    /// prefixes (`--no-prefix`). [`FilePatch::old_path`] and [`FilePatch::new_path`] are already stripped.
    #[must_use]
    pub fn strip(&self) -> usize {
        self.sections.iter().find_map(model::Section::strip).unwrap_or(1)
    }

    /// Returns whether a hunk inside a file has no context, or no hunk of an existing file has any.
    fn looks_without_context(&self) -> bool {
        let mut bare = false;
        let mut all = true;
        for hunk in &self.hunks {
            if matches!(self.sections[hunk.file].step, model::Step::Created | model::Step::Deleted) {
                continue;
            }
            let changed = |line: Option<&model::Line>| line.is_some_and(|line| line.sign != model::Sign::Context);
            let lines = &self.lines[hunk.lines.clone()];
            if changed(lines.first()) && changed(lines.last()) {
                let first = if hunk.position.old_count == 0 { 0 } else { 1 };
                bare = true;
                if hunk.position.old_start > first {
                    return true;
                }
            } else {
                all = false;
            }
        }
        bare && all
    }
}

/// Two patches are equal if they have the same text and the same origin.
impl PartialEq for Patch {
    fn eq(&self, other: &Patch) -> bool {
        self.text == other.text && self.origin == other.origin && self.without_context == other.without_context
    }
}

impl Eq for Patch {}

/// Writes the patch as text, replacing bytes that are not UTF-8. [`Patch::as_bytes`] returns the exact bytes.
impl fmt::Display for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.text))
    }
}

impl fmt::Debug for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patch")
            .field("files", &self.sections.len())
            .field("changes", &self.len())
            .finish_non_exhaustive()
    }
}
