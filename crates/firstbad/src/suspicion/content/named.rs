//! Which commit a message says was to blame.

use serde::{Deserialize, Serialize};

/// How a message names a commit that did harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedBy {
    /// A line that begins with `Fixes` and the id.
    Fixes,
    /// Words: "a regression in", "introduced by", "broken since" and the id.
    Regression,
    /// "This reverts commit" and the id.
    Revert,
}

/// The longest message that is looked at, in bytes.
const LONGEST: usize = 1 << 16;

/// The most commits that one message is taken to blame: one that names more is a list of something else.
const MOST: usize = 4;

/// The least and the most digits of an id.
const DIGITS: std::ops::RangeInclusive<usize> = 7..=40;

/// What was seen of a commit that did harm, and how it did.
const HARM: &[&str] = &["regression", "regressed", "introduced", "broken", "broke", "caused"];
const FROM: &[&str] = &["in", "by", "from", "since", "with"];

/// What may stand between.
const BETWEEN: &[&str] = &["commit", "commits", "the", "patch", "change", "revision", "rev", "sha"];

/// The commits that a message says it makes good, as it writes their ids, each once, and how it names them; those of a
/// message that blames more than four are none.
///
/// ```
/// use firstbad::suspicion::{NamedBy, culprits_named};
///
/// let found = culprits_named("cart: round again\n\nA regression in commit 1a2b3c4d (cart: faster).\n\nFixes: 5e6f7a8 (\"x\")\n");
/// assert_eq!(found, [("1a2b3c4d".to_owned(), NamedBy::Regression), ("5e6f7a8".to_owned(), NamedBy::Fixes)]);
/// assert_eq!(culprits_named("Revert \"a\"\n\nThis reverts commit 1a2b3c4d.")[0].1, NamedBy::Revert);
/// assert!(culprits_named("As 1a2b3c4d did, in the cafe0123 of facaded words").is_empty());
/// ```
#[must_use]
pub fn culprits_named(message: &str) -> Vec<(String, NamedBy)> {
    let mut end = message.len().min(LONGEST);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    let mut found: Vec<(String, NamedBy)> = Vec::new();
    // The words before, of earlier lines too: a sentence goes on.
    let mut before: Vec<String> = Vec::new();
    for line in message[..end].lines() {
        let mut begins = true;
        let mut fixes = false;
        for word in line.split_whitespace() {
            // `#1234567` is an issue.
            let is_number = word.contains('#');
            let word = word.trim_matches(|at: char| !at.is_alphanumeric()).to_lowercase();
            if is_id(&word) && !is_number {
                if let Some(how) = how(&before, fixes)
                    && found.iter().all(|(other, _)| *other != word)
                {
                    found.push((word.clone(), how));
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

/// How the words before an id blame it.
fn how(before: &[String], fixes: bool) -> Option<NamedBy> {
    let last = |back: usize| before.len().checked_sub(back).map_or("", |place| before[place].as_str());
    if last(1) == "reverts" {
        Some(NamedBy::Revert)
    } else if fixes {
        Some(NamedBy::Fixes)
    } else {
        (FROM.contains(&last(1)) && HARM.contains(&last(2))).then_some(NamedBy::Regression)
    }
}

/// Whether a word is the id of a commit: hexadecimal digits, of which one is no letter.
fn is_id(word: &str) -> bool {
    DIGITS.contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && word.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::NamedBy::{Fixes, Regression, Revert};
    use super::*;

    #[test]
    fn messages_blame_in_many_words() {
        let one = |message: &str| culprits_named(message).into_iter().map(|(_, how)| how).collect::<Vec<_>>();
        let known: [(&str, &[NamedBy]); 11] = [
            ("fixes: 1a2b3c4d5e6f", &[Fixes]),
            ("Fixes commit 1a2b3c4d5e6f", &[Fixes]),
            ("It fixes 1a2b3c4d5e6f", &[]),
            ("Fixes #1234567", &[]),
            ("this was introduced\nin 1a2b3c4 (words, 2020-01-01)", &[Regression]),
            ("Regression from 1a2b3c4.", &[Regression]),
            ("broken by the patch 1a2b3c4", &[Regression]),
            ("the regression\n\nin 1a2b3c4", &[]),
            ("This reverts commit 1a2b3c4d5e6f.", &[Revert]),
            ("follow-up to 1a2b3c4", &[]),
            ("introduced in 1a2b3", &[]),
        ];
        for (message, expected) in known {
            assert_eq!(one(message), expected, "{message:?}");
        }
        let many: String = (0..9).map(|n| format!("Fixes: {n}234567\n")).collect();
        assert!(culprits_named(&many).is_empty());
        assert!(culprits_named(&"ä".repeat(1 << 17)).is_empty());
    }
}
