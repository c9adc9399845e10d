//! Signatures of failures: text that is equal for the same failure and differs for another one.
//!
//! A signature has the exit code (`exit code 1`) and the last line of the output that looks like an error. Text that changes
//! between runs is removed: numbers, addresses, folders, and colors.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::path::Path;

use firstbad::printable;
use firstbad_results::signature::comparable;
use regex::bytes::{Regex, RegexBuilder};

use super::signature::detail::Details;

mod detail;

/// The maximum number of characters of a signature.
const LONGEST: usize = 200;

/// The number of bytes to search at the end of the output.
const LOOKED_AT: usize = 4 << 20;

/// The maximum bytes of a line that count, because minified programs are on one line.
const LINE: usize = 2000;

/// The number of lines that count after a line that ends with a colon.
const MORE: usize = 2;

pub(crate) const COLOURS: &str = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))";

/// Matches lines with an error.
const ERROR: &str = r"(?i:\b(?:error|fatal|panic\w*|assert\w*|aborted)\b|segmentation fault|undefined (?:reference|symbol)|no such file or directory|: not found$|command not found|permission denied)|\b\w+(?:Error|Exception)\b|^\s*expect\(";

/// Matches the names of failed tests, for output without an error line.
const FAILURE: &str = r"(?i:\bfail(?:ed|ure)?:\s*\S|\bnot ok\b)|^\[  FAILED  \] \S+\.|^\s*\xe2\x97\x8f ";

/// Matches summaries and lines about other failed programs. They count only if there are no other lines.
const SUMMARY: &str = r"(?i:^\S*make(?:\[\d+\])?: \*\*\*|\b\d+ errors?\b|\bprevious errors?\b|\b\d+ subtests? failed\b|^\S+:\d+: \w+$|^error: (?:could not compile|test failed|doctest failed|\d+ targets? failed|build failed)|\bexit(?:ed)?(?: with)?(?: exit)? (?:code|status)|\breturned (?:non-zero exit status )?-?\d+|^npm (?:err!|error)|^(?:error|failed) [^ ]+$|linker command failed|\bcommand failed\b)";

/// Matches lines that look like errors but are not: stack frames, source lines, notes, passing tests, results of test runners
/// with times, and values of assertions.
const NEVER: &str = concat!(
    r#"^\s+at |^\s*File ".*", line \d|^\s*>?\s*\d*\s*\||^\s*--> |^\s*(?:= )?(?i:note|help|hint|warning)\b|\b(?:note|remark|warning): "#,
    r"|^(?:For more information about|Some errors have detailed)|^=+ .* =+$|^!+ .* !+$|^test result: |^\s+name: '",
    r"|\b\d+ (?:passed|failed|errors?|skipped|tests?)\b.*\bin [\d.:]+ ?\(?(?:s|ms|sec|min)|^\s*(?:ok\b|PASS|--- PASS|\xe2\x9c\x93|\xe2\x9c\x94)|\.\.\. (?:ok|ignored)$",
    r"|\(node:[\w/]+:\d+:\d+\)$|^\s+(?:actual|expected): |^\s*'[^']*',?$|^\s*\+\s|^\s*-\s*['\x22]",
);

/// The compiled expressions for signatures.
#[derive(Debug)]
pub(crate) struct Signatures {
    /// The user's expression. Its match replaces the error line.
    given: Option<Regex>,
    colours: Regex,
    error: Regex,
    failure: Regex,
    summary: Regex,
    never: Regex,
    /// The folder for temporary files.
    temporary: Option<String>,
    details: Details,
}

impl Signatures {
    /// # Errors
    /// If one of the built-in expressions is invalid.
    pub(crate) fn of(given: Option<Regex>) -> Result<Signatures, regex::Error> {
        let ours = |pattern: &str| RegexBuilder::new(pattern).unicode(false).build();
        Ok(Signatures {
            given,
            colours: ours(COLOURS)?,
            error: ours(ERROR)?,
            failure: ours(FAILURE)?,
            summary: ours(SUMMARY)?,
            never: ours(NEVER)?,
            temporary: std::env::temp_dir().to_str().map(str::to_owned),
            details: Details::new()?,
        })
    }

    /// Returns the signature of a command that ended in this way (`exit code 1`) and printed `output` in the folder `tree`.
    pub(crate) fn sign(&self, ending: &str, output: &[u8], tree: &Path) -> String {
        match self.matched(output).or_else(|| self.comparable(&self.line(output)?, tree)) {
            Some(words) => shortened(&format!("{ending}: {words}")),
            None => shortened(ending),
        }
    }

    /// Returns the signature for a one-line description instead of output.
    pub(crate) fn sign_words(&self, words: &str, tree: &Path) -> String {
        shortened(&self.comparable(words.as_bytes(), tree).unwrap_or_default())
    }

    /// Returns the match of the user's expression: its first group or the whole match.
    fn matched(&self, output: &[u8]) -> Option<String> {
        let found = self.given.as_ref()?.captures(output)?;
        let text = found.get(1).or_else(|| found.get(0))?.as_bytes();
        Some(one_line(text)).filter(|words| !words.is_empty())
    }

    /// Returns the last error line without colors. For an assertion, adds the test and the values.
    fn line(&self, output: &[u8]) -> Option<Vec<u8>> {
        let end = &output[output.len().saturating_sub(LOOKED_AT)..];
        let mut lines = end
            .rsplit(|&byte| byte == b'\n' || byte == b'\r')
            .map(|line| self.colours.replace_all(&line[..line.len().min(LINE)], &b""[..]))
            .filter(|line| !line.trim_ascii().is_empty());
        let (mut failure, mut summary) = (None, None);
        let mut below: VecDeque<Cow<'_, [u8]>> = VecDeque::new();
        while let Some(line) = lines.next() {
            below.truncate(detail::NEAR);
            below.push_front(line);
            let line = &below[0];
            let is_error = self.error.is_match(line);
            if !is_error && !self.failure.is_match(line) && !self.summary.is_match(line) || self.never.is_match(line) {
                continue;
            }
            if self.summary.is_match(line) {
                summary = summary.or_else(|| Some(line.clone().into_owned()));
            } else if is_error {
                return Some(self.whole(below.make_contiguous(), &lines));
            } else {
                failure = failure.or_else(|| Some(self.details.of(below.make_contiguous())));
            }
        }
        failure.or(summary)
    }

    /// Returns the message in the first line, with its details in the lines below and in `above`.
    fn whole<'a>(&self, lines: &[Cow<'_, [u8]>], above: &(impl Iterator<Item = Cow<'a, [u8]>> + Clone)) -> Vec<u8> {
        if !self.details.is_assertion(lines) {
            return self.details.explained(&announced(lines), above.clone());
        }
        let assertion = self.details.of(lines);
        match self.details.test(above.clone()) {
            Some(test) => [test.as_bytes(), b": ", assertion.trim_ascii_start()].concat(),
            None => assertion,
        }
    }

    /// Removes the text that changes between runs. Returns `None` if nothing remains.
    fn comparable(&self, line: &[u8], tree: &Path) -> Option<String> {
        let (line, tree) = (String::from_utf8_lossy(line), tree.to_string_lossy());
        let line = comparable(&line, &tree, self.temporary.as_deref());
        Some(one_line(line.as_bytes())).filter(|words| !words.is_empty())
    }
}

/// Returns a line and the lines below it that it announces.
fn announced(lines: &[Cow<'_, [u8]>]) -> Vec<u8> {
    let ends = lines.iter().position(|line| !line.ends_with(b":") && !line.ends_with(b"|-"));
    let last = ends.map_or(lines.len(), |last| last + 1);
    lines[..last.min(MORE + 1)].join(&b' ')
}

/// Joins words with single spaces.
fn one_line(text: &[u8]) -> String {
    let text: Cow<'_, str> = String::from_utf8_lossy(&text[..text.len().min(LINE)]);
    printable(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn shortened(words: &str) -> String {
    words.chars().take(LONGEST).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests;
