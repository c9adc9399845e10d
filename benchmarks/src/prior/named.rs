//! Commits that a later one makes good, by its own words.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// A commit that did harm, by the message of the one that makes it good.
#[derive(Debug, Clone)]
pub(super) struct NamedCulprit {
    pub(super) culprit: String,
    pub(super) fix: String,
    pub(super) is_revert: bool,
}

/// The culprits that the history of `HEAD` names, the newest fix first, each once, by its oldest fix. Merges are left out: what
/// is taken back with one came with its branch.
pub(super) fn named_culprits(repository: &Path) -> Result<Vec<NamedCulprit>, String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(repository)
        .args(["log", "--topo-order", "--no-notes", "--no-show-signature", "-z", "--encoding=UTF-8"])
        .args(["--format=%H%n%P%n%B", "HEAD", "--"])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("git: {error}"))?;
    if !output.status.success() {
        return Err(format!("git log: {}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let (mut commits, mut named) = (Vec::new(), Vec::new());
    for commit in text.split('\0').filter(|commit| !commit.is_empty()) {
        let (sha, rest) = commit.split_once('\n').unwrap_or((commit, ""));
        let (parents, message) = rest.split_once('\n').unwrap_or((rest, ""));
        named.extend(named_by(message).into_iter().map(|(id, is_revert)| (commits.len(), id, is_revert)));
        commits.push((sha, parents.contains(' ')));
    }
    let mut sorted: Vec<(&str, usize)> = commits.iter().enumerate().map(|(place, &(sha, _))| (sha, place)).collect();
    sorted.sort_unstable();
    let mut by_culprit: BTreeMap<usize, (usize, bool)> = BTreeMap::new();
    for (fix, id, is_revert) in named {
        let from = sorted.partition_point(|(sha, _)| *sha < id.as_str());
        let mut matching = sorted[from..].iter().take_while(|(sha, _)| sha.starts_with(&id));
        // What is listed before the fix came after it.
        if let (Some(&(_, culprit)), None) = (matching.next(), matching.next())
            && culprit > fix
            && !commits[culprit].1
        {
            // The list goes back in time: the last is the oldest.
            by_culprit.insert(culprit, (fix, is_revert));
        }
    }
    let mut found: Vec<(usize, usize, bool)> =
        by_culprit.into_iter().map(|(culprit, (fix, is_revert))| (fix, culprit, is_revert)).collect();
    found.sort_by_key(|&(fix, ..)| fix);
    let sha = |place: usize| commits[place].0.to_owned();
    Ok(found
        .into_iter()
        .map(|(fix, culprit, is_revert)| NamedCulprit { culprit: sha(culprit), fix: sha(fix), is_revert })
        .collect())
}

/// The most commits that one message is taken to blame: one that names more is a list of something else.
const MOST: usize = 4;

/// The least and the most digits of an id.
const DIGITS: std::ops::RangeInclusive<usize> = 7..=40;

/// What was seen of a commit that did harm, and how it did.
const HARM: &[&str] = &["regression", "regressed", "introduced", "broken", "broke", "caused"];
const FROM: &[&str] = &["in", "by", "from", "since", "with"];

/// What may stand between.
const BETWEEN: &[&str] = &["commit", "commits", "the", "patch", "change", "revision", "rev", "sha"];

/// The commits that a message blames, as it writes their ids, each once, and whether it reverts them: `Fixes: <sha>`, "a
/// regression in <sha>", "introduced by <sha>", "This reverts commit <sha>".
fn named_by(message: &str) -> Vec<(String, bool)> {
    let mut found: Vec<(String, bool)> = Vec::new();
    // The words before, of earlier lines too: a sentence goes on.
    let mut before: Vec<String> = Vec::new();
    for line in message.lines() {
        let mut begins = true;
        let mut fixes = false;
        for word in line.split_whitespace() {
            // `#1234567` is an issue.
            let is_number = word.contains('#');
            let word = word.trim_matches(|at: char| !at.is_alphanumeric()).to_lowercase();
            if is_id(&word) && !is_number {
                let last = |back: usize| before.len().checked_sub(back).map_or("", |place| before[place].as_str());
                let is_revert = last(1) == "reverts";
                let is_blamed = is_revert || fixes || (FROM.contains(&last(1)) && HARM.contains(&last(2)));
                if is_blamed && found.iter().all(|(other, _)| *other != word) {
                    found.push((word.clone(), is_revert));
                }
            } else {
                fixes = (begins && word == "fixes") || (fixes && BETWEEN.contains(&word.as_str()));
            }
            if !word.is_empty() && !BETWEEN.contains(&word.as_str()) {
                before.push(word);
            }
            begins = false;
        }
        if line.trim().is_empty() {
            before.clear();
        }
    }
    if found.len() > MOST { Vec::new() } else { found }
}

/// Whether a word is the id of a commit: hexadecimal digits, of which one is no letter.
fn is_id(word: &str) -> bool {
    DIGITS.contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && word.bytes().any(|byte| byte.is_ascii_digit())
}
