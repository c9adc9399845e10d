//! What tells one failed assertion from another: the values that stand below it, and the test that it belongs to.
//!
//! An assertion says the same of all values ("Expected values to be strictly equal:"). An error that the code raises says
//! itself what is wrong, and may show in many tests, so these are not looked at for it.

use std::borrow::Cow;

use regex::bytes::{Regex, RegexBuilder};

/// How many lines below an assertion, and above it, are looked at; empty ones do not count.
pub(super) const NEAR: usize = 60;

/// How many lines with values count.
const VALUES: usize = 8;

/// How many characters the name of a test has at most, so that values have room.
const NAME: usize = 80;

/// What a line says that tells of a failed assertion.
const ASSERTION: &str = r"(?i:\bassert)|\b\w*AssertionError\b|^\s*expect\(";

/// The line of pytest's summary for one test.
const SUMMARY: &str = r"^FAILED \S+::\S+ - ";

/// In TAP the message comes first, and then what it is.
const TAP: (&str, &str) = (r"^\s*error: ", r"^\s*code: 'ERR_ASSERTION'");

/// Where what an assertion says ends: frames, keys of TAP and of a printed error, pieces of the source, rulers.
const END: &str = concat!(
    r"^\s*at |^\s*(?:code|name|stack|expected|actual|operator|generatedMessage): ?|^\s*(?:\.\.\.|---|\}.*)$",
    r"|^\s*>?\s*\d+ ?\||^\s*\xe2\x9d\xaf |^\s*[-=_]{5,}|^Ran \d+ tests?\b|^(?:note|help): |^\S+:\d+: ",
);

/// Differences and named values.
const VALUE: &str = r"^\s*(?:[-+]\s*\S|(?:left|right): |(?:Expected|Received)\b[^:]*: +\S)|^\s+\w+\.go:\d+: ";

/// What says which sign of a difference is which.
const LEGEND: &str = r"^\s*[-+] (?i:actual|expected|received)\b";

/// The names of tests, as runners have them above what went wrong.
const TEST: &str = concat!(
    r"^\s*not ok \d+ - (.+)|^\s*(?:\xe2\x9c\x96|\xe2\x97\x8f) (.+)|^\s*(?:FAIL|ERROR):? +(\S.*)|^\s*--- FAIL: (.+)",
    r"|^\s*thread '(.+?)' .*\bpanicked at|^\s*\d+\) (.+)",
);

/// What comes after the name of a test and differs from run to run.
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
    /// Should an expression be none.
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

    /// Whether the first of these lines, which stand below one another, is a failed assertion.
    pub(super) fn is_assertion(&self, lines: &[Cow<'_, [u8]>]) -> bool {
        let Some(line) = lines.first() else { return false };
        let block = || lines.iter().take_while(|line| line.trim_ascii() != b"...");
        self.assertion.is_match(line) && !self.summary.is_match(line)
            || self.tap.0.is_match(line) && block().any(|below| self.tap.1.is_match(below))
    }

    /// The assertion in the first of these lines and the values below it.
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
        // TAP has the message itself below.
        all.extend(words.first().filter(|_| line.ends_with(b"|-") && !values.is_empty()));
        all.extend(if values.is_empty() { words } else { values });
        all.join(&b' ')
    }

    /// What pytest says of the failure that its summary names in this line: the nearest lines above that start with "E",
    /// without the first, which the summary repeats.
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

    /// The name of the test that one of the lines above it, the nearest first, names.
    pub(super) fn test<'a>(&self, above: impl Iterator<Item = Cow<'a, [u8]>>) -> Option<String> {
        let mut below: Option<Cow<'_, [u8]>> = None;
        for line in above.take(NEAR) {
            if let Some(found) = self.test.captures(&line) {
                let mut name = found.iter().skip(1).flatten().next()?.as_bytes().to_vec();
                // Mocha has the title of the suite, and the test's own below.
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
