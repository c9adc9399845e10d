//! Results about endpoints with an unexpected outcome.

use firstbad::{Find, Outcome, Status};

use super::{Story, StoryWriter};
use crate::summary::Asked;

/// The words in a failure that point to a missing file or module.
const MISSING: [&str; 6] =
    ["No such file", "no such file", "can't open file", "ModuleNotFoundError", "Cannot find module", "not found"];

/// Returns whether a failure comes from a missing file or module.
pub(in crate::render) fn is_missing(failure: &str) -> bool {
    MISSING.iter().any(|words| failure.contains(words))
}

/// Returns the file in quotes in a failure, or `FILE`.
pub(in crate::render) fn missing_file(failure: &str) -> &str {
    let is_file = |name: &&str| {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
        is_plain && name.contains(['.', '/']) && !name.starts_with('/')
    };
    let quoted = |sign: char| {
        let starts = failure.match_indices([' ', '(']).filter(move |(at, _)| failure[at + 1..].starts_with(sign));
        starts.filter_map(move |(at, _)| failure[at + 2..].split(sign).next())
    };
    quoted('\'').chain(quoted('"')).find(is_file).unwrap_or("FILE")
}

impl StoryWriter<'_> {
    /// Returns the result of a search for regressions whose endpoints do not have their expected outcomes.
    pub(super) fn endpoint_error(&self) -> Option<Story> {
        let summary = self.summary;
        if summary.find() == Find::Fix || summary.flakiness.is_flaky {
            return None;
        }
        match summary.status() {
            Status::GoodEndFails => self.good_end_fails(),
            Status::NoPassingRevision => self.every_run_fails(),
            Status::NotReproduced => self.not_failing(),
            _ => None,
        }
    }

    /// Returns the bad revisions, or the other tested revisions, in the order of their tests.
    fn tested(&self, is_bad: bool) -> impl Iterator<Item = &Asked> {
        let is_leaf = |one: &Asked| self.summary.leaves().iter().any(|leaf| one.target == leaf.leaf.as_str().into());
        self.summary.asked.iter().filter(move |one| is_leaf(one) == is_bad)
    }

    /// Returns the name and the failure of a tested revision.
    fn failing(&self, one: &Asked) -> (String, Option<(String, String)>) {
        let named = self.named_end(one.target.revision.as_deref().unwrap_or_default());
        let failure = one.failure.as_deref().map(|failure| {
            let (code, detail) = failure.split_once(": ").unwrap_or((failure, ""));
            (self.style.words(code), self.style.words(detail))
        });
        (named, failure)
    }

    /// Returns the result if a good revision fails.
    fn good_end_fails(&self) -> Option<Story> {
        let end = self.tested(false).find(|one| one.outcome == Outcome::Fail)?;
        let (named, failure) = self.failing(end);
        let (code, detail) = failure.unwrap_or_default();
        let code = if code.is_empty() { code } else { format!(", {code}") };
        let output = (!detail.is_empty()).then_some(("output", detail));
        Some(Story {
            headline: format!("the test also fails at the good revision {named}{code}"),
            details: output.into_iter().collect(),
            is_error: true,
            ..Story::default()
        })
    }

    /// Returns the result if every run fails.
    fn every_run_fails(&self) -> Option<Story> {
        let [leaf] = self.summary.leaves() else { return None };
        let counts = self.summary.outcomes;
        let older: Vec<&Asked> = self.tested(false).filter(|one| one.outcome == Outcome::Fail).collect();
        let oldest = older.last().filter(|_| counts.pass == 0 && counts.unresolved == 0)?;
        let (named, failure) = self.failing(oldest);
        let bad = self.named_end(leaf.replaced_by.as_deref().unwrap_or(&leaf.leaf));
        let headline = match older.len() {
            1 => format!("no passing revision found: {bad} and {named} both fail"),
            n => format!("no passing revision found: {bad} and {n} older revisions fail, the oldest is {named}"),
        };
        let output = failure.map(|(code, detail)| {
            let words = if detail.is_empty() { code } else { detail };
            ("output", format!("at {named}: {words}"))
        });
        Some(Story { headline, details: output.into_iter().collect(), is_error: true, ..Story::default() })
    }

    /// Returns the result if the bad revision does not fail as required.
    fn not_failing(&self) -> Option<Story> {
        let [leaf] = self.summary.leaves() else { return None };
        let end = self.summary.seen_of(leaf.replaced_by.as_deref().unwrap_or(&leaf.leaf))?;
        let (named, failure) = self.failing(end);
        let detail = failure.map(|(_, detail)| detail).filter(|detail| !detail.is_empty());
        let headline = match (end.outcome, &end.doubt) {
            (Outcome::Pass, _) => format!("the test passes at {named}"),
            (_, Some(doubt)) if doubt.unmatched => {
                format!("the test fails at {named}, but {}", self.said(&self.summary.spelling.render(&doubt.reason)))
            }
            _ => return None,
        };
        let output = detail.map(|detail| ("output", detail));
        Some(Story { headline, details: output.into_iter().collect(), is_error: true, ..Story::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_has_a_relative_name() {
        assert_eq!(missing_file("python: can't open file 'tests/a_b.py': [Errno 2]"), "tests/a_b.py");
        assert_eq!(missing_file("No module named 'shop'"), "FILE");
        assert_eq!(missing_file("cat: /tmp/x: No such file, '/tmp/x'"), "FILE");
    }
}
