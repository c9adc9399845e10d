//! The lines of Rust test binaries, as `cargo test` prints them, and their JSON lines.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;

use super::lines::numbered;
use crate::case::Case;
use crate::collector::Collector;
use crate::error::ResultsError;
use crate::limits::{LONGEST_ID, LONGEST_TEXT, MOST_CASES, append, cut};
use crate::runner::Runner;
use crate::signature::Failure;

/// Reads the lines of one or more test binaries.
///
/// # Errors
/// An error about a limit.
pub(crate) fn read(text: &str, collector: &mut Collector<'_>) -> Result<(), ResultsError> {
    collector.recognized(Runner::Cargo);
    let mut binary = Binary::default();
    for (_, line) in numbered(text) {
        let words = line.trim();
        if words.starts_with("Running ") || words.starts_with("Doc-tests ") {
            binary.end();
            binary.heading = heading(words);
            binary.has_headings = true;
        } else if words.strip_prefix("running ").is_some_and(|rest| rest.ends_with(" tests") || rest.ends_with(" test"))
        {
            // Captured output can contain this line.
            if binary.section != Section::Failures {
                binary.end();
                binary.start();
            }
        } else if words.starts_with("test result: ") {
            binary.section = Section::Done;
            binary.end();
        } else {
            binary.line(line, words)?;
        }
    }
    binary.finish(collector)
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Section {
    /// Before the first test.
    #[default]
    Start,
    Tests,
    /// The output of failed tests.
    Failures,
    Done,
}

/// The results of one test binary, after those of the binaries before.
#[derive(Default)]
struct Binary {
    finished: Vec<Case>,
    /// The heading that no binary has used.
    heading: Option<String>,
    has_headings: bool,
    /// Whether a binary has no heading. Then the standard error is not in order, and no binary has a name.
    has_lost_heading: bool,
    is_cut: bool,
    name: Option<String>,
    section: Section,
    cases: Vec<Case>,
    places: HashMap<String, usize>,
    /// The test whose output follows.
    current: Option<usize>,
    /// The test whose status follows its own output.
    unfinished: Option<usize>,
}

impl Binary {
    fn line(&mut self, line: &str, words: &str) -> Result<(), ResultsError> {
        if self.section == Section::Failures {
            let title = words.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" ----"));
            let name = title.and_then(|title| title.strip_suffix(" stdout").or_else(|| title.strip_suffix(" stderr")));
            if let Some(place) = name.and_then(|name| self.places.get(name)) {
                self.current = Some(*place);
            } else if words == "failures:" {
                self.current = None;
            } else if let Some(case) = self.current.and_then(|place| self.cases.get_mut(place)) {
                append(&mut case.failure.text, line, LONGEST_TEXT);
                append(&mut case.failure.text, "\n", LONGEST_TEXT);
            }
            return Ok(());
        }
        if words == "failures:" {
            self.section = Section::Failures;
        } else if words.starts_with('{') {
            self.json(words)?;
        } else if let Some((name, status)) = words.strip_prefix("test ").and_then(|rest| rest.split_once(" ... ")) {
            self.test(name, status)?;
        } else if let Some(name) = words.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ...")) {
            self.test(name, "")?;
        } else if let Some(case) = self.unfinished.and_then(|place| self.cases.get_mut(place)) {
            // With `--nocapture`, the status follows the output of the test.
            let status = words.rsplit(' ').next().unwrap_or_default();
            if let Some((passes, fails)) = counts(status) {
                (case.passes, case.fails) = (passes, fails);
                self.unfinished = None;
            }
        }
        Ok(())
    }

    fn test(&mut self, name: &str, status: &str) -> Result<(), ResultsError> {
        let kinds = [" - should panic", " - compile fail", " - compile"];
        let name = kinds.iter().find_map(|kind| name.strip_suffix(kind)).unwrap_or(name);
        let word = status.split([' ', ',']).next().unwrap_or_default();
        let place = self.add(name)?;
        match (counts(word), word) {
            (Some((passes, fails)), _) => {
                (self.cases[place].passes, self.cases[place].fails) = (passes, fails);
                self.cases[place].seconds = seconds(status);
            }
            (None, "ignored") => {
                self.cases[place].skipped = true;
                self.cases[place].failure.message =
                    status.trim_start_matches("ignored").trim_start_matches(", ").to_owned();
            }
            // A benchmark that ran has passed.
            (None, "bench:") => self.cases[place].passes = 1,
            (None, _) => self.unfinished = Some(place),
        }
        Ok(())
    }

    /// Adds a test without a result, or finds it.
    fn add(&mut self, name: &str) -> Result<usize, ResultsError> {
        if let Some(&place) = self.places.get(name) {
            return Ok(place);
        }
        if self.cases.len() + self.finished.len() == MOST_CASES {
            return Err(ResultsError::TooManyTests);
        }
        let place = self.cases.len();
        self.places.insert(name.to_owned(), place);
        self.cases.push(Case { name: name.to_owned(), ..Case::default() });
        Ok(place)
    }

    fn json(&mut self, line: &str) -> Result<(), ResultsError> {
        #[derive(Deserialize)]
        struct Line<'a> {
            #[serde(borrow, rename = "type")]
            kind: Cow<'a, str>,
            #[serde(borrow)]
            event: Cow<'a, str>,
            #[serde(borrow)]
            name: Cow<'a, str>,
            #[serde(borrow, default)]
            stdout: Cow<'a, str>,
            exec_time: Option<f64>,
        }
        let Ok(line) = serde_json::from_str::<Line<'_>>(line) else { return Ok(()) };
        if line.kind != "test" {
            return Ok(());
        }
        self.section = Section::Tests;
        let place = self.add(&line.name)?;
        let case = &mut self.cases[place];
        case.seconds = line.exec_time;
        (case.passes, case.fails) = counts(&line.event).unwrap_or((case.passes, case.fails));
        case.skipped = line.event == "ignored";
        append(&mut case.failure.text, &line.stdout, LONGEST_TEXT);
        Ok(())
    }

    /// Starts the tests of a binary.
    fn start(&mut self) {
        self.section = Section::Tests;
        self.name = self.heading.take();
        self.has_lost_heading |= self.name.is_none();
    }

    /// Ends the tests of a binary. A binary without a result line has crashed.
    fn end(&mut self) {
        let is_json = self.section == Section::Tests && self.cases.iter().all(|case| case.passes + case.fails > 0);
        self.is_cut |= !self.cases.is_empty() && self.section != Section::Done && !is_json;
        for case in &mut self.cases {
            case.class.clone_from(&self.name);
        }
        self.finished.append(&mut self.cases);
        self.places.clear();
        (self.section, self.current, self.unfinished) = (Section::Start, None, None);
    }

    /// Moves the results into the report.
    fn finish(mut self, collector: &mut Collector<'_>) -> Result<(), ResultsError> {
        self.end();
        if self.is_cut {
            collector.is_cut();
        }
        for mut case in self.finished {
            if self.has_headings && self.has_lost_heading {
                case.class = None;
            }
            if case.fails > 0 && case.failure.text.trim_start().starts_with("Error: ") {
                // The error that a test returned.
                case.failure = Failure { message: case.failure.text.trim().to_owned(), ..Failure::default() };
            }
            collector.push(case)?;
        }
        Ok(())
    }
}

fn counts(status: &str) -> Option<(u32, u32)> {
    match status {
        "ok" => Some((1, 0)),
        "FAILED" | "failed" => Some((0, 1)),
        _ => None,
    }
}

/// Parses the time of `ok <0.012s>`.
fn seconds(status: &str) -> Option<f64> {
    status.split_once('<')?.1.split_once("s>")?.0.parse().ok()
}

/// Returns the name of a binary: `Running unittests src/lib.rs (target/debug/deps/shop-0123456789abcdef)`, `Doc-tests shop`.
fn heading(words: &str) -> Option<String> {
    if let Some(name) = words.strip_prefix("Doc-tests ") {
        return Some(format!("{}::doc", cut(name.trim(), LONGEST_ID)));
    }
    let path =
        words.rsplit_once('(').map(|(_, path)| path.trim_end_matches(')')).or_else(|| words.split('`').nth(1))?;
    let file = path.split(' ').next()?.rsplit(['/', '\\']).next()?.trim_end_matches(".exe");
    let name = file.rsplit_once('-').filter(|(_, hash)| hash.len() == 16).map_or(file, |(name, _)| name);
    Some(cut(name, LONGEST_ID).to_owned()).filter(|name| !name.is_empty())
}
