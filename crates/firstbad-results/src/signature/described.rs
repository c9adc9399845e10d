//! The exception's type, message, and frame of a failure, which every runner writes in another way.

use super::failure::{Described, Failure};
use super::frame::{innermost, own};
use super::normal::without_colors;
use crate::limits::{LONGEST_TEXT, cut};
use crate::tree::Tree;

/// Messages that say only that the test failed.
const GENERIC: [&str; 9] = [
    "failed",
    "failure",
    "error",
    "test failed",
    "collection failure",
    "exited with error code",
    "test suite failed to run",
    "fail",
    "child process exited",
];

/// Types that are not exceptions.
const NOT_KINDS: [&str; 9] = [
    "failure",
    "error",
    "testCodeFailure",
    "fail",
    "failed",
    "hookFailed",
    "test",
    "uncaughtException",
    "multipleErrors",
];

/// Separates a failure into its parts.
pub(crate) fn described(failure: Failure, tree: &Tree<'_>) -> Described {
    let text = without_colors(cut(&failure.text, LONGEST_TEXT));
    let frame = failure.frame.as_deref().and_then(|path| own(path, tree)).or_else(|| innermost(&text, tree));
    let mut message = without_colors(&failure.message).trim().to_owned();
    if let Some(panic) = panic(&message).or_else(|| panic(&text)) {
        return Described { kind: Some("panic".to_owned()), message: panic, frame };
    }
    if message.is_empty() {
        message = explanation(&text).unwrap_or_else(|| first_of(&text)).to_owned();
    } else if is_generic(&message) {
        let words = message.to_ascii_lowercase();
        let line = telling_line(&text).filter(|line| !line.to_ascii_lowercase().contains(&words));
        message = line.unwrap_or(&message).to_owned();
    }
    message = unwrapped(&message).to_owned();
    let given = failure.kind.as_deref().and_then(kind_of);
    let (kind, message) = match leading_kind(&message) {
        Some((kind, rest)) => (Some(kind), rest.to_owned()),
        None => (given.or_else(|| cause(&text)), message),
    };
    Described { kind, message, frame }
}

fn is_generic(message: &str) -> bool {
    let words = message.to_ascii_lowercase();
    GENERIC
        .iter()
        .any(|generic| words == *generic || words.strip_prefix(generic).is_some_and(|rest| rest.starts_with(" 1")))
        || words.starts_with("exited with error code")
        || words.ends_with("subtest failed")
        || words.ends_with("subtests failed")
}

/// Returns the message of a panic in Rust: the lines after the place.
fn panic(text: &str) -> Option<String> {
    let (before, after) = text.split_once(" panicked at ")?;
    let is_rust = before.lines().next_back().is_some_and(|line| line.trim_start().starts_with("thread '"));
    if !is_rust {
        return None;
    }
    let mut lines = after.lines();
    let first = lines.next().unwrap_or_default();
    // Before Rust 1.73: `panicked at 'message', src/lib.rs:3:7`.
    if let Some((message, _)) = first.strip_prefix('\'').and_then(|rest| rest.rsplit_once("', ")) {
        return Some(message.to_owned());
    }
    let is_end = |line: &&str| !line.starts_with("stack backtrace:") && !line.starts_with("note: ");
    let message = lines.take_while(is_end).collect::<Vec<_>>().join("\n");
    Some(message.trim_end().to_owned()).filter(|message| !message.trim().is_empty())
}

fn first_of(text: &str) -> &str {
    let text = text.trim_start();
    // The stack is not a part of the message.
    let end = text.find("\n    at ").unwrap_or(text.len());
    text[..end].trim_end()
}

/// Returns the first line of pytest's last explanation: lines that start with `E`.
fn explanation(text: &str) -> Option<&str> {
    let mut first = None;
    for line in text.lines().rev() {
        match line.strip_prefix("E  ") {
            Some(words) => first = Some(words.trim()),
            None if first.is_some() => break,
            None => {}
        }
    }
    first
}

/// Returns the last line that looks like an error, or the last line.
fn telling_line(text: &str) -> Option<&str> {
    const WORDS: [&str; 6] = ["error", "exception", "panic", "assert", "fatal", "fail"];
    let lines = || text.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let is_telling = |line: &&str| {
        let words = line.to_ascii_lowercase();
        WORDS.iter().any(|word| words.contains(word)) && !line.starts_with("at ")
    };
    explanation(text).or_else(|| lines().find(is_telling)).or_else(|| lines().next())
}

/// Removes the words of pytest around the error of a fixture.
fn unwrapped(message: &str) -> &str {
    let inside =
        ["failed on setup with \"", "failed on teardown with \""].iter().find_map(|start| message.strip_prefix(start));
    inside.map_or(message, |inside| inside.trim_end_matches('"'))
}

/// Returns the name of an exception without its module.
fn kind_of(given: &str) -> Option<String> {
    let name = given.trim().trim_end_matches(':').rsplit(['.', '\\', '$']).next()?;
    let is_name = name.len() <= 100
        && name.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':'));
    (is_name && !NOT_KINDS.contains(&name)).then(|| name.to_owned())
}

/// Splits the type of an exception from a message: `TypeError: ...`, `a.b.PriceError: ...`, `AssertionError [CODE]: ...`.
fn leading_kind(message: &str) -> Option<(String, &str)> {
    let (word, rest) = message.split_once(':').unwrap_or((message, ""));
    let word = word.trim().strip_prefix("Uncaught ").unwrap_or(word.trim());
    let name = word.split_once(" [").filter(|(_, code)| code.ends_with(']')).map_or(word, |(name, _)| name);
    if rest.is_empty() && message.contains(' ') {
        return None;
    }
    let kind = kind_of(name)?;
    let ends = ["Error", "Exception", "Failure", "Warning", "Exit", "Interrupt", "Timeout", "Failed"];
    ends.iter().any(|end| kind.ends_with(end)).then_some((kind, rest.trim()))
}

/// Returns the type of the exception that Node prints as the cause, or that Mocha prints after the message.
fn cause(text: &str) -> Option<String> {
    let mut lines = text.lines().map(|line| line.trim().strip_prefix("cause: ").unwrap_or(line.trim()));
    // Node wraps the exception in another error.
    lines.find_map(|line| leading_kind(line).map(|(kind, _)| kind).filter(|kind| kind != "Error"))
}
