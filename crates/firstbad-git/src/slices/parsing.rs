//! Commits that do not parse. Each is merged with its child, until all files parse (DEFINER, Section 5, "Commits").

use std::collections::HashMap;

use firstbad::Error;

use super::sources::Sources;
use crate::trees::{Differing, Trees};

/// The maximum number of commits to merge. If a file does not parse for longer, its dialect may not be supported by the grammar.
const MOST_MERGED: usize = 8;

/// Returns which commits must be merged with their child, given the trees before the first commit and after each. These are
/// commits with a file that parses before them and again soon after, but not in between.
///
/// # Errors
/// [`Error::Git`] if Git fails.
pub(super) fn joined(trees: &Trees, sources: &mut Sources, states: &[String]) -> Result<Vec<bool>, Error> {
    let pairs: Vec<(&str, &str)> = states.windows(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect();
    let steps = trees.differing(&pairs)?;
    let contents = steps.iter().flatten().flat_map(|file: &Differing| {
        let ids = [&file.old, &file.new].into_iter().flatten();
        ids.filter_map(|id| Some((std::str::from_utf8(&file.path).ok()?, id.as_str())))
    });
    sources.load(trees, contents, |_| true)?;
    let mut joined = vec![false; pairs.len()];
    // The commit since which each file does not parse.
    let mut broken: HashMap<&[u8], usize> = HashMap::new();
    for (commit, files) in steps.iter().enumerate() {
        for file in files {
            let parses = |id: &Option<String>| {
                let outline = sources.get(std::str::from_utf8(&file.path).ok()?, id.as_ref()?)?;
                Some(outline.broken_at.is_none())
            };
            match (parses(&file.old), parses(&file.new)) {
                (Some(true), Some(false)) => {
                    broken.insert(&file.path, commit);
                }
                (Some(false), Some(false)) => {}
                (_, Some(true)) => {
                    let since = broken.remove(file.path.as_slice()).filter(|since| commit - since < MOST_MERGED);
                    joined[since.unwrap_or(commit)..commit].fill(true);
                }
                _ => {
                    broken.remove(file.path.as_slice());
                }
            }
        }
    }
    Ok(joined)
}
