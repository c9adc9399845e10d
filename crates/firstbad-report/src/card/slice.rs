//! The card of a history slice: the needed changes, their evidence, and the size by run.

use firstbad::search::Status;
use firstbad::slicing::{SlicerReport, change_parts};
use firstbad::{Report, with_short_ids};

use super::context::Context;
use super::element::{capital, code, facts, headline, id, section, sentence, text, warnings, wide};
use super::figures::{author, count, number};
use super::reduction::{certain, cost};
use super::{outcome, runs};
use crate::draw::{Axis, brief};
use crate::slicing::{Need, not_needed};

/// The largest number of listed changes.
const MOST: usize = 100;

/// Returns the body of the card.
pub(super) fn card(report: &SlicerReport, whole: &Report, context: &Context) -> String {
    // Until a set of changes keeps the behavior, there is no slice.
    if report.sizes.is_empty() {
        let (what, sign) = if report.status == Status::Running { ("Searching", "◌") } else { ("No result", "○") };
        let answer = format!("{sign} {}", outcome::of(report.status));
        let cost = facts([("Cost", Some(cost(whole)))]);
        return headline(what, &answer, &sentence(&capital(&report.message)))
            + &cost
            + &warnings(&report.warnings)
            + &runs::table(&report.observations, &[], context);
    }
    let (kept, of) = (report.kept.len(), report.of);
    let plural = if of == 1 { "" } else { "s" };
    let answer = format!("▸ {} of {} change{plural}", number(kept as u64), number(of as u64));
    let what = match report.status {
        Status::Found if report.needs_others() => "Needed to pick the commit",
        Status::Found if !report.always.is_empty() => "The commit passes alone",
        Status::Found => "Smallest slice of the history",
        _ => "Smallest slice so far",
    };
    let facts = facts([
        ("How certain", Some(certain(report.guarantee, kept, "change", false))),
        ("Not needed", not_needed(report, report.cherry_pick.is_some())),
        ("Cost", Some(cost(whole))),
    ]);
    let pick = report.cherry_pick.as_ref().filter(|_| report.status == Status::Found);
    let pick = pick.map_or_else(String::new, |pick| format!("<p>{}</p>\n", code(&with_short_ids(pick))));
    let body = match (changes(report, context), figure(report)) {
        (changes, Some(figure)) => format!(
            "<div class=\"fb-cols\"><div>{changes}</div>\n<div class=\"fb-fix\">{}{}{figure}</div></div>\n",
            section("Size by run"),
            legend("The number of changes in the smallest set that kept the outcome so far")
        ),
        (changes, None) => changes,
    };
    headline(what, &answer, "")
        + &facts
        + &warnings(&report.warnings)
        + &pick
        + &body
        + &runs::table(&report.observations, &[], context)
        + &legend(RUNS)
}

/// The legend of the table of runs.
const RUNS: &str = "Each row is a set of changes, applied together. Changes are numbered by age, and the oldest is 0. Outcomes \
                    that are known took no run, because Git cannot apply the set or its files were tested before";

fn legend(words: &str) -> String {
    format!("<p class=\"fb-m\">{words}.</p>\n")
}

/// Returns the changes by the reason why they are needed, oldest first, with their evidence.
fn changes(report: &SlicerReport, context: &Context) -> String {
    Need::ALL.into_iter().map(|need| needed(report, need, context)).collect()
}

fn needed(report: &SlicerReport, need: Need, context: &Context) -> String {
    let own = report.kept.iter().zip(&report.names).filter(|(change, _)| Need::of(report, **change) == need);
    let own: Vec<(&usize, &String)> = own.collect();
    if own.is_empty() {
        return String::new();
    }
    let row = |(&change, name): (&usize, &String)| {
        let (commit, part) = change_parts(name);
        let subject = context.commit(commit).map_or(String::new(), |commit| {
            let by = author(commit);
            format!(
                "<b style=\"font-weight:600\">{}</b><br><span class=\"fb-m\">{by}</span><br>",
                text(&commit.subject)
            )
        });
        let part = if part.is_empty() { String::new() } else { format!("{}<br>", code(part)) };
        let brief = |name: &str| code(&brief(change_parts(name).0));
        let why = match report.context(change) {
            Some(other) => format!("for the context of {}", brief(other)),
            None => report.evidence(change, brief).unwrap_or_default(),
        };
        format!("<tr><td>▸ {}</td><td class=\"fb-w\">{subject}{part}{}</td></tr>", id(commit), capital(&why))
    };
    let count = own.len();
    let rows: Vec<String> = own.into_iter().take(MOST).map(row).collect();
    let more = match count.saturating_sub(MOST) {
        0 => String::new(),
        more => format!("<p class=\"fb-m\">and {} more</p>\n", number(more as u64)),
    };
    let (label, why) = need.words(report);
    let head = section(&capital(label));
    format!("{head}{}<table><tbody>{}</tbody></table>{more}\n", self::legend(&capital(why)), rows.concat())
}

/// Draws the number of changes by run (Li et al. 2016, Figure 13), if it decreased.
fn figure(report: &SlicerReport) -> Option<String> {
    const LEFT: f64 = 42.0;
    const RIGHT: f64 = 318.0;
    let last = report.sizes.last().filter(|_| report.sizes.len() > 1)?;
    let runs = report.runs.max(last.run).max(1);
    let x = |run: u64| LEFT + (RIGHT - LEFT) * run as f64 / runs as f64;
    let axis = Axis::new(report.sizes.iter().map(|size| size.changes).chain([report.of]), 128.0, 12.0);
    let mut path = String::new();
    for (place, size) in report.sizes.iter().enumerate() {
        let (x, y) = (x(size.run), axis.at(size.changes));
        path += &if place == 0 { format!("M{x:.1} {y:.1}") } else { format!("H{x:.1}V{y:.1}") };
    }
    path += &format!("H{RIGHT:.1}");
    let from = report.sizes.first().map_or(report.of, |size| size.changes);
    let title =
        format!("From {} to {} in {}", count(from as u64, "change"), number(last.changes as u64), count(runs, "run"));
    let mut svg = format!(
        "<svg class=\"fb-g\" role=\"img\" width=\"340\" height=\"170\" viewBox=\"0 0 340 170\" fill=\"none\" \
         font-family=\"ui-monospace,Menlo,Consolas,&#39;DejaVu Sans Mono&#39;,monospace\" font-size=\"10.5\"><title>{title}</title>"
    );
    for tick in axis.ticks() {
        let (at, opacity) = (axis.at(tick), if tick == 0 { 0.32 } else { 0.16 });
        svg += &format!(
            "<path d=\"M42 {at:.0}H318\" stroke=\"currentColor\" stroke-opacity=\"{opacity}\"/><text x=\"36\" y=\"{:.0}\" \
             text-anchor=\"end\" fill=\"currentColor\" fill-opacity=\".75\">{tick}</text>",
            at + 4.0
        );
    }
    svg += &format!(
        "<path d=\"{path}\" stroke=\"#d2571a\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>\
         <text x=\"42\" y=\"148\" text-anchor=\"middle\" fill=\"currentColor\" fill-opacity=\".75\">0</text>\
         <text x=\"318\" y=\"148\" text-anchor=\"middle\" fill=\"currentColor\" fill-opacity=\".75\">{}</text>\
         <text x=\"180\" y=\"148\" text-anchor=\"middle\" fill=\"currentColor\" fill-opacity=\".75\">runs</text></svg>",
        number(runs)
    );
    Some(wide("Changes left, run by run", &svg, 340, 1.0))
}
