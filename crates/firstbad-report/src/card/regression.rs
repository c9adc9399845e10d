//! The card of a regression search.

use firstbad::regression::{RegressionPoint, RegressionReport};
use firstbad::search::{Outcome, Status};
use firstbad::{Find, Report};

use super::context::Context;
use super::element::{
    OTHER_FAILURE, capital, code, details, facts, headline, id, listed, section, sentence, sign, text, warnings,
};
use super::figures::{author, count, number, seconds, words};
use super::{certainty, history, progress, runs};
use crate::draw::letter;

/// The largest number of named bad revisions.
const ENDS: usize = 5;
/// The largest number of suspects that are not folded.
const OPEN: usize = 12;
/// The largest number of suspects that are listed.
const SUSPECTS: usize = 300;
/// The largest number of listed causes.
const CAUSES: usize = 50;

/// Returns the label and the body of the card.
pub(super) fn card(report: &RegressionReport, whole: &Report, context: &Context) -> (&'static str, String) {
    if report.status == Status::Running {
        return ("Search in progress", progress::card(report, whole, context));
    }
    let blamed: Vec<&str> = report.points.iter().map(RegressionPoint::newer).collect();
    let runs = runs::table(&report.observations, &blamed, context);
    let graph = graph(whole, context);
    let notes = warnings(&report.warnings);
    let is_answer = report.status != Status::GoodEndFails;
    match &report.points[..] {
        [point] if is_answer => {
            let head = one(point, report, whole, context);
            // A few runs are evidence that readers want first. A long table goes last.
            let body = if report.observations.len() <= 12 { runs + &graph } else { graph + &runs };
            ("Regression report", head + &notes + &body)
        }
        [_, ..] if is_answer => {
            let head = several(report, whole, context);
            ("Regression report, several branches", head + &notes + &graph + &runs)
        }
        _ => ("Regression report", nobody(report, whole, context) + &notes + &runs + &graph),
    }
}

/// Returns the past participle for the change of the outcome.
fn verb(find: Find) -> &'static str {
    match find {
        Find::Regression => "broken",
        Find::Fix => "fixed",
    }
}

fn outcome(find: Find) -> Outcome {
    match find {
        Find::Regression => Outcome::Fail,
        Find::Fix => Outcome::Pass,
    }
}

/// Returns a commit with its subject.
fn commit(name: &str, context: &Context) -> String {
    let subject = context.subject(name).map_or(String::new(), |subject| format!(" {}", text(subject)));
    format!("{}{subject}", id(name))
}

fn one(point: &RegressionPoint, report: &RegressionReport, whole: &Report, context: &Context) -> String {
    let verb = verb(point.find);
    let what = match point.candidates.len() {
        _ if point.older().is_none() => "no earlier commit has another outcome".to_owned(),
        _ if point.outside_paths => format!("{verb} at the latest by"),
        0 if point.probability.is_some() => format!("most likely {verb} by"),
        0 => format!("{verb} by"),
        1 => format!("perhaps {verb} by"),
        many => {
            let perhaps = if point.probability.is_some() { "perhaps " } else { "" };
            format!("{perhaps}{verb} by one of {many} commits, the last of them")
        }
    };
    let answer = format!("{} {}", sign(outcome(point.find)), commit(point.newer(), context));
    let below = context.commit(point.newer()).map(author).unwrap_or_default();
    let breaks = match point.find {
        Find::Regression => "Breaks",
        Find::Fix => "Fixes",
    };
    let same: Vec<String> = point.same_change.iter().map(|name| commit(name, context)).collect();
    let facts = facts([
        (breaks, Some(on(point, context))),
        ("Same change", (!same.is_empty()).then(|| same.join(", "))),
        ("How certain", Some(certainty::of_point(point, &report.leaves, context))),
        ("Cost", Some(cost(report, whole, context))),
    ]);
    headline(&capital(&what), &answer, &below) + &facts + &suspects(point, context)
}

/// Returns the tests and the bad revisions.
fn on(point: &RegressionPoint, context: &Context) -> String {
    let ends: Vec<String> = point.leaves.iter().map(|leaf| context.end(leaf)).collect();
    let ends = listed(&ends, ENDS);
    let tests: Vec<String> = context.tests.iter().map(|test| code(test)).collect();
    if tests.is_empty() { ends } else { format!("{} on {ends}", listed(&tests, 3)) }
}

/// Returns the candidates, newest first.
fn suspects(point: &RegressionPoint, context: &Context) -> String {
    if point.candidates.len() < 2 {
        return String::new();
    }
    let row = |name: &String| {
        let subject = text(context.subject(name).unwrap_or_default());
        let sign = if context.others.contains(name) { OTHER_FAILURE.0 } else { "○" };
        format!("<tr><td>{sign} {}</td><td class=\"fb-w\">{subject}</td></tr>", id(name))
    };
    let rows: Vec<String> = point.candidates.iter().rev().take(SUSPECTS).map(row).collect();
    let more = match point.candidates.len().saturating_sub(SUSPECTS) {
        0 => String::new(),
        more => format!("<p class=\"fb-m\">and {} older ones</p>", number(more as u64)),
    };
    let table = format!("<table><tbody>{}</tbody></table>{more}\n", rows.concat());
    match point.candidates.len() {
        ..=OPEN => section("Suspects, newest first") + &table,
        many => details(&format!("All {}, newest first", count(many as u64, "suspect")), &table),
    }
}

/// Returns the commit of a point and the number of other candidates.
fn named(point: &RegressionPoint) -> String {
    match point.candidates.len() {
        0 | 1 if !point.outside_paths => id(point.newer()),
        0..=2 => format!("{}<br><span class=\"fb-m\">or another one</span>", id(point.newer())),
        many => format!("{}<br><span class=\"fb-m\">or one of {} others</span>", id(point.newer()), words(many - 1)),
    }
}

/// Returns the cost of the search.
fn cost(report: &RegressionReport, whole: &Report, context: &Context) -> String {
    let runs = count(report.runs, "run");
    let of = context.graph.as_ref().map_or(String::new(), |graph| {
        let marks = history::marks(graph, whole, context);
        format!(" for {}", count(history::size(graph, &marks) as u64, "commit"))
    });
    let time = runs::time(&report.observations).map_or(String::new(), |time| format!(", {}", seconds(time)));
    format!("{runs}{of}{time}")
}

fn several(report: &RegressionReport, whole: &Report, context: &Context) -> String {
    let find = report.points.first().map_or(Find::Regression, |point| point.find);
    let many = report.points.len();
    let failing = report.leaves.iter().filter(|leaf| !leaf.points.is_empty()).count();
    let ends = if find == Find::Regression { "red" } else { "green" };
    let branches = if failing == 1 { "branch" } else { "branches" };
    // With several candidates, the number of culprits is unknown.
    let is_named = |point: &RegressionPoint| point.candidates.is_empty() && point.older().is_some();
    let what = match report.points.iter().all(is_named) {
        true => format!("{} by {} commits", capital(verb(find)), words(many)),
        false => format!("{} in {} places", capital(verb(find)), words(many)),
    };
    let answer = format!("{} {many} causes on {failing} {ends} {branches}", sign(outcome(find)));
    let certain = capital(&certainty::of_all(&report.points, &report.leaves));
    let below = format!("{}. {}", sentence(&certain), cost(report, whole, context));
    let row = |(place, point): (usize, &RegressionPoint)| {
        let letter = letter(place).map_or_else(|| (place + 1).to_string(), String::from);
        let ends: Vec<String> = point.leaves.iter().map(|leaf| context.end(leaf)).collect();
        let subject = match context.commit(point.newer()) {
            Some(commit) => format!(
                "<b style=\"font-weight:600\">{}</b><br><span class=\"fb-m\">{}</span>",
                text(&commit.subject),
                author(commit)
            ),
            None => String::new(),
        };
        let how = certainty::of_point(point, &report.leaves, context);
        let level = how.split(':').next().unwrap_or_default();
        let sign = sign(outcome(point.find));
        format!(
            "<tr><td>{sign} <b>{letter}</b></td><td>{}</td><td class=\"fb-w\">{subject}</td>\
             <td style=\"white-space:normal;min-width:130px\">{}</td><td class=\"fb-q\">{level}</td></tr>",
            named(point),
            listed(&ends, ENDS),
        )
    };
    let rows: Vec<String> = report.points.iter().enumerate().take(CAUSES).map(row).collect();
    let breaks = if find == Find::Regression { "Breaks" } else { "Fixes" };
    format!(
        "{}<div style=\"height:12px\"></div>\n<table class=\"fb-t\"><thead><tr><th>Cause</th><th>Commit</th><th>Subject</th>\
         <th>{breaks}</th><th class=\"fb-q\">How certain</th></tr></thead><tbody>{}</tbody></table>\n",
        headline(&what, &answer, &below),
        rows.concat()
    )
}

/// Returns the headline of a search without a culprit.
fn nobody(report: &RegressionReport, whole: &Report, context: &Context) -> String {
    let answer = match &report.flakes()[..] {
        [_, ..] if report.leaves.len() == 1 => "The failure was probably a flake",
        _ => super::outcome::of_regression(report.status, report.find),
    };
    let facts = facts([("Cost", Some(cost(report, whole, context)))]);
    headline("No answer", &format!("○ {answer}"), &sentence(&capital(&report.message))) + &facts
}

/// Returns the picture of the history with all outcomes.
fn graph(whole: &Report, context: &Context) -> String {
    let Some(graph) = &context.graph else { return String::new() };
    let marks = history::marks(graph, whole, context);
    let name = match (&marks.edges[..], &marks.suspects[..], marks.find) {
        ([], [], _) => "Status",
        (_, _, Find::Regression) => "Culprits",
        (_, _, Find::Fix) => "Fixes",
    };
    section(name) + &history::picture(graph, &marks)
}
