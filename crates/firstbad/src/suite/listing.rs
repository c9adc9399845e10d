//! Verdicts without a search: from the reports of last night and of the last green run.

use hashbrown::HashMap;

use super::config::TriageConfig;
use super::report::Verdict;
use super::reports::Reports;
use super::subject::Subject;
use crate::search::{Outcome, TestResult};

fn is(result: Option<&TestResult>, outcome: Outcome) -> bool {
    result.is_some_and(|result| result.outcome == outcome)
}

/// Returns the subjects: one for each id, and the build.
pub(super) fn subjects(config: &TriageConfig, reports: &Reports, ids: &[String], groups: &mut Groups) -> Vec<Subject> {
    let quarantine: hashbrown::HashSet<&str> = config.quarantine.iter().map(String::as_str).collect();
    let tests: hashbrown::HashSet<&str> = reports.tests.iter().map(String::as_str).collect();
    let one = |id: &String| subject(reports, id, (tests.contains(&id[..]), quarantine.contains(&id[..])), groups);
    let mut subjects: Vec<Subject> = ids.iter().map(one).collect();
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
    subjects.push(Subject::new(None, false, !reports.last.is_empty()));
    subjects
}

fn subject(reports: &Reports, id: &str, (is_test, is_quarantined): (bool, bool), groups: &mut Groups) -> Subject {
    let (tonight, last) = (reports.tonight.get(id), reports.last.get(id));
    let listed = if !is_test {
        Some(Verdict::Removed)
    } else if is_quarantined {
        Some(Verdict::Quarantined)
    } else if is(last, Outcome::Fail) {
        Some(if is(tonight, Outcome::Pass) { Verdict::Fixed } else { Verdict::FailedBefore })
    } else {
        None
    };
    let red = tonight.is_none_or(|result| result.outcome == Outcome::Fail);
    let mut subject = Subject::new(listed, red, is(last, Outcome::Pass));
    subject.is_absent = !is_test;
    subject.is_unknown_before = !reports.last.is_empty() && last.is_none();
    subject.signature = tonight.and_then(|result| result.signature.clone());
    subject.group = subject.signature.as_deref().map(|signature| groups.of(signature));
    subject
}

/// Returns the tests that only the reports name: fixed and removed ones, in the order of their ids.
pub(super) fn others(reports: &Reports) -> Vec<(&str, Verdict)> {
    let known: hashbrown::HashSet<&str> = reports.tests.iter().map(String::as_str).collect();
    // The tests of a file that could not run have no results.
    let file = |id: &str| id.split_once("::").is_some_and(|(file, _)| is(reports.tonight.get(file), Outcome::Fail));
    let verdict = |id: &String, last: &TestResult| match reports.tonight.get(id) {
        None => Some(Verdict::Removed).filter(|_| !file(id)),
        tonight if last.outcome == Outcome::Fail && is(tonight, Outcome::Pass) => Some(Verdict::Fixed),
        Some(_) => None,
    };
    let last = reports.last.iter().filter(|(id, _)| !reports.tonight.is_empty() && !known.contains(&id[..]));
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
