//! The merges that brought a commit to a branch. Their messages may name its pull request.

use std::collections::HashMap;
use std::time::Duration;

use crate::git;
use crate::repository::Repository;

/// Limits for Git. The report is complete without the result.
const LOOKING: Duration = Duration::from_secs(2);
const MOST_BYTES: u64 = 16 << 20;

/// The maximum number of messages to read.
const MOST: usize = 16;

/// Returns the messages of the merges that brought a commit to a branch, innermost first. Returns nothing if the commit was made
/// on the branch, or if Git takes too long.
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

/// Returns the merges on the path from the newest commit to `sha` whose first parent does not contain `sha`. `listed` has one
/// line per commit, newest first: the commit and its parents.
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
    fn merges_follow_the_parents_that_contain_the_commit() {
        // `t2` merged x into a topic, `m2` merged the topic into the branch, and `m3` merged something else.
        let listed = "b4 m3\nm3 m2 o1\nm2 b1 t3\nt3 t2\nt2 t1 x2\nx2 x\n";
        assert_eq!(merges("x", listed), ["m2", "t2"]);
        assert_eq!(merges("b1", "b4 m3\nm3 m2 o1\nm2 b1 t3\n"), Vec::<&str>::new());
        assert_eq!(merges("x", ""), Vec::<&str>::new());
    }
}
