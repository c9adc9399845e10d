//! The message of a culprit report.

use super::inseparable::Inseparable;
use super::report::{Conclusion, CulpritReport, MissingRun, Reason};
use crate::belief::{RunCounts, percent};
use crate::option;
use crate::search::Outcome;

/// Facts for the message that the report does not have.
pub(super) struct Context<'a> {
    /// The bad revision and its runs.
    pub(super) bad: &'a str,
    pub(super) at_bad: RunCounts,
    /// A good revision that never passed, and the number of its failures.
    pub(super) failing_good: Option<(&'a str, u32)>,
    /// Whether the caller gave this revision. If not, it is a root, assumed to pass by default.
    pub(super) is_good_given: bool,
    /// Whether the caller gave the rates.
    pub(super) is_rate_given: bool,
    /// The inseparable suspects, if they are the result.
    pub(super) inseparable: Option<&'a Inseparable>,
    /// The number of unresolved outcomes.
    pub(super) unresolved: usize,
    /// A suspect that has reached the confidence but lacks outcomes.
    pub(super) unproven: Option<&'a str>,
    /// Whether the requested verification failed because of an unresolved revision.
    pub(super) is_unverified: bool,
}

/// A warning about a culprit that touches none of the given paths.
pub(super) fn outside_paths(culprit: &str) -> String {
    format!("{culprit} touches none of the paths. The culprit may be an earlier commit that was not considered")
}

/// The message for a report that is complete except for the message.
pub(super) fn message(report: &CulpritReport, context: &Context<'_>) -> String {
    let mut message = match report.reason {
        Reason::Running => format!("not finished. Most likely so far: {}", candidates(report)),
        Reason::Budget => format!("the budget is used up. Most likely so far: {}", candidates(report)),
        Reason::Stopped => format!("stopped. Most likely so far: {}", candidates(report)),
        Reason::Confident => match &report.culprit {
            Some(culprit) => format!("the culprit is {culprit} with probability {}", percent(report.probability)),
            None => flake(report, context),
        },
        Reason::Bisected => {
            let who = report.culprit.as_deref().unwrap_or("a flake");
            let odds = percent(report.probability);
            format!("bisection leaves {who}, with probability {odds}")
        }
        Reason::Inseparable => {
            let suspects = context.inseparable.map_or(0, |set| set.places.len());
            let flake = if context.inseparable.is_some_and(|set| set.nobody) { ", or a flake" } else { "" };
            let candidates = candidates(report);
            format!(
                "the culprit is one of {suspects} suspects{flake}, because the revisions that could decide are unresolved: {candidates}"
            )
        }
        Reason::Unproven => unproven(report, context),
        Reason::Contradictory => contradiction(report, context),
        Reason::TooFlaky => too_flaky(report),
        Reason::GoodEndFails => {
            let (good, fails) = context.failing_good.unwrap_or_default();
            let why = if context.is_good_given { "was given as good" } else { "was assumed to pass" };
            format!("{good} {why}, but failed in {}", all_of(fails))
        }
    };
    add_doubts(&mut message, report, context);
    message
}

/// The most probable result so far, empty before the first run.
pub(super) fn best(report: &CulpritReport, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
    let likeliest = report.credible_set.first().filter(|one| report.runs > 0 && one.probability >= LIKELY);
    let Some(likeliest) = likeliest else { return Vec::new() };
    let odds = percent(likeliest.probability);
    vec![match &likeliest.revision {
        Some(revision) => format!("the most likely culprit is {} ({odds})", named(revision)),
        None => format!("most likely a flake ({odds})"),
    }]
}

/// Less probable hypotheses are not shown as a result.
const LIKELY: f64 = 0.01;

/// The number of candidates to show.
const NAMED: usize = 5;

/// The most probable hypotheses.
fn candidates(report: &CulpritReport) -> String {
    let name = |revision: &Option<String>| revision.as_deref().unwrap_or("no culprit").to_owned();
    let shown = report.credible_set.iter().take(NAMED);
    let names: Vec<String> =
        shown.map(|one| format!("{} ({})", name(&one.revision), percent(one.probability))).collect();
    let more = match (report.credible_set.len() - names.len(), report.reason) {
        (0, _) => String::new(),
        (_, Reason::Running) => " and others".to_owned(),
        (more, _) => format!(" and {more} more"),
    };
    names.join(", ") + &more
}

/// The message for a probable suspect that lacks outcomes.
fn unproven(report: &CulpritReport, context: &Context<'_>) -> String {
    let suspect = context.unproven.unwrap_or_default();
    let odds = percent(report.probability);
    let lacks = match &report.missing[..] {
        [] => "it has no parent that could pass".to_owned(),
        missing => format!("{}, and no run can show it", unseen(missing)),
    };
    format!("no culprit found. The most likely is {suspect} ({odds}), but it is not proved, because {lacks}")
}

/// Lists the missing outcomes.
fn unseen(missing: &[MissingRun]) -> String {
    let one = |run: &MissingRun| match run.outcome {
        Outcome::Pass => format!("no run of {} passed", run.revision),
        _ => format!("no run of {} failed", run.revision),
    };
    missing.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The message for a flake.
fn flake(report: &CulpritReport, context: &Context<'_>) -> String {
    let odds = percent(report.probability);
    // With false passes, one pass does not prove a flake, and no run shows their rate.
    let assumed = if report.false_pass_rate == 0.0 { ", if bad revisions never pass" } else { "" };
    if context.at_bad.runs() > 0 && context.at_bad.fails == 0 {
        let (bad, runs) = (context.bad, times(context.at_bad.runs()));
        return format!(
            "no culprit found. {bad} did not fail again in {runs}, so its failure was a flake with probability {odds}{assumed}"
        );
    }
    format!("no culprit found. The failure was a flake with probability {odds}{assumed}")
}

/// The message for outcomes that no single culprit explains.
fn contradiction(report: &CulpritReport, context: &Context<'_>) -> String {
    let unlikely = match report.healthy_runs {
        runs if runs.fails > 0 => {
            format!(" ({} of {} at revisions that would be good failed)", runs.fails, times(runs.runs()))
        }
        _ => String::new(),
    };
    let rate = percent(report.flake_rate);
    let instead = if context.is_rate_given {
        concat!("The test may be flakier (try ", option!(flake_rate = "estimate"), ")")
    } else {
        "The test may be flakier than firstbad expects"
    };
    format!(
        "the outcomes fit no single culprit at a flake rate of {rate}{unlikely}. {instead}, or there are several culprits (try {} with \
         {})",
        option!(find_regressions),
        option!(search = "bayes")
    )
}

/// The message for a test that is too flaky.
fn too_flaky(report: &CulpritReport) -> String {
    let (flake, false_pass) = (percent(report.flake_rate), percent(report.false_pass_rate));
    format!(
        "the test is too flaky: good revisions fail in about {flake} of their runs, and bad revisions pass in {false_pass}. Make the \
         test more reliable, or let each probe run it many times. Most likely so far: {}",
        candidates(report)
    )
}

/// Appends doubts about the conclusion.
fn add_doubts(message: &mut String, report: &CulpritReport, context: &Context<'_>) {
    if report.reason != Reason::Unproven && !report.missing.is_empty() {
        message.push_str(&format!(". Not proved yet, because {}", unseen(&report.missing)));
    }
    if context.unresolved > 0 && report.conclusion != Conclusion::Culprit {
        let unresolved = context.unresolved;
        let plural = if unresolved == 1 { "" } else { "s" };
        message.push_str(&format!(". {unresolved} run{plural} unresolved"));
    }
    if context.is_unverified && report.conclusion != Conclusion::Inconclusive {
        message.push_str(". Not verified, because a revision that it depends on is unresolved");
    }
    if !report.rates_consistent && report.reason != Reason::Contradictory {
        let (flake, false_pass) = (percent(report.flake_rate), percent(report.false_pass_rate));
        message.push_str(&format!(
            ". The given rates do not fit the outcomes: good revisions fail in about {flake} of their runs, and bad revisions pass in \
             {false_pass}"
        ));
    }
    if let Some(failures) = report.failure_streak {
        message.push_str(&format!(
            ". {failures} good revisions in a row failed, so something outside the code may have failed for a while"
        ));
    }
}

fn times(runs: u32) -> String {
    if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") }
}

fn all_of(fails: u32) -> String {
    if fails == 1 { "its only run".to_owned() } else { format!("all of its {fails} runs") }
}
