//! The merges by which a commit came to a branch: they name the request that it was part of where it does not itself.

use std::collections::HashMap;
use std::time::Duration;

use crate::git;
use crate::repository::Repository;

/// How long git may take, and how much it may list: an answer stands without it.
const LOOKING: Duration = Duration::from_secs(2);
const MOST_BYTES: u64 = 16 << 20;

/// Of how many merges the messages are read: topics are seldom merged into topics that deep.
const MOST: usize = 16;

/// The messages of the merges that brought a commit to a branch, the innermost first; empty if the commit was made on the branch,
/// or where that is not known in time.
pub(crate) fn messages(repository: &Repository, sha: &str, branch: &str) -> Vec<String> {
    let found = || {
        let mut list = repository.git();
        list.args(["rev-list", "--ancestry-path", "--topo-order", "--parents", &format!("{sha}..{branch}"), "--"]);
        let listed = git::output_within(&mut list, b"", LOOKING, MOST_BYTES).ok()?;
        let merges = merges(sha, std::str::from_utf8(&listed).ok()?);
        if merges.is_empty() {
            return None;
        }
        let mut show = repository.git();
        show.args(["log", "--no-walk=unsorted", "-z", "--encoding=UTF-8", "--no-show-signature", "--format=%B"]);
        show.args(merges.iter().rev().take(MOST)).arg("--");
        let text = git::output_within(&mut show, b"", LOOKING, MOST_BYTES).ok()?;
        Some(String::from_utf8_lossy(&text).split('\0').map(str::to_owned).collect())
    };
    found().unwrap_or_default()
}

/// The merges on the way from the newest of these commits, first parents first, to the one that all of them come from: those
/// whose first parent does not have it. `listed` has a line for each, the newest first: the commit and its parents.
fn merges<'a>(sha: &str, listed: &'a str) -> Vec<&'a str> {
    let commits: HashMap<&str, Vec<&str>> = listed
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            Some((words.next()?, words.collect()))
        })
        .collect();
    let mut merges = Vec::new();
    let mut at = listed.split([' ', '\n']).next();
    while let Some(parents) = at.and_then(|commit| commits.get(commit)) {
        let has_it = |parent: &&&str| **parent == sha || commits.contains_key(**parent);
        let next = parents.iter().find(has_it).copied();
        if next.is_some() && next != parents.first().copied() {
            merges.extend(at);
        }
        at = next;
    }
    merges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_leads_through_what_has_it() {
        // x was merged into a topic by t2, and that into the branch by m2; m3 brought something else.
        let listed = "b4 m3\nm3 m2 o1\nm2 b1 t3\nt3 t2\nt2 t1 x2\nx2 x\n";
        assert_eq!(merges("x", listed), ["m2", "t2"]);
        assert_eq!(merges("b1", "b4 m3\nm3 m2 o1\nm2 b1 t3\n"), Vec::<&str>::new());
        assert_eq!(merges("x", ""), Vec::<&str>::new());
    }
}
