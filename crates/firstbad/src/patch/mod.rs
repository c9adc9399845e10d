//! Patches: unified diffs as git writes them, as files, hunks and single changes, any of which may be left out.
//!
//! A patch is a hierarchy of files, hunks and lines (Artho, "Iterative Delta Debugging", Section 3.4 and Figure 5).
//! [`Patch::parse`] reads it, [`Patch::subset`] takes any changes out of it, and what comes out is a patch again
//! that `git apply` accepts on the same files. [`Patch::parents`] is the hierarchy and [`Patch::dependencies`] what
//! cannot do without what, both for reductions. [`Patch::apply`] is `git apply` in memory, and
//! [`hunk_dependencies`] tells which hunks of a series of patches rest on which earlier ones.

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

/// A patch: what one or several diffs change, as numbered changes.
///
/// A *change* is one added or one removed line, one change of a file's header (its mode, its creation, deletion,
/// rename or copy), or the whole content of a binary file. Changes are numbered from 0 in the order of the patch, a
/// file's header before its lines.
///
/// Read are the diffs of `git diff`, `git show`, `git log -p --reverse` and `git format-patch`, with or without
/// prefixes, and plain `diff -u`. Text around the diffs is kept as it is, but is no change. Bytes need not be UTF-8.
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

    /// The number of changes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Whether nothing changes. `git apply` refuses such an input, except with `--allow-empty`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The patch as text, byte for byte as it was read or taken out of another.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.text
    }

    /// [`Patch::as_bytes`] as a vector of its own.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.text.to_vec()
    }

    /// For each change its number in the patch that this one was taken from by [`Patch::subset`], ascending; a patch
    /// that was read is its own origin.
    #[must_use]
    pub fn origin(&self) -> &[usize] {
        &self.origin
    }

    /// Marks the patch as a part of another patch, in which its changes have the numbers `origin`. Use this for a
    /// [`Patch::subset`] that was written to a file. Unless `origin` has one number for each change, ascending, the
    /// patch stays its own origin.
    #[must_use]
    pub fn taken_from(self, origin: &[usize]) -> Patch {
        if origin.len() != self.len() || !origin.is_sorted_by(|one, other| one < other) {
            return self;
        }
        Patch { origin: origin.to_vec(), ..self }
    }

    /// Whether the patch was made without lines of context (`-U0`), so that `git apply` needs `--unidiff-zero`. A
    /// subset is as the patch that it was taken from.
    #[must_use]
    pub fn is_without_context(&self) -> bool {
        self.without_context
    }

    /// The number of folders that `git apply` must strip from names (`-p`): 1 for git's prefixes, 0 for patches
    /// without them (`--no-prefix`). [`FilePatch::old_path`] and [`FilePatch::new_path`] are stripped already.
    #[must_use]
    pub fn strip(&self) -> usize {
        self.sections.iter().find_map(model::Section::strip).unwrap_or(1)
    }

    /// Whether that is to be seen from the hunks of files that stay: one in the middle of a file has no context at
    /// all, or none of them has any.
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

/// Two patches are the same when they read the same and were taken from the same place in their origin.
impl PartialEq for Patch {
    fn eq(&self, other: &Patch) -> bool {
        self.text == other.text && self.origin == other.origin && self.without_context == other.without_context
    }
}

impl Eq for Patch {}

/// The patch as text; bytes that are not UTF-8 are replaced, which [`Patch::as_bytes`] does not do.
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
