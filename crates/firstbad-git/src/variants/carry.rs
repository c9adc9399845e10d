//! Carrying a patch to a tree that it was not made for.

use std::collections::BTreeSet;

use firstbad::{Error, Patch};
use serde::{Deserialize, Serialize};

use crate::trees::{Conflicts, Context, Spaces, Trees};

/// How changes came to a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Way {
    /// There was nothing to bring: a revision by itself, or changes none of which can stand alone.
    None,
    /// `git apply`: every line of context is there, if need be further up or down.
    Exact,
    /// A three-way merge of what the changes make of their own base.
    ThreeWay,
    /// Such a merge, and a file or a folder has another name in the revision.
    Renamed,
    /// Only when changes of white space were ignored.
    Whitespace,
    /// Only when one line of context on either side of a change was enough: the paper's `patch` does so, too (IDD, Section
    /// 5.3).
    Fuzzy,
    /// Merged, and the revision has all of it already: its tree stays as it is.
    Already,
}

impl Way {
    /// Its name, as in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Way::None => "none",
            Way::Exact => "exact",
            Way::ThreeWay => "three_way",
            Way::Renamed => "renamed",
            Way::Whitespace => "whitespace",
            Way::Fuzzy => "fuzzy",
            Way::Already => "already",
        }
    }
}

/// A patch for the tree `base`, brought to the tree `ours` in the first way that works.
///
/// # Errors
/// [`Error::PatchConflict`] if none does, or if the patch is none for `base`; [`Error::Git`], [`Error::Io`].
pub(super) fn carry(trees: &Trees, patch: &Patch, base: &str, ours: &str) -> Result<(String, Way), Error> {
    let told = |tree: String, way| if tree == ours { (tree, Way::Already) } else { (tree, way) };
    let refusal = match trees.applied(ours, patch, Spaces::Count, Context::All) {
        Ok(tree) => return Ok(told(tree, Way::Exact)),
        Err(refusal @ Error::PatchConflict { .. }) if base != ours => refusal,
        Err(error) => return Err(error),
    };
    let theirs = trees.applied(base, patch, Spaces::Count, Context::All)?;
    let sides = trees.sides(base, ours, &theirs)?;
    let conflicts = match trees.merged(&sides, Spaces::Count)? {
        Ok(tree) => {
            let way = if is_elsewhere(trees, patch, ours, &tree)? { Way::Renamed } else { Way::ThreeWay };
            return Ok(told(tree, way));
        }
        Err(conflicts) => conflicts,
    };
    match trees.applied(ours, patch, Spaces::Ignore, Context::All) {
        Ok(tree) => return Ok(told(tree, Way::Whitespace)),
        Err(Error::PatchConflict { .. }) => {}
        Err(error) => return Err(error),
    }
    if let Ok(tree) = trees.merged(&sides, Spaces::Ignore)? {
        return Ok(told(tree, Way::Whitespace));
    }
    match trees.applied(ours, patch, Spaces::Count, Context::OneLine) {
        Ok(tree) => Ok(told(tree, Way::Fuzzy)),
        Err(Error::PatchConflict { .. }) => Err(conflict(refusal, conflicts)),
        Err(error) => Err(error),
    }
}

/// Whether a patch changed files that it does not name.
fn is_elsewhere(trees: &Trees, patch: &Patch, before: &str, after: &str) -> Result<bool, Error> {
    let named: BTreeSet<&[u8]> = patch.files().flat_map(|file| [file.old_path(), file.new_path()]).flatten().collect();
    Ok(trees.changed(before, after)?.iter().any(|path| !named.contains(&path[..])))
}

/// How many conflicting files an error names: it is for people to read.
const NAMED: usize = 5;

/// The error for a patch that `git apply` refused, and that cannot be merged.
fn conflict(refusal: Error, Conflicts { paths, words }: Conflicts) -> Error {
    let Error::PatchConflict { file, hunk, message } = refusal else { return refusal };
    // Where the merge went well, the refusal is about nothing that matters.
    let (file, hunk, message) = match paths.first() {
        Some(first) if !paths.contains(&file) => (first.clone(), None, String::new()),
        _ => (file, hunk, message + "; "),
    };
    let more = paths.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let named = paths.iter().take(NAMED).map(|path| format!("{path:?}")).collect::<Vec<_>>().join(", ");
    let words = words.map(|words| format!(": {words}")).unwrap_or_default();
    Error::PatchConflict {
        file,
        hunk,
        message: format!("{message}a three-way merge conflicts in {named}{more}{words}"),
    }
}
