//! Texts from outside, for a terminal.

use std::fmt::Write as _;

/// A text without characters that steer a terminal, turn the direction of writing or cannot be seen: each stands there as
/// its code, as in `\u{1b}`. Line ends and tabs stay.
///
/// File names, revisions, and what git and other tools say can hold anything. Python, Node and the command line pass the
/// words of every [`Error`](crate::Error) through this.
///
/// ```
/// assert_eq!(firstbad::printable("a\u{1b}[31m b\n"), "a\\u{1b}[31m b\n");
/// ```
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_plain(letter) {
            shown.push(letter);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(shown, "{}", letter.escape_unicode());
        }
    }
    shown
}

fn is_plain(letter: char) -> bool {
    match letter {
        '\n' | '\t' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => false,
        letter => !letter.is_control(),
    }
}

/// How many digits of a sha people read.
const SHORT: usize = 12;

/// A revision as people read it: the beginning of a sha.
#[must_use]
pub fn short(revision: &str) -> &str {
    if is_sha(revision) { &revision[..SHORT] } else { revision }
}

fn is_sha(word: &str) -> bool {
    word.len() >= 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A sentence in which every sha that stands by itself is [`short`].
///
/// ```
/// let sha = "ab".repeat(20);
/// assert_eq!(firstbad::with_short_ids(&format!("broken by {sha} (7)")), "broken by abababababab (7)");
/// ```
#[must_use]
pub fn with_short_ids(sentence: &str) -> String {
    let mut shortened = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while !rest.is_empty() {
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let between = rest[word..].find(|c: char| c.is_ascii_alphanumeric()).unwrap_or(rest.len() - word);
        let (id, sign) = (&rest[..word], &rest[word..word + between]);
        shortened.push_str(short(id));
        shortened.push_str(sign);
        rest = &rest[word + between..];
    }
    shortened
}

/// A text that Markdown shows as it is.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in printable(text).chars() {
        if "\\`*_{}[]<>#|&".contains(sign) {
            escaped.push('\\');
        }
        escaped.push(sign);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_stands_there_as_its_code() {
        for letter in ('\0'..='\u{9f}').filter(|letter| letter.is_control() && !"\n\t".contains(*letter)) {
            assert_eq!(printable(&letter.to_string()), format!("\\u{{{:x}}}", letter as u32));
        }
        assert_eq!(printable("\u{202e}a\u{200b}\u{2028}"), "\\u{202e}a\\u{200b}\\u{2028}");
        assert_eq!(printable("ärger\n\t日本 \u{1f600}"), "ärger\n\t日本 \u{1f600}");
    }
}
