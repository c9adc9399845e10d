//! The table of runs.

use firstbad::search::{Outcome, Target, TargetObservation};
use firstbad::with_short_ids;

use super::context::Context;
use super::element::{OTHER_FAILURE, details, id, section, sign, text, verb};
use super::figures::{count, seconds};
use crate::draw::{cut, escaped};

/// The largest number of runs that are not folded.
const OPEN: usize = 12;
/// The largest number of listed runs, to keep notebooks small.
const MOST: usize = 300;

/// Returns the total time of the runs in seconds, if it was measured.
pub(super) fn time(observations: &[TargetObservation]) -> Option<f64> {
    let times: Vec<f64> = observations.iter().filter_map(|one| one.observation.seconds).collect();
    (!times.is_empty()).then(|| times.iter().sum())
}

/// Returns the table of runs. Long tables are folded, and rows of `answers` are bold.
pub(super) fn table(observations: &[TargetObservation], answers: &[&str], context: &Context) -> String {
    if observations.is_empty() {
        return String::new();
    }
    let has_subjects = observations.iter().any(|one| subject(&one.target, context).is_some());
    let has_times = observations.iter().any(|one| one.observation.seconds.is_some());
    let is_history = observations.iter().any(|one| one.target.revision.is_some());
    let what = if is_history { "Commit" } else { "Changes" };
    let mut head = format!("<th class=\"fb-n\">Run</th><th>Outcome</th><th>{what}</th>");
    head += if has_subjects { "<th>Subject</th>" } else { "" };
    head += if has_times { "<th class=\"fb-n fb-q\">Time</th>" } else { "" };
    let rows: Vec<String> = TargetObservation::with_runs(observations)
        .take(MOST)
        .map(|(run, one)| row(run, one, answers, context, (has_subjects, has_times)))
        .collect();
    let table = format!("<table><thead><tr>{head}</tr></thead><tbody>{}</tbody></table>\n", rows.concat());
    if observations.len() <= OPEN {
        return section("Runs") + &table;
    }
    let is_run = |(run, _): (Option<u64>, _)| run.is_some();
    let what = if TargetObservation::with_runs(observations).all(is_run) { "run" } else { "outcome" };
    let summary = match observations.len() {
        all if all <= MOST => format!("All {}, in order", count(all as u64, what)),
        all => format!("The first {MOST} of {}, in order", count(all as u64, what)),
    };
    details(&summary, &table)
}

fn subject<'a>(target: &Target, context: &'a Context) -> Option<&'a str> {
    context.subject(target.revision.as_deref()?)
}

fn row(
    run: Option<u64>,
    one: &TargetObservation,
    answers: &[&str],
    context: &Context,
    (has_subjects, has_times): (bool, bool),
) -> String {
    let observation = &one.observation;
    let run = run.map_or("known".to_owned(), |run| run.to_string());
    let runs = match (observation.passes.unwrap_or(0), observation.fails.unwrap_or(0)) {
        (0, 0) => String::new(),
        (passes, fails) => format!(", {fails} of {} failed", u64::from(passes) + u64::from(fails)),
    };
    let why = observation.note.as_deref().or(observation.signature.as_deref());
    let title = why.map_or(String::new(), |why| format!(" title=\"{}\"", escaped(&cut(&with_short_ids(why), 300))));
    let is_answer = one.target.revision.as_deref().is_some_and(|revision| answers.contains(&revision));
    let bold = if is_answer { " class=\"fb-b\"" } else { "" };
    let target = match (&one.target.revision, &one.target.changes) {
        (Some(revision), Some(changes)) if !changes.is_empty() => {
            let with = count(changes.len() as u64, "change");
            format!("{} <span class=\"fb-m\">with {with}</span>", id(revision))
        }
        (Some(revision), _) => id(revision),
        (None, Some(changes)) if changes.is_empty() => "none".to_owned(),
        (None, Some(changes)) => format!("<code>{}</code>", text(&cut(&changes.to_string(), 60))),
        (None, None) => String::new(),
    };
    let fills = if has_subjects { "" } else { " class=\"fb-w\"" };
    let is_other = one.target.revision.as_ref().is_some_and(|revision| context.others.contains(revision));
    let (sign, verb) = match observation.outcome {
        Outcome::Fail if is_other => OTHER_FAILURE,
        outcome => (sign(outcome), verb(outcome)),
    };
    let seen = format!("{sign} {verb}{runs}");
    let mut cells = format!("<td class=\"fb-n\">{run}</td><td{title}>{seen}</td><td{fills}>{target}</td>");
    if has_subjects {
        cells += &format!("<td class=\"fb-w\">{}</td>", text(subject(&one.target, context).unwrap_or_default()));
    }
    if has_times {
        let time = observation.seconds.map_or(String::new(), seconds);
        cells += &format!("<td class=\"fb-n fb-q\">{time}</td>");
    }
    format!("<tr{bold}>{cells}</tr>")
}
