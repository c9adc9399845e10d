//! The card of an unfinished regression search.

use firstbad::regression::RegressionReport;
use firstbad::search::Outcome;
use firstbad::{Find, Report};

use super::certainty::verbs;
use super::context::Context;
use super::element::{facts, headline, id, section, sign, text};
use super::figures::{count, number, seconds};
use super::{history, runs};

/// Returns the body of the card.
pub(super) fn card(report: &RegressionReport, whole: &Report, context: &Context) -> String {
    let marked = context.graph.as_deref().map(|graph| (graph, history::marks(graph, whole, context)));
    let parts = marked.as_ref().zip(context.suspects.as_ref());
    let parts = parts.map(|((graph, marks), suspects)| history::parts(graph, marks, suspects));
    let find = report.points.first().map_or(Find::Regression, |point| point.find);
    let mut body = head(report, parts, context)
        + &parts.map(|parts| strip(parts, find)).unwrap_or_default()
        + &known(report, context);
    if let Some((graph, marks)) = marked {
        body += &(section("Status") + &history::picture(graph, &marks));
    }
    body + &runs::table(&report.observations, &[], context)
}

fn head(report: &RegressionReport, parts: Option<[usize; 3]>, context: &Context) -> String {
    let left = match parts {
        Some([cleared, suspects, after]) => {
            let all = (cleared + suspects + after) as u64;
            format!("◌ {} left of {}", count(suspects as u64, "suspect"), count(all, "commit"))
        }
        None => "◌ The search has not finished".to_owned(),
    };
    let mut below = format!("{} so far", count(report.runs, "run"));
    if let Some(forecast) = context.forecast {
        below += &format!(", about {} to go", number(forecast.likely.runs));
    }
    if let Some(time) = runs::time(&report.observations) {
        below += &format!("; {}", seconds(time));
    }
    headline("Searching", &left, &below)
}

/// Returns the last pass, the last failure, and the running tests.
fn known(report: &RegressionReport, context: &Context) -> String {
    let last = |outcome: Outcome| {
        let seen = report.observations.iter().rev().find(|one| one.observation.outcome == outcome)?;
        Some(named(seen.target.revision.as_deref()?, context))
    };
    let running: Vec<String> = context.running.iter().take(4).map(|name| named(name, context)).collect();
    let running = (!running.is_empty()).then(|| running.join("<br>"));
    let (before, _) = verbs(report.points.first().map_or(Find::Regression, |point| point.find));
    let (before, after) = match before {
        "passes" => (Outcome::Pass, Outcome::Fail),
        _ => (Outcome::Fail, Outcome::Pass),
    };
    let name = |outcome: Outcome| if outcome == Outcome::Pass { "Passes" } else { "Fails" };
    facts([(name(before), last(before)), (name(after), last(after)), ("Running now", running)])
}

fn named(name: &str, context: &Context) -> String {
    context.subject(name).map_or_else(|| id(name), |subject| format!("{} {}", id(name), text(subject)))
}

/// Draws a strip of cleared commits, suspects, and commits after a failure.
fn strip([cleared, suspects, after]: [usize; 3], find: Find) -> String {
    let [before, newer] = match find {
        Find::Regression => [Outcome::Pass, Outcome::Fail],
        Find::Fix => [Outcome::Fail, Outcome::Pass],
    };
    let colour = |outcome: Outcome| if outcome == Outcome::Pass { "#2b83c6" } else { "#d2571a" };
    let (what, which) = if newer == Outcome::Pass { ("pass", "passing") } else { ("failure", "failing") };
    let all = (cleared + suspects + after).max(1) as f64;
    let share = |part: usize| 100.0 * part as f64 / all;
    let (x, y) = (share(cleared), share(cleared) + share(suspects));
    let gap = |from: f64| if from > 0.0 { from + 0.4 } else { 0.0 };
    let bar = |from: f64, to: f64, colour: &str| {
        let wide = (to - from).max(0.0);
        format!(
            "<rect x=\"{from:.1}%\" y=\"6\" width=\"{wide:.1}%\" height=\"10\" rx=\"2\" fill=\"{colour}\" fill-opacity=\".8\"/>"
        )
    };
    let (start, end) = (gap(x), y);
    let wide = (end - start).max(0.6);
    let numbers = [cleared, suspects, after].map(|part| number(part as u64));
    let [cleared, suspects, after] = numbers;
    format!(
        "<div style=\"margin:14px 0 4px\"><svg role=\"img\" width=\"100%\" height=\"22\" style=\"display:block;max-width:none\">\
         <title>{cleared} commits are cleared, {suspects} are suspects, {after} come after a {which} commit</title>{}\
         <rect x=\"{start:.1}%\" y=\"1\" width=\"{wide:.1}%\" height=\"20\" rx=\"4\" stroke=\"currentColor\" stroke-width=\"1.5\" \
         stroke-dasharray=\"4 3\" fill=\"none\"/>{}</svg></div><p class=\"fb-l\"><span>{} {cleared} cleared</span>\
         <span>◌ {suspects} suspects</span><span>{} {after} after a {what}</span></p>\n",
        bar(0.0, x, colour(before)),
        bar(gap(y), 100.0, colour(newer)),
        sign(before),
        sign(newer),
    )
}
