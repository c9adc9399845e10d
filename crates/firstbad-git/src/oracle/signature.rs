//! Which failure it was: words that are the same for the same failure and differ for another one.
//!
//! A signature has the ending ("exit code 1") and the last line of the output that looks like an error, without what
//! changes from run to run: numbers, addresses, folders, colours.

use std::borrow::Cow;
use std::path::Path;

use firstbad::printable;
use regex::bytes::{Captures, Regex, RegexBuilder};

/// How many characters a signature has at most.
const LONGEST: usize = 200;

/// How much of the end of the output is looked at, in bytes: endless output must not cost more than the test.
const LOOKED_AT: usize = 4 << 20;

/// How much of a line counts, in bytes: whole programs stand in one line.
const LINE: usize = 2000;

/// How many lines below it count where a line ends with a colon.
const MORE: usize = 2;

const COLOURS: &str = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))";

/// What a line says that tells of an error.
const ERROR: &str = r"(?i:\b(?:error|fatal|panic\w*|assert\w*|aborted)\b|segmentation fault|undefined (?:reference|symbol)|no such file or directory|: not found$|command not found|permission denied)|\b\w+(?:Error|Exception)\b";

/// The names of failed tests, where no line tells of an error.
const FAILURE: &str = r"(?i:\bfail(?:ed|ure)?:\s*\S|\bnot ok\b)";

/// Lines in which programs add up, or say that another one has failed: they count where there are no others.
const SUMMARY: &str = r"(?i:^\S*make(?:\[\d+\])?: \*\*\*|\b\d+ errors?\b|\bprevious errors?\b|^error: (?:could not compile|test failed|doctest failed|\d+ targets? failed|build failed)|\bexit(?:ed)?(?: with)?(?: exit)? (?:code|status)|\breturned (?:non-zero exit status )?-?\d+|^npm (?:err!|error)|^(?:error|failed) [^ ]+$|linker command failed|\bcommand failed\b)";

/// Lines that look like an error and are none: frames, pieces of the source, remarks, tests that pass, and the
/// results of test runners, which have times.
const NEVER: &str = concat!(
    r#"^\s+at |^\s*File ".*", line \d|^\s*\d*\s*\||^\s*--> |^\s*(?:= )?(?i:note|help|hint|warning)\b|\b(?:note|remark|warning): "#,
    r"|^(?:For more information about|Some errors have detailed)|^=+ .* =+$|^!+ .* !+$|^test result: |^\s+name: '",
    r"|\b\d+ (?:passed|failed|errors?|skipped|tests?)\b.*\bin [\d.:]+ ?\(?(?:s|ms|sec|min)|^\s*(?:ok\b|PASS|--- PASS|\xe2\x9c\x93|\xe2\x9c\x94)|\.\.\. (?:ok|ignored)$",
);

/// Folders for what is temporary, with what lies in them.
const TEMPORARY: &str = r#"(?:/private)?/(?:tmp|var/tmp|dev/shm|var/folders/[^/\s]+/[^/\s]+/T)/[^\s:'"`,;()<>\[\]]+"#;

/// Addresses, UUIDs, and what may be a checksum.
const HEXADECIMAL: &str =
    r"\b(?:0[xX][0-9a-fA-F]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{8,})\b";

/// How signatures are made.
#[derive(Debug)]
pub(super) struct Signatures {
    /// The caller's expression, whose match takes the place of the line.
    given: Option<Regex>,
    colours: Regex,
    error: Regex,
    failure: Regex,
    summary: Regex,
    never: Regex,
    temporary: Regex,
    hexadecimal: Regex,
    digits: Regex,
}

impl Signatures {
    /// # Errors
    /// Should an expression of ours be none.
    pub(super) fn of(given: Option<Regex>) -> Result<Signatures, regex::Error> {
        let ours = |pattern: &str| RegexBuilder::new(pattern).unicode(false).build();
        let temporary = match std::env::temp_dir().to_str() {
            Some(folder) => {
                let folder = regex::escape(folder.trim_end_matches('/'));
                format!(r#"{TEMPORARY}|{folder}/[^\s:'"`,;()<>\[\]]+"#)
            }
            None => TEMPORARY.to_owned(),
        };
        Ok(Signatures {
            given,
            colours: ours(COLOURS)?,
            error: ours(ERROR)?,
            failure: ours(FAILURE)?,
            summary: ours(SUMMARY)?,
            never: ours(NEVER)?,
            temporary: ours(&temporary)?,
            hexadecimal: ours(HEXADECIMAL)?,
            digits: ours(r"\d+")?,
        })
    }

    /// The signature of a command that ended in this way ("exit code 1"), having printed `output` in the folder `tree`.
    pub(super) fn sign(&self, ending: &str, output: &[u8], tree: &Path) -> String {
        match self.matched(output).or_else(|| self.comparable(&self.line(output)?, tree)) {
            Some(words) => shortened(&format!("{ending}: {words}")),
            None => shortened(ending),
        }
    }

    /// The same for what was told in one line and not printed.
    pub(super) fn sign_words(&self, words: &str, tree: &Path) -> String {
        shortened(&self.comparable(words.as_bytes(), tree).unwrap_or_default())
    }

    /// What the caller's expression finds: its first group, or all of it.
    fn matched(&self, output: &[u8]) -> Option<String> {
        let found = self.given.as_ref()?.captures(output)?;
        let text = found.get(1).or_else(|| found.get(0))?.as_bytes();
        Some(one_line(text)).filter(|words| !words.is_empty())
    }

    /// The last line that looks like an error, without its colours.
    fn line(&self, output: &[u8]) -> Option<Vec<u8>> {
        let end = &output[output.len().saturating_sub(LOOKED_AT)..];
        let (mut failure, mut summary) = (None, None);
        let mut below: Vec<Vec<u8>> = Vec::new();
        for line in end.rsplit(|&byte| byte == b'\n' || byte == b'\r') {
            let line = self.colours.replace_all(&line[..line.len().min(LINE)], &b""[..]);
            if line.trim_ascii().is_empty() {
                continue;
            }
            below.truncate(MORE);
            below.insert(0, line.to_vec());
            let is_error = self.error.is_match(&line);
            if !is_error && !self.failure.is_match(&line) && !self.summary.is_match(&line) || self.never.is_match(&line)
            {
                continue;
            }
            if self.summary.is_match(&line) {
                summary = summary.or_else(|| Some(line.into_owned()));
            } else if is_error {
                return Some(whole(&below));
            } else {
                failure = failure.or_else(|| Some(line.into_owned()));
            }
        }
        failure.or(summary)
    }

    /// Without what changes from run to run; `None` if nothing is left.
    fn comparable(&self, line: &[u8], tree: &Path) -> Option<String> {
        let (mut line, tree) = (String::from_utf8_lossy(line).into_owned(), tree.to_string_lossy());
        // The system may know the folder by another name, as `/private/var` is `/var` on macOS.
        let short = tree.strip_prefix("/private").filter(|short| !short.is_empty());
        for folder in [Some(&*tree), short].into_iter().flatten() {
            line = line.replace(&format!("{folder}/"), "").replace(folder, ".");
        }
        let line = self.temporary.replace_all(line.as_bytes(), &b"tmp"[..]);
        let line = self.hexadecimal.replace_all(&line, |found: &Captures<'_>| {
            let word = &found[0];
            // Words can be spelt with these letters alone.
            if word.iter().any(u8::is_ascii_digit) { b"#".to_vec() } else { word.to_vec() }
        });
        let line = self.digits.replace_all(&line, &b"#"[..]);
        Some(one_line(&line)).filter(|words| !words.is_empty())
    }
}

/// A line and those below it, as far as it says that more is to come.
fn whole(lines: &[Vec<u8>]) -> Vec<u8> {
    let ends = lines.iter().position(|line| !line.ends_with(b":") && !line.ends_with(b"|-"));
    let last = ends.map_or(lines.len(), |last| last + 1);
    lines[..last.min(MORE + 1)].join(&b' ')
}

/// As words with single spaces between them.
fn one_line(text: &[u8]) -> String {
    let text: Cow<'_, str> = String::from_utf8_lossy(&text[..text.len().min(LINE)]);
    printable(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn shortened(words: &str) -> String {
    words.chars().take(LONGEST).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests;
