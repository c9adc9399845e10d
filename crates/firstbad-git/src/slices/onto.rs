//! Slices for another branch: where its history forks, and the commits that it already has.

use std::collections::HashSet;

use firstbad::{Error, option};

use crate::git;
use crate::repository::Repository;
use crate::same_change;

/// The start of the line that `git cherry-pick -x` adds to a message, and of that of `git revert`.
const PICKED: &str = "(cherry picked from commit ";
const REVERTED: &str = "This reverts commit ";

/// Returns the newest first parent of the tip that the branch has.
///
/// # Errors
/// [`Error::InvalidArgument`] if the branch has the tip, or if they have no common ancestor. [`Error::Git`] if Git fails.
pub(super) fn fork(repository: &Repository, onto: (&str, &str), tip: (&str, &str)) -> Result<String, Error> {
    let listed = |arguments: &[&str]| -> Result<Vec<String>, Error> {
        let text = git::output(repository.git().arg("rev-list").args(arguments).arg("--"), b"")?;
        Ok(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
    };
    let missing: HashSet<String> = listed(&[tip.1, &format!("^{}", onto.1)])?.into_iter().collect();
    if missing.is_empty() {
        return Err(Error::invalid("tip", tip.0, format!("a commit that {} does not have", onto.0)));
    }
    let line = listed(&["--first-parent", tip.1])?;
    line.into_iter().find(|sha| !missing.contains(sha)).ok_or_else(|| {
        Error::invalid("onto", onto.0, format!("a branch with an ancestor among the first parents of {:?}", tip.0))
    })
}

/// Returns which of these commits a branch has as other commits: with the same patch-id, or with a line of `git cherry-pick -x`.
/// Commits that the branch reverted do not count.
///
/// # Errors
/// [`Error::Git`] if Git fails.
pub(super) fn there(repository: &Repository, onto: &str, tip: &str, line: &[String]) -> Result<HashSet<String>, Error> {
    let mut command = repository.git();
    command.args(["log", "--topo-order", "--no-show-signature", "--format=%H%n%B%x00", onto, &format!("^{tip}"), "--"]);
    let text = git::output(&mut command, b"")?;
    let text = String::from_utf8_lossy(&text);
    let own: Vec<(&str, &str)> = text.split('\0').filter_map(|entry| entry.trim_start().split_once('\n')).collect();
    // The newest commit comes first, so a reverted revert is known before its turn.
    let mut reverted: HashSet<&str> = HashSet::new();
    for (sha, message) in &own {
        if !reverted.contains(sha) {
            reverted.extend(named(message, REVERTED));
        }
    }
    let own: Vec<(&str, &str)> = own.into_iter().filter(|(sha, _)| !reverted.contains(sha)).collect();
    let picked: HashSet<&str> = own.iter().flat_map(|(_, message)| named(message, PICKED)).collect();
    let mut there: HashSet<String> = line.iter().filter(|sha| picked.contains(sha.as_str())).cloned().collect();
    let own: HashSet<&str> = own.into_iter().map(|(sha, _)| sha).collect();
    let all: Vec<String> = own.iter().map(|sha| (*sha).to_owned()).chain(line.iter().cloned()).collect();
    // Without patch-ids, such commits are applied again, which changes nothing.
    for same in same_change::patch_ids(repository, &all).unwrap_or_default().into_values() {
        if same.iter().any(|sha| own.contains(sha.as_str())) {
            there.extend(same.into_iter().filter(|sha| !own.contains(sha.as_str())));
        }
    }
    Ok(there)
}

/// Returns the full shas that a message names after a text, as Git writes them.
fn named<'a>(message: &'a str, start: &'a str) -> impl Iterator<Item = &'a str> {
    message
        .split(start)
        .skip(1)
        .map(|rest| rest.split(|sign: char| !sign.is_ascii_hexdigit()).next().unwrap_or_default())
}

/// Returns the expected value of a base that is not an ancestor of the tip.
pub(super) fn not_an_ancestor(base: &str, tip: &str) -> String {
    let onto = firstbad::Spelling::token_with("onto", base);
    format!(
        "an ancestor of {tip:?}\nhelp: to find the commits to pick onto {base}, pass {onto} instead of {}",
        option!(base)
    )
}

/// Adds the line of `git cherry-pick -x` to a message.
pub(super) fn with_origin(message: &[u8], sha: &str) -> Vec<u8> {
    let text = message.trim_ascii_end();
    let last = text.rsplit(|&byte| byte == b'\n').take_while(|line| !line.is_empty());
    let is_trailer = |line: &[u8]| {
        let name = line.split(|&byte| byte == b':').next().unwrap_or_default();
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        line.starts_with(PICKED.as_bytes())
            || name.len() < line.len() && line.get(name.len() + 1) == Some(&b' ') && name.iter().all(is_word)
    };
    let has_body = text.contains(&b'\n');
    let space = if has_body && last.clone().all(is_trailer) { "\n" } else { "\n\n" };
    [text, space.as_bytes(), PICKED.as_bytes(), sha.as_bytes(), b")\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_origin_follows_trailers_directly() {
        let with = |message: &str| String::from_utf8(with_origin(message.as_bytes(), "c0ffee")).unwrap();
        assert_eq!(with("Fix: it\n"), "Fix: it\n\n(cherry picked from commit c0ffee)\n");
        assert_eq!(with("Fix\n\nWhy.\n"), "Fix\n\nWhy.\n\n(cherry picked from commit c0ffee)\n");
        let signed = "Fix\n\nWhy.\n\nSigned-off-by: A <a@b>\n(cherry picked from commit f00)";
        assert_eq!(with(signed), format!("{signed}\n(cherry picked from commit c0ffee)\n"));
    }
}
