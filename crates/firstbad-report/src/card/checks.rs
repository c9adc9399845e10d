//! The card of a verification, with the expected and the observed outcomes.

use firstbad::culprit::{Check, Role, VerificationReport};

use super::context::Context;
use super::element::{headline, id, sentence};
use super::figures::number;

/// The largest number of marks for one check.
const MARKS: u32 = 24;

/// Returns the body of the card.
pub(super) fn card(report: &VerificationReport, context: &Context) -> String {
    let runs: u64 = report.checks.iter().map(|check| u64::from(check.runs.runs())).sum();
    let runs = format!("{} separate runs, without outcomes of the search", number(runs));
    let who = report.culprit.as_deref();
    let (what, answer) = match (report.correct, who) {
        (Some(true), Some(culprit)) => ("Verified", format!("✓ {} is the culprit", id(culprit))),
        (Some(true), None) => ("Verified", "✓ The failure was a flake".to_owned()),
        (Some(false), Some(culprit)) => ("Not confirmed", format!("✗ {} is not proved to be the culprit", id(culprit))),
        (Some(false), None) => ("Not confirmed", "✗ The failure is not proved to be a flake".to_owned()),
        (None, _) => ("No verdict", "○ Not verified yet".to_owned()),
    };
    let subject =
        who.and_then(|who| context.subject(who)).map_or(String::new(), |subject| format!("{}. ", sentence(subject)));
    let why: Vec<String> =
        report.reasons.iter().take(5).map(|reason| format!("<p>✗ {}</p>\n", sentence(&reason.message))).collect();
    let rows: Vec<String> = report.checks.iter().map(|check| row(check, who.is_none())).collect();
    format!(
        "{}{}<div style=\"height:12px\"></div>\n<table class=\"fb-y\"><thead><tr><th>Role</th><th>Commit</th><th class=\"fb-q\">Expected</th>\
         <th>Runs<span class=\"fb-q\">, one mark each</span></th><th class=\"fb-q\">Count</th><th><span class=\"fb-q\">Verdict</span></th>\
         </tr></thead><tbody>{}</tbody></table>\n",
        headline(what, &answer, &format!("{subject}{runs}")),
        why.concat(),
        rows.concat()
    )
}

fn row(check: &Check, is_flake: bool) -> String {
    let what = match check.role {
        Role::Good => "Good revision",
        Role::Parent => "Its parent",
        Role::Culprit => "The culprit",
        Role::Bad => "Bad revision",
    };
    let fails = match check.role {
        Role::Culprit => true,
        Role::Bad => !is_flake,
        Role::Good | Role::Parent => false,
    };
    let runs = check.runs;
    let (should, is_met) = if fails { ("fails", runs.passes == 0) } else { ("passes", runs.passes > 0) };
    let verdict = match (runs.runs(), is_met) {
        (0, _) => "○<span class=\"fb-q\"> not run</span>",
        (_, true) => "✓<span class=\"fb-q\"> as expected</span>",
        (_, false) => "✗<span class=\"fb-q\"> not as expected</span>",
    };
    let marks = |sign: &str, many: u32| {
        let more = if many > MARKS { "…" } else { "" };
        format!("{}{more}", sign.repeat(many.min(MARKS) as usize))
    };
    let bold = if check.role == Role::Culprit { " class=\"fb-b\"" } else { "" };
    format!(
        "<tr{bold}><td>{what}</td><td>{}</td><td class=\"fb-q\">{should}</td><td style=\"letter-spacing:2px\">\
         <span class=\"fb-p\">{}</span><span class=\"fb-f\">{}</span></td><td class=\"fb-q\">{} of {} failed</td><td>{verdict}</td></tr>",
        id(&check.revision),
        marks("●", runs.passes),
        marks("■", runs.fails),
        runs.fails,
        runs.runs()
    )
}
