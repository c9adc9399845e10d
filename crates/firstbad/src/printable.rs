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

/// A revision as people read it: the beginning of a sha.
pub(crate) fn short(revision: &str) -> &str {
    let is_sha = revision.len() >= 40 && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_sha { &revision[..12] } else { revision }
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
