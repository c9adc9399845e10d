//! Sentences about a triage.

use super::report::{TestVerdict, TriageReport, Verdict};
use crate::search::Status;
use crate::words::printable::short;

/// Returns the result in one or two sentences.
pub(super) fn message(report: &TriageReport, bad: &str) -> String {
    let bad = short(bad);
    let counts = counts(report);
    match report.status {
        Status::Running => match &counts[..] {
            [] => "running".to_owned(),
            counts => format!("running: {} so far", counts.join(", ")),
        },
        Status::Untestable if report.tests.is_empty() => format!("no test has a result at {bad}"),
        Status::Untestable => match report.culprits.first() {
            Some(culprit) => format!("{bad} cannot be built: {} broke the build", culprit.commit),
            None => format!("{bad} cannot be built, and no commit was found that broke the build"),
        },
        Status::NotReproduced if report.tests.is_empty() => format!("no test fails at {bad}"),
        Status::NotReproduced => format!("no failure of {bad} was reproduced: {}", counts.join(", ")),
        Status::GoodEndFails => format!("every test of {bad} also fails at the good revision on this machine"),
        Status::Budget | Status::Stopped => {
            let stopped = if report.status == Status::Budget { "stopped by the budget" } else { "stopped" };
            if counts.is_empty() { stopped.to_owned() } else { format!("{stopped}: {}", counts.join(", ")) }
        }
        _ => counts.join(", "),
    }
}

/// Returns the best result so far, with one line for each culprit.
pub(super) fn best(report: &TriageReport, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
    let line = |culprit: &super::report::TriageCulprit| {
        format!("{} broke {}", named(&culprit.commit), tests(culprit.tests.len()))
    };
    report.culprits.iter().map(line).collect()
}

/// Returns the reason for a probe at a revision.
pub(super) fn reason(why: Why) -> String {
    match why {
        Why::Bad(count) => format!("{} failed there before", tests(count)),
        Why::Good(count) => format!("{} must pass at the good revision", tests(count)),
        Why::Due(count) => format!("the likely culprit of {} needs this run", tests(count)),
        Why::Halves(count, groups) if groups > 1 => format!("{} of {groups} groups halve here", tests(count)),
        Why::Halves(count, _) => format!("the suspects of {} halve here", tests(count)),
        Why::Suite { at_bad: true } => "the failing tests are not known yet".to_owned(),
        Why::Suite { at_bad: false } => "the results at the good revision are not known yet".to_owned(),
        Why::Build => "it narrows down the commit that broke the build".to_owned(),
    }
}

/// The reason for a probe, with the number of its tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    Bad(usize),
    Good(usize),
    Due(usize),
    /// The number of tests and the number of their signatures.
    Halves(usize, usize),
    Build,
    /// The whole suite runs.
    Suite {
        at_bad: bool,
    },
}

fn tests(count: usize) -> String {
    if count == 1 { "1 test".to_owned() } else { format!("{count} tests") }
}

/// Returns the number of tests by verdict, as phrases.
fn counts(report: &TriageReport) -> Vec<String> {
    let of = |verdicts: &[Verdict]| report.tests.iter().filter(|test| verdicts.contains(&test.verdict)).count();
    let named = |test: &&TestVerdict| test.culprit.is_some();
    let broken = report.tests.iter().filter(named).count();
    let commits = report.culprits.len();
    let by = if commits == 1 { "1 commit".to_owned() } else { format!("{commits} commits") };
    let parts = [
        (broken, format!("broken by {by}")),
        (of(&[Verdict::BrokenIn]), "broken by one of several commits".to_owned()),
        (of(&[Verdict::Flaky]), "flaky".to_owned()),
        (of(&[Verdict::Environment]), "failing at the good revision on this machine".to_owned()),
        (of(&[Verdict::FailedBefore]), "failing before".to_owned()),
        (of(&[Verdict::Quarantined]), "in quarantine".to_owned()),
        (of(&[Verdict::Infra]), "without a result".to_owned()),
        (of(&[Verdict::Undecided]), "undecided".to_owned()),
    ];
    let phrases = parts.into_iter().filter(|(count, _)| *count > 0);
    phrases.map(|(count, words)| format!("{} {words}", tests(count))).collect()
}
