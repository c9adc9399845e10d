//! The card of iterative delta debugging.

use firstbad::Report;
use firstbad::patch::Patch;
use firstbad::porting::{PortedPatch, PorterReduction, PorterReport, PorterStep, StepOutcome};
use firstbad::search::Status;

use super::context::Context;
use super::element::{Bar, bar, capital, details, facts, headline, id, listed, section, sentence, text, warnings};
use super::figures::{author, count, number};
use super::reduction::certain;
use super::{outcome, patch, runs};
use crate::draw::{cut, escaped};
use crate::porting::{purpose, seen, sizes};

/// The largest number of versions that are not folded.
const OPEN: usize = 12;
/// The largest number of listed versions.
const MOST: usize = 300;
/// The largest number of characters of an invalid patch.
const UNREAD: usize = 2_000;
/// The largest number of named versions that do not build.
const BETWEEN: usize = 3;

/// Returns the body of the card.
pub(super) fn card(report: &PorterReport, whole: &Report, context: &Context) -> String {
    head(report, whole, context)
        + &warnings(&report.warnings)
        + &also(report)
        + &patches(report)
        + &way(report, context)
        + &reductions(report)
        + &runs::table(&report.observations, &[], context)
}

fn head(report: &PorterReport, whole: &Report, context: &Context) -> String {
    let failure = report.failure.as_deref().map(text);
    let named = |revision: &str| {
        let subject = context.subject(revision).map_or(String::new(), |subject| format!(" {}", text(subject)));
        format!("{}{subject}", id(revision))
    };
    let (Some(good), Some(bad)) = (&report.good, &report.bad) else {
        let (what, sign) = if report.status == Status::Running { ("Searching", "◌") } else { ("No result", "○") };
        let answer = format!("{sign} {}", outcome::of(report.status));
        let facts = facts([("Follows", failure), ("Cost", Some(cost(report, whole)))]);
        return headline(what, &answer, &sentence(&capital(&report.message))) + &facts;
    };
    let between: Vec<String> = report.between.iter().map(|revision| id(revision)).collect();
    let what = match (report.status, between.len()) {
        (Status::Running, _) => "First bad commit, so far",
        (_, 0) => "First bad commit",
        _ => "Oldest version that fails",
    };
    let evidence = match (report.status, between.len()) {
        (Status::Contradictory, _) => "Equal versions had different outcomes".to_owned(),
        (_, 0) => "It fails like the start, and the next older version passes".to_owned(),
        (_, 1) => format!("{} between them does not build and may be the culprit", between[0]),
        (_, many) => format!(
            "{} versions between them do not build, and each may be the culprit: {}",
            number(many as u64),
            listed(&between, BETWEEN)
        ),
    };
    let below = context.commit(bad).map(author).unwrap_or_default();
    let facts = facts([
        ("Passes at", Some(named(good))),
        ("Evidence", Some(evidence)),
        ("Follows", failure),
        ("Cost", Some(cost(report, whole))),
    ]);
    headline(what, &format!("<i class=\"fb-f\">■</i> {}", named(bad)), &below) + &facts
}

fn cost(report: &PorterReport, whole: &Report) -> String {
    let mut cost = format!("{} for {}", outcome::cost(whole), count(report.visited as u64, "version"));
    if report.skipped > 0 {
        cost += &format!(", {} skipped that do not build", number(report.skipped as u64));
    }
    if report.conflicts > 0 {
        cost += &format!("; {} without a run", count(report.conflicts, "conflict"));
    }
    cost
}

/// Returns the result of the regression check.
fn also(report: &PorterReport) -> String {
    let Some(also) = &report.also else { return String::new() };
    let note = if also.breaks { "Note: " } else { "" };
    format!("<p class=\"fb-m\">{note}{}</p>\n", sentence(&also.message))
}

/// Returns the patches, with all but the most important folded.
fn patches(report: &PorterReport) -> String {
    let all = report.patches();
    let named = |wanted: &[&str]| {
        let found = wanted.iter().filter_map(|name| all.iter().find(|(given, ..)| given == name));
        found.map(|&(_, what, patch)| (capital(what), patch)).collect::<Vec<_>>()
    };
    let open = named(&["cause", "repair", "forward"]).into_iter();
    let open = open.map(|(what, patch)| section(&what) + &content(patch));
    let folded = named(&["carried", "figure2"]).into_iter().map(|(what, patch)| details(&what, &content(patch)));
    open.chain(folded).collect()
}

fn content(patch: &PortedPatch) -> String {
    let (changes, of) = (patch.changes as u64, patch.of as u64);
    let plural = if of == 1 { "" } else { "s" };
    let certain = certain(patch.guarantee, patch.changes, "change", false);
    let size = format!("<p class=\"fb-m\">{} of {} change{plural}. {certain}</p>\n", number(changes), number(of));
    size + &match Patch::parse(patch.content()) {
        Ok(parsed) => patch::lines(&parsed, None),
        Err(_) => {
            format!("<pre class=\"fb-c\">{}</pre>\n", escaped(&cut(&String::from_utf8_lossy(patch.content()), UNREAD)))
        }
    }
}

/// Returns the visited versions in order, with the sizes of the carried patches.
fn way(report: &PorterReport, context: &Context) -> String {
    let steps = &report.steps[..report.steps.len().min(MOST)];
    if steps.is_empty() {
        return String::new();
    }
    let has_subjects = steps.iter().any(|step| context.subject(&step.revision).is_some());
    let largest = steps.iter().map(|step| step.patch).max().unwrap_or(0);
    let subjects = if has_subjects { "<th class=\"fb-q\">Subject</th>" } else { "" };
    let patches = if largest > 0 { "<th class=\"fb-n\">Patch</th><th></th>" } else { "" };
    let rows: Vec<String> = steps.iter().map(|step| row(step, largest, has_subjects, context)).collect();
    let table = format!(
        "<table><thead><tr><th>Version</th>{subjects}<th>Seen</th>{patches}</tr></thead><tbody>{}</tbody></table>\n",
        rows.concat()
    );
    match report.steps.len() {
        few if few <= OPEN => section("The way") + &table,
        all if all <= MOST => details(&format!("All {all} versions, in order"), &table),
        all => details(&format!("The first {MOST} of {}, in order", count(all as u64, "version")), &table),
    }
}

fn row(step: &PorterStep, largest: usize, has_subjects: bool, context: &Context) -> String {
    let sign = match (step.outcome, step.forward) {
        (StepOutcome::Pass, _) | (StepOutcome::Kept | StepOutcome::Reduced, true) => "<i class=\"fb-p\">●</i>",
        (StepOutcome::Kept | StepOutcome::Reduced, false) => "<i class=\"fb-f\">■</i>",
        (StepOutcome::Other | StepOutcome::Skipped, _) => "<i class=\"fb-u\">◆</i>",
    };
    let way = if step.forward { " <span class=\"fb-m\">forward</span>" } else { "" };
    let mut cells = format!("<td>{sign} {}{way}</td>", id(&step.revision));
    if has_subjects {
        let subject = text(context.subject(&step.revision).unwrap_or_default());
        cells += &format!("<td class=\"fb-w fb-q\">{subject}</td>");
    }
    cells +=
        &format!("<td style=\"white-space:normal\" title=\"{}\">{}</td>", escaped(&cut(&step.seen, 160)), seen(step));
    if largest > 0 {
        let share = step.patch as f64 / largest as f64;
        let drawn = if step.patch > 0 { bar(share, Bar::Other) } else { String::new() };
        cells += &format!(
            "<td class=\"fb-n\">{}</td><td class=\"fb-bar\" style=\"width:22%;min-width:48px\">{drawn}</td>",
            number(step.patch as u64)
        );
    }
    format!("<tr>{cells}</tr>")
}

/// Returns the folded table of reductions.
fn reductions(report: &PorterReport) -> String {
    if report.reductions.is_empty() {
        return String::new();
    }
    let row = |made: &PorterReduction| {
        let why = made.reason.map_or("", firstbad::porting::Reason::words);
        format!(
            "<tr><td>{}</td><td>{}</td><td style=\"white-space:normal\">{why}</td><td>{}</td><td class=\"fb-n\">{}</td>\
             <td class=\"fb-n\">{}</td></tr>",
            id(&made.revision),
            purpose(made),
            sizes(made),
            number(made.runs),
            number(made.free)
        )
    };
    let rows: Vec<String> = report.reductions.iter().take(MOST).map(row).collect();
    let table = format!(
        "<table><thead><tr><th>At</th><th>For</th><th>Because of</th><th>Changes</th><th class=\"fb-n\">Runs</th>\
         <th class=\"fb-n\">Free</th></tr></thead><tbody>{}</tbody></table>\n",
        rows.concat()
    );
    details(&capital(&count(report.reductions.len() as u64, "reduction")), &table)
}
