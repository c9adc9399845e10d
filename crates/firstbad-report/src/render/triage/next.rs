//! The next steps after a triage.

use firstbad::{Status, TriageReport, Verdict, short};

use crate::render::next::{Step, for_reader, going_on, has_git, of_journal};
use crate::summary::Summary;

/// The number of culprits in one command.
const SHOWN: usize = 3;

/// Returns commands and advice, the most useful first.
pub(super) fn steps(summary: &Summary, report: &TriageReport) -> Vec<Step> {
    let mut steps = of_culprits(summary, report);
    let has = |verdict: Verdict| report.tests.iter().any(|test| test.verdict == verdict);
    let is_cut_off = matches!(report.status, Status::Running | Status::Budget | Status::Stopped);
    if let Some(journal) = summary.journal.as_ref().filter(|_| is_cut_off) {
        steps.push(going_on(summary, journal));
    }
    let mut advice = |words: &'static str| steps.push((None, words.into()));
    match report.status {
        Status::NotReproduced if !report.tests.is_empty() => {
            advice("run the whole suite there again. A test that fails only after other tests depends on their order");
        }
        Status::Untestable if report.culprits.is_empty() => advice("read the output of the build"),
        _ => {}
    }
    if has(Verdict::BrokenIn) {
        advice("make the candidates testable with --build, --setup, or --apply");
    }
    if has(Verdict::Environment) {
        advice("give each revision its own dependencies with --environment");
    }
    if has(Verdict::Undecided) && report.status == Status::TooFlaky {
        advice("make the undecided tests more reliable, or list them in a file for --quarantine");
    }
    for_reader(summary, steps)
}

/// Returns the commands about the first culprits.
fn of_culprits(summary: &Summary, report: &TriageReport) -> Vec<Step> {
    let shown: Vec<&str> = report.culprits.iter().take(SHOWN).map(|culprit| short(&culprit.commit)).collect();
    let Some(first) = shown.first().filter(|_| has_git(summary)) else { return Vec::new() };
    let show = (Some(format!("git show {}", shown.join(" "))), "".into());
    let explain = summary.journal.as_ref().map(|journal| {
        let command = of_journal(summary, "explain", journal);
        (Some(format!("{command} --culprit {first}")), "find the lines that matter".into())
    });
    std::iter::once(show).chain(explain).collect()
}
