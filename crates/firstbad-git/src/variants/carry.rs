//! Applying a patch to a tree that it was not made for.

use std::collections::BTreeSet;

use firstbad::{Error, Patch};
use serde::{Deserialize, Serialize};

use crate::trees::{Conflicts, Context, Spaces, Trees};

/// How changes were applied to a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Way {
    /// There was nothing to apply: a revision without changes, or changes of which none can stand alone.
    None,
    /// `git apply`: all lines of context match, possibly at other line numbers.
    Exact,
    /// A three-way merge with the result of the changes on their own base.
    ThreeWay,
    /// A three-way merge in which a file or folder has another name in the revision.
    Renamed,
    /// Applied after ignoring differences in white space.
    Whitespace,
    /// Applied with only one line of context around each change, as in the paper (IDD, Section 5.3).
    Fuzzy,
    /// Merged, but the revision already contains all changes, so its tree stays the same.
    Already,
}

impl Way {
    /// Returns the name used in JSON.
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

/// Applies a patch for the tree `base` to the tree `ours` in the first way that works.
///
/// # Errors
/// [`Error::PatchConflict`] if no way works or the patch does not fit `base`. [`Error::Git`] or [`Error::Io`] if Git fails.
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

/// Returns whether files changed that the patch does not name.
fn is_elsewhere(trees: &Trees, patch: &Patch, before: &str, after: &str) -> Result<bool, Error> {
    let named: BTreeSet<&[u8]> = patch.files().flat_map(|file| [file.old_path(), file.new_path()]).flatten().collect();
    Ok(trees.changed(before, after)?.iter().any(|path| !named.contains(&path[..])))
}

/// The maximum number of conflicting files in an error.
const NAMED: usize = 5;

/// Returns the error for a patch that can be neither applied nor merged.
fn conflict(refusal: Error, Conflicts { paths, words }: Conflicts) -> Error {
    let Error::PatchConflict { file, hunk, message } = refusal else { return refusal };
    // A file that merges without conflict is not the reason.
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
