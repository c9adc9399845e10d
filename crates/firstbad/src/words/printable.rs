use std::fmt::Write as _;

use serde::{Deserializer, Serializer};

/// Escapes characters that control a terminal, change the writing direction, or are invisible, as in `\u{1b}`. Line ends and tabs
/// stay.
///
/// File names, revisions, and the output of tools can contain such characters. All front ends escape the message of every
/// [`Error`](crate::Error) with this function.
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
            // Writing to a `String` cannot fail.
            let _ = write!(shown, "{}", letter.escape_unicode());
        }
    }
    shown
}

/// Makes a text [`printable`], and keeps a CI service from reading its lines as commands. At the start of a line, also
/// after blanks, `::` becomes `: :`. `##[` becomes `## [`.
///
/// ```
/// assert_eq!(firstbad::for_logs("a\n  ::error::b\u{1b}"), "a\n  : :error::b\\u{1b}");
/// ```
#[must_use]
pub fn for_logs(text: &str) -> String {
    let harmless = |line: &str| {
        let blanks = line.len() - line.trim_start().len();
        match line[blanks..].strip_prefix("::") {
            Some(rest) => format!("{}: :{rest}", &line[..blanks]),
            None => line.to_owned(),
        }
    };
    // GitHub Actions runners still accept this old form of command anywhere in a line.
    printable(text).split('\n').map(harmless).collect::<Vec<_>>().join("\n").replace("##[", "## [")
}

/// Escapes the characters in JSON strings that control a terminal or a CI service. Programs read the same values.
#[must_use]
pub fn printable_json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_plain(letter) {
            shown.push(letter);
        } else {
            // All of these characters are in the basic plane, so one escape is enough.
            let _ = write!(shown, "\\u{:04x}", u32::from(letter));
        }
    }
    // These characters occur only in strings.
    shown.replace("##[", "#\\u0023[")
}

/// The largest number of characters that are kept of a subject or an author name.
const LONGEST_NAME: usize = 200;

/// Cuts a subject or an author name to 200 characters.
#[must_use]
pub fn shortened(name: &str) -> &str {
    name.char_indices().nth(LONGEST_NAME).map_or(name, |(end, _)| &name[..end])
}

/// The serde form of a message for people. It is made [`printable`] on writing and on reading.
pub(crate) mod words {
    use crate::words::printable::{Deserializer, Serializer, printable};
    use serde::Deserialize as _;

    pub(crate) fn serialize<S: Serializer>(words: &str, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&printable(words))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        String::deserialize(deserializer).map(|words| printable(&words))
    }
}

/// The serde form of a list of messages, each as in `words`.
pub(crate) mod sentences {
    use crate::words::printable::{Deserializer, Serializer, printable};
    use serde::Deserialize as _;

    pub(crate) fn serialize<S: Serializer>(sentences: &[String], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(sentences.iter().map(|words| printable(words)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
        Ok(Vec::<String>::deserialize(deserializer)?.iter().map(|words| printable(words)).collect())
    }
}

fn is_plain(letter: char) -> bool {
    match letter {
        '\n' | '\t' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => false,
        letter => !letter.is_control(),
    }
}

/// The number of digits in an abbreviated commit id.
const SHORT: usize = 12;

/// Returns the first 12 digits of a commit id. Other names stay whole.
#[must_use]
pub fn short(revision: &str) -> &str {
    if is_sha(revision) { &revision[..SHORT] } else { revision }
}

/// Returns a revision as given, followed by the abbreviated id if they differ: `"main" (39491d315ee2)`.
pub(crate) fn as_given(given: &str, id: &str) -> String {
    if given == id { format!("{given:?}") } else { format!("{given:?} ({})", short(id)) }
}

fn is_sha(word: &str) -> bool {
    word.len() >= 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Abbreviates every commit id in a sentence. An id that is part of a path stays whole, because a shorter path names no file.
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
        let before = &sentence[..sentence.len() - rest.len()];
        shortened.push_str(if is_in_path(before, &rest[word..]) { id } else { short(id) });
        shortened.push_str(sign);
        rest = &rest[word + between..];
    }
    shortened
}

/// Returns whether the text between `before` and `after` is part of a path or a file name.
fn is_in_path(before: &str, after: &str) -> bool {
    let separators = ['/', '\\'];
    let folders = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let mut next = after.chars();
    match next.next() {
        Some('.') => next.next().is_some_and(char::is_alphanumeric) || folders.contains(separators),
        Some(sign) if separators.contains(&sign) => true,
        _ => folders.contains(separators),
    }
}

/// Capitalizes the first letter of a text, unless the text starts with an id such as a hash or a version.
#[must_use]
pub fn capital(text: &str) -> String {
    let first = text.split(char::is_whitespace).next().unwrap_or_default();
    if first.contains(|c: char| c.is_ascii_digit()) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_contains_an_id_stays_unchanged() {
        let (sha, short) = ("0123456789abcdef".repeat(4)[..40].to_owned(), "0123456789ab");
        for path in ["/tmp/a b/{}.log", "{}.log", "C:\\logs\\{}.log", "{}/log", "https://example.org/commit/{}"] {
            let path = path.replace("{}", &sha);
            assert_eq!(
                with_short_ids(&format!("{sha} fails: output in {path}")),
                format!("{short} fails: output in {path}")
            );
        }
        let sentence = with_short_ids(&format!("in src/a.py. {sha}..{sha}, ({sha}), {sha}:src/a.py, {sha}."));
        assert_eq!(sentence, format!("in src/a.py. {short}..{short}, ({short}), {short}:src/a.py, {short}."));
    }

    #[test]
    fn ids_are_not_capitalized() {
        for (text, shown) in [("broken by a", "Broken by a"), ("c74ce9 (s4) fails", "c74ce9 (s4) fails"), ("", "")] {
            assert_eq!(capital(text), shown);
        }
    }

    #[test]
    fn no_line_is_a_command_of_a_ci_service() {
        for blanks in ["", " ", "\t", "  \u{a0}\u{3000}"] {
            assert_eq!(for_logs(&format!("x\n{blanks}::set-output")), format!("x\n{blanks}: :set-output"));
        }
        assert_eq!(for_logs("a::b ##[error]c\n"), "a::b ## [error]c\n");
    }

    #[test]
    fn escaped_json_has_the_same_values() {
        let text = serde_json::json!({"\u{9b}31m": "\u{1b}[0m\u{202e}\u{7f}ä ##[error]"}).to_string();
        let shown = printable_json(&text);
        assert_eq!(shown, for_logs(&shown));
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&shown).unwrap(),
            serde_json::from_str::<serde_json::Value>(&text).unwrap()
        );
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        assert_eq!(shortened(&"ä".repeat(201)), "ä".repeat(200));
        assert_eq!(shortened("short"), "short");
    }

    #[test]
    fn control_characters_are_escaped() {
        for letter in ('\0'..='\u{9f}').filter(|letter| letter.is_control() && !"\n\t".contains(*letter)) {
            assert_eq!(printable(&letter.to_string()), format!("\\u{{{:x}}}", letter as u32));
        }
        assert_eq!(printable("\u{202e}a\u{200b}\u{2028}"), "\\u{202e}a\\u{200b}\\u{2028}");
        assert_eq!(printable("ärger\n\t日本 \u{1f600}"), "ärger\n\t日本 \u{1f600}");
    }
}
