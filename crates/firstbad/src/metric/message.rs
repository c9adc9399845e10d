//! Sentences about a change in numbers.

use super::report::{ChangeConclusion, ChangeReport, Step};
use super::rule::Why;
use super::units::{amount, percent};
use crate::search::Status;
use crate::words::printable::short;

/// Returns the result in one or two sentences.
pub(super) fn message(report: &ChangeReport) -> String {
    let ends = ends(report);
    match (report.status, report.main.conclusion) {
        (Status::Running | Status::Budget | Status::Stopped, _) => {
            let state = match report.status {
                Status::Budget => "stopped by the budget",
                Status::Stopped => "stopped",
                _ => "running",
            };
            let measured = count(report.measurements, "measurement");
            let likely = best_guess(report).map(|guess| format!(", {guess}")).unwrap_or_default();
            match ends {
                Some(ends) => format!("{state} after {measured}: {ends}{likely}"),
                None => state.to_owned(),
            }
        }
        (Status::Untestable, _) => match report.unresolved.contains(&report.bad) {
            true => format!("the bad revision {} has no number", short(&report.bad)),
            false => format!("the good revision {} has no number", good(report)),
        },
        (_, ChangeConclusion::Step | ChangeConclusion::Several) => {
            report.main.steps.iter().map(|step| stepped(report, step)).collect::<Vec<_>>().join(", ")
        }
        (_, ChangeConclusion::Spread) => {
            let largest = report
                .main
                .largest
                .as_ref()
                .map(|step| format!(". The largest measured step: {}", stepped(report, step)));
            format!("no single commit: {}{}", ends.unwrap_or_default(), largest.unwrap_or_default())
        }
        (_, ChangeConclusion::None) => {
            format!("no change of at least {}: {}", report.main.at_least, ends.unwrap_or_default())
        }
        (_, ChangeConclusion::Set) => {
            let candidates = count(report.main.candidates.len() as u64, "commit");
            format!("one of {candidates} changed the number: {}", ends.unwrap_or_default())
        }
        (_, ChangeConclusion::Undecided) => {
            let guess = best_guess(report).map(|guess| format!(", {guess}")).unwrap_or_default();
            let measured = count(report.measurements, "measurement");
            format!("undecided after {measured}: {}{guess}", ends.unwrap_or_default())
        }
    }
}

/// Returns the best result so far, with one line for each step.
pub(super) fn best(report: &ChangeReport, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
    let steps =
        report.main.steps.iter().map(|step| format!("{} changed the number{}", named(&step.commit), by(report, step)));
    steps.collect()
}

/// Returns warnings about the result.
pub(super) fn warnings(report: &ChangeReport) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some((noise, before)) = report.main.noise.zip(report.main.before)
        && let Some(rebuild) = noise.rebuild
        && let Some(change) =
            report.main.steps.first().map(|step| step.change.abs()).or(report.main.change.map(f64::abs))
        && before > 0.0
        && rebuild > 0.5 * change
    {
        let differ = percent(100.0 * rebuild / before);
        warnings.push(format!(
            "two builds of the same revision differ by {differ}, so a change of that size can be chance"
        ));
    }
    warnings
}

/// Returns the reason for a measurement.
pub(super) fn reason(why: Why) -> &'static str {
    match why {
        Why::Start => "the endpoints are measured first",
        Why::Ends => "it is not clear yet whether the endpoints differ",
        Why::Control => "it shows whether the machine drifts",
        Why::Side => "the likely change needs more measurements on this side",
        Why::Halves => "the suspects halve here",
        Why::Verify => "the likely culprit and its parents need more measurements",
        Why::Rest => "it shows whether another commit changed the number",
    }
}

/// Returns the numbers at the endpoints.
fn ends(report: &ChangeReport) -> Option<String> {
    let (before, after) = (report.main.before?, report.main.after?);
    let unit = report.main.unit.as_deref();
    let (good, bad) = (good(report), short(&report.bad));
    Some(format!("{} at {good}, {} at {bad}", amount(before, unit), amount(after, unit)))
}

fn good(report: &ChangeReport) -> &str {
    report.good.first().map_or("", |good| short(good))
}

fn stepped(report: &ChangeReport, step: &Step) -> String {
    format!("{} changed the number{}", short(&step.commit), by(report, step))
}

/// Returns the size of a step: ` from 36.7 ms to 126 ms (+243%)`.
fn by(report: &ChangeReport, step: &Step) -> String {
    let unit = report.main.unit.as_deref();
    let least = if step.censored { "at least " } else { "" };
    let relative = step.percent.map(|share| format!(" ({})", signed(share))).unwrap_or_default();
    format!(" from {} to {least}{}{relative}", amount(step.before, unit), amount(step.after, unit))
}

fn signed(share: f64) -> String {
    if share < 0.0 { percent(share) } else { format!("+{}", percent(share)) }
}

fn best_guess(report: &ChangeReport) -> Option<String> {
    let best = report.main.candidates.first()?;
    let likely = percent((100.0 * best.probability).round());
    Some(format!("likely {} ({likely})", short(best.revision.as_deref()?)))
}

fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
