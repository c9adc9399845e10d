//! Details of failed assertions: the values below the message, and the name of the test.
//!
//! The message of an assertion is the same for all values ("Expected values to be strictly equal:"). Other errors describe the
//! problem themselves and can occur in many tests, so their signatures have no details.

use std::borrow::Cow;

use regex::bytes::{Regex, RegexBuilder};

/// The number of lines to search below and above an assertion, without empty lines.
pub(super) const NEAR: usize = 60;

/// The maximum number of lines with values.
const VALUES: usize = 8;

/// The maximum number of characters of a test's name.
const NAME: usize = 80;

/// Matches lines with a failed assertion.
const ASSERTION: &str = r"(?i:\bassert)|\b\w*AssertionError\b|^\s*expect\(";

/// Matches the lines of pytest's summary.
const SUMMARY: &str = r"^FAILED \S+::\S+ - ";

/// In TAP, the message comes before the error code.
const TAP: (&str, &str) = (r"^\s*error: ", r"^\s*code: 'ERR_ASSERTION'");

/// Matches the end of an assertion's message: stack frames, keys of TAP and of printed errors, source lines, and rulers.
const END: &str = concat!(
    r"^\s*at |^\s*(?:code|name|stack|expected|actual|operator|generatedMessage): ?|^\s*(?:\.\.\.|---|\}.*)$",
    r"|^\s*>?\s*\d+ ?\||^\s*\xe2\x9d\xaf |^\s*[-=_]{5,}|^Ran \d+ tests?\b|^(?:note|help): |^\S+:\d+: ",
);

/// Matches differences and named values.
const VALUE: &str = r"^\s*(?:[-+]\s*\S|(?:left|right): |(?:Expected|Received)\b[^:]*: +\S)|^\s+\w+\.go:\d+: ";

/// Matches the legend of a difference.
const LEGEND: &str = r"^\s*[-+] (?i:actual|expected|received)\b";

/// Matches the names of tests that runners print above a failure.
const TEST: &str = concat!(
    r"^\s*not ok \d+ - (.+)|^\s*(?:\xe2\x9c\x96|\xe2\x97\x8f) (.+)|^\s*(?:FAIL|ERROR):? +(\S.*)|^\s*--- FAIL: (.+)",
    r"|^\s*thread '(.+?)' .*\bpanicked at|^\s*\d+\) (.+)",
);

/// Matches the duration and comments after the name of a test.
const TOOK: &str = r"\s*(?:\([\d.]+ ?m?s\)|#.*)\s*$";

#[derive(Debug)]
pub(super) struct Details {
    assertion: Regex,
    summary: Regex,
    tap: (Regex, Regex),
    end: Regex,
    value: Regex,
    legend: Regex,
    test: Regex,
    took: Regex,
}

impl Details {
    /// # Errors
    /// If one of the expressions is invalid.
    pub(super) fn new() -> Result<Details, regex::Error> {
        let ours = |pattern: &str| RegexBuilder::new(pattern).unicode(false).build();
        Ok(Details {
            assertion: ours(ASSERTION)?,
            summary: ours(SUMMARY)?,
            tap: (ours(TAP.0)?, ours(TAP.1)?),
            end: ours(END)?,
            value: ours(VALUE)?,
            legend: ours(LEGEND)?,
            test: ours(TEST)?,
            took: ours(TOOK)?,
        })
    }

    /// Returns whether the first of these consecutive lines is a failed assertion.
    pub(super) fn is_assertion(&self, lines: &[Cow<'_, [u8]>]) -> bool {
        let Some(line) = lines.first() else { return false };
        let block = || lines.iter().take_while(|line| line.trim_ascii() != b"...");
        self.assertion.is_match(line) && !self.summary.is_match(line)
            || self.tap.0.is_match(line) && block().any(|below| self.tap.1.is_match(below))
    }

    /// Returns the assertion in the first line and the values below it.
    pub(super) fn of(&self, lines: &[Cow<'_, [u8]>]) -> Vec<u8> {
        let Some((line, below)) = lines.split_first() else { return Vec::new() };
        let mut opened = [&b":"[..], b"|-", b"expect("].iter().any(|mark| line.trim_ascii_end().ends_with(mark))
            || line.trim_ascii_start().starts_with(b"expect(");
        let (mut words, mut values) = (Vec::new(), Vec::new());
        let is_marked = line.starts_with(b"E ");
        for below in below {
            let says_more = !is_marked && !self.end.is_match(below) || is_marked && below.starts_with(b"E ");
            if !says_more || values.len() == VALUES {
                break;
            }
            if self.legend.is_match(below) {
                opened = true;
            } else if is_marked {
                values.push(below[1..].trim_ascii());
            } else if self.value.is_match(below) {
                values.push(&**below);
            } else if !opened {
                break;
            } else if words.len() < VALUES {
                words.push(&**below);
            }
        }
        let mut all: Vec<&[u8]> = vec![line];
        // In TAP, the message follows below.
        all.extend(words.first().filter(|_| line.ends_with(b"|-") && !values.is_empty()));
        all.extend(if values.is_empty() { words } else { values });
        all.join(&b' ')
    }

    /// Returns pytest's explanation of the failure in a summary line: the nearest lines above that start with "E", without the
    /// first, which the summary repeats.
    pub(super) fn explained<'a>(&self, line: &[u8], above: impl Iterator<Item = Cow<'a, [u8]>>) -> Vec<u8> {
        let mut all = Vec::new();
        if self.summary.is_match(line) {
            let is_marked = |line: &Cow<'_, [u8]>| line.starts_with(b"E ");
            all.extend(above.take(NEAR).skip_while(|line| !is_marked(line)).take_while(is_marked));
            all.pop();
            all.reverse();
            all.truncate(VALUES);
        }
        let marked = all.iter().map(|line| line[1..].trim_ascii());
        std::iter::once(line).chain(marked).collect::<Vec<_>>().join(&b' ')
    }

    /// Returns the name of the test from the lines above, nearest first.
    pub(super) fn test<'a>(&self, above: impl Iterator<Item = Cow<'a, [u8]>>) -> Option<String> {
        let mut below: Option<Cow<'_, [u8]>> = None;
        for line in above.take(NEAR) {
            if let Some(found) = self.test.captures(&line) {
                let mut name = found.iter().skip(1).flatten().next()?.as_bytes().to_vec();
                // Mocha prints the name of the suite and then that of the test.
                if let Some(title) = below.filter(|_| line.trim_ascii_start().first().is_some_and(u8::is_ascii_digit)) {
                    let title = title.trim_ascii();
                    name.extend([b" ", title.strip_suffix(b":").unwrap_or(title)].concat());
                }
                let name = String::from_utf8_lossy(&self.took.replace(&name, &b""[..])).into_owned();
                return Some(name.chars().take(NAME).collect());
            }
            below = Some(line);
        }
        None
    }
}
