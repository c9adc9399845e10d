//! Verdicts without a search: from the reports of last night and of the last green run.

use hashbrown::HashMap;

use super::config::TriageConfig;
use super::report::Verdict;
use super::subject::Subject;
use crate::search::{Outcome, TestResult};

fn is(result: Option<&TestResult>, outcome: Outcome) -> bool {
    result.is_some_and(|result| result.outcome == outcome)
}

/// Returns the subjects: one for each test, and the build.
pub(super) fn subjects(config: &TriageConfig, groups: &mut Groups) -> Vec<Subject> {
    let quarantine: hashbrown::HashSet<&str> = config.quarantine.iter().map(String::as_str).collect();
    let mut subjects: Vec<Subject> = config.tests.iter().map(|id| subject(config, id, &quarantine, groups)).collect();
    let mut chosen = 0;
    // One test of each signature comes first, then the others.
    let mut seen = hashbrown::HashSet::new();
    let is_first: Vec<bool> =
        subjects.iter().map(|one| one.group.is_none_or(|group| one.listed.is_some() || seen.insert(group))).collect();
    for first in [true, false] {
        for (subject, _) in subjects.iter_mut().zip(&is_first).filter(|(_, is_first)| **is_first == first) {
            if subject.listed.is_none() {
                subject.listed = Some(Verdict::Undecided).filter(|_| chosen >= config.max_tests);
                chosen += 1;
            }
        }
    }
    subjects.push(Subject::new(None, false, !config.last.is_empty()));
    subjects
}

fn subject(config: &TriageConfig, id: &str, quarantine: &hashbrown::HashSet<&str>, groups: &mut Groups) -> Subject {
    let (tonight, last) = (config.tonight.get(id), config.last.get(id));
    let listed = if quarantine.contains(id) {
        Some(Verdict::Quarantined)
    } else if is(last, Outcome::Fail) {
        Some(if is(tonight, Outcome::Pass) { Verdict::Fixed } else { Verdict::FailedBefore })
    } else {
        None
    };
    let red = tonight.is_none_or(|result| result.outcome == Outcome::Fail);
    let mut subject = Subject::new(listed, red, is(last, Outcome::Pass));
    subject.is_unknown_before = !config.last.is_empty() && last.is_none();
    subject.signature = tonight.and_then(|result| result.signature.clone());
    subject.group = subject.signature.as_deref().map(|signature| groups.of(signature));
    subject
}

/// Returns the tests that only the reports name: fixed and removed ones, in the order of their ids.
pub(super) fn others(config: &TriageConfig) -> Vec<(&str, Verdict)> {
    let known: hashbrown::HashSet<&str> = config.tests.iter().map(String::as_str).collect();
    // The tests of a file that could not run have no results.
    let file = |id: &str| id.split_once("::").is_some_and(|(file, _)| is(config.tonight.get(file), Outcome::Fail));
    let verdict = |id: &String, last: &TestResult| match config.tonight.get(id) {
        None => Some(Verdict::Removed).filter(|_| !file(id)),
        tonight if last.outcome == Outcome::Fail && is(tonight, Outcome::Pass) => Some(Verdict::Fixed),
        Some(_) => None,
    };
    let last = config.last.iter().filter(|(id, _)| !config.tonight.is_empty() && !known.contains(&id[..]));
    last.filter_map(|(id, last)| Some((&id[..], verdict(id, last)?))).collect()
}

/// The signatures by number, in the order of their first use.
#[derive(Default)]
pub(super) struct Groups(HashMap<String, u32>);

impl Groups {
    /// Returns the number of a signature.
    pub(super) fn of(&mut self, signature: &str) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry_ref(signature).or_insert(next)
    }

    /// Whether no test has a signature.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
