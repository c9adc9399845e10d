//! The card of a culprit search: the conclusion, its probability, and the probabilities by run.

use firstbad::culprit::{Conclusion, CulpritReport};
use firstbad::search::{Hypothesis, Status};

use super::context::Context;
use super::element::{Bar, bar, capital, code, facts, headline, id, listed, section, sentence, text, warnings};
use super::figures::{author, count, percent, seconds};
use super::{certainty, runs};

/// The largest number of listed suspects.
const SUSPECTS: usize = 10;

/// Returns the label and the body of the card.
pub(super) fn card(report: &CulpritReport, context: &Context) -> (&'static str, String) {
    let answers: Vec<&str> = report.culprit.as_deref().into_iter().collect();
    let head = head(report, context);
    let tests: Vec<String> = context.tests.iter().map(|test| code(test)).collect();
    let breaks = (!tests.is_empty()).then(|| format!("{}, which is flaky", listed(&tests, 3)));
    let facts = facts([
        ("Breaks", breaks),
        ("How certain", Some(certainty::of_culprit(report))),
        ("Cost", Some(cost(report, context))),
    ]);
    let likely = format!("{}{}", section("Culprit of a flaky test"), suspects(report, context));
    let leader = report.credible_set.first().and_then(|one| one.revision.as_deref());
    let movement = context.movement.as_ref().map(|movement| {
        format!(
            "<div class=\"fb-fix\">{}{}</div>",
            section("Probability by run"),
            movement.figure(report.culprit.as_deref().or(leader))
        )
    });
    let body = match movement {
        Some(movement) => format!("<div class=\"fb-cols\"><div>{likely}</div>\n{movement}</div>\n"),
        None => likely,
    };
    let label = if report.status == Status::Running { "Search in progress" } else { "Culprit report" };
    (label, head + &facts + &warnings(&report.warnings) + &body + &runs::table(&report.observations, &answers, context))
}

/// Returns the HTML card of a posterior: the most likely hypotheses with bars, the number of suspects, and the probability of a
/// flake, in [0, 1].
#[must_use]
pub fn posterior(likeliest: &[Hypothesis], suspects: usize, no_culprit: f64) -> String {
    let named = &likeliest[..likeliest.len().min(SUSPECTS)];
    let row = |one: &Hypothesis| match &one.revision {
        None => nobody(one.probability, false),
        Some(revision) => cells(&format!("○ {}", id(revision)), "", one.probability, Bar::Other, false),
    };
    let mut rows: Vec<String> = named.iter().map(row).collect();
    let told: f64 = named.iter().map(|one| one.probability).sum();
    let listed = named.iter().filter(|one| one.revision.is_some()).count();
    rows.extend(others(suspects.saturating_sub(listed), 1.0 - told));
    let answer = format!("◌ {}", count(suspects as u64, "suspect"));
    let flake = format!("A flake: {}", percent(no_culprit));
    super::element::card("Belief", &(headline("Belief", &answer, &flake) + &table(&rows)))
}

fn head(report: &CulpritReport, context: &Context) -> String {
    let named = |revision: &str| {
        let subject = context.subject(revision).map_or(String::new(), |subject| format!(" {}", text(subject)));
        (format!("{}{subject}", id(revision)), context.commit(revision).map(author).unwrap_or_default())
    };
    let leader = report.credible_set.first().and_then(|one| one.revision.as_deref());
    match (report.conclusion, &report.culprit, report.status) {
        (Conclusion::Culprit, Some(culprit), _) => {
            let (name, author) = named(culprit);
            headline("Most likely culprit", &format!("<i class=\"fb-f\">■</i> {name}"), &author)
        }
        (Conclusion::Flake, ..) => {
            headline("Most likely no culprit", "◌ The failure was a flake", &sentence(&capital(&report.message)))
        }
        (_, _, Status::Running) => {
            let runs = format!("{} so far", count(report.runs, "run"));
            match leader.map(named) {
                Some((name, _)) => headline("Most likely so far", &format!("◌ {name}"), &runs),
                None => headline("Searching", "◌ No suspect is more likely than a flake", &runs),
            }
        }
        _ => headline(
            "No answer",
            &format!("○ {}", super::outcome::of(report.status)),
            &leader
                .map_or(String::new(), |leader| format!("Most likely {}, {}", id(leader), percent(report.probability))),
        ),
    }
}

fn cost(report: &CulpritReport, context: &Context) -> String {
    let of = context.suspects_in_all.map_or(String::new(), |many| format!(" for {}", count(many as u64, "suspect")));
    let time = runs::time(&report.observations).map_or(String::new(), |time| format!(", {}", seconds(time)));
    let healthy = report.healthy_runs;
    let seen = match healthy.runs() {
        0 => String::new(),
        runs => format!(", {} of {} did", healthy.fails, count(u64::from(runs), "run")),
    };
    format!(
        "{}{of}{time}. Good revisions fail in about {} of their runs{seen}",
        count(report.runs, "run"),
        percent(report.flake_rate)
    )
}

/// Returns the most likely suspects with bars.
fn suspects(report: &CulpritReport, context: &Context) -> String {
    let named = &report.credible_set[..report.credible_set.len().min(SUSPECTS)];
    let shown = if context.likeliest.len() > named.len() { &context.likeliest[..] } else { named };
    let mut rows: Vec<String> = shown.iter().map(|one| row(one, report, context)).collect();
    if !shown.iter().any(|one| one.revision.is_none()) {
        rows.push(nobody(report.no_culprit, report.conclusion == Conclusion::Flake));
    }
    let told: f64 = shown.iter().filter(|one| one.revision.is_some()).map(|one| one.probability).sum();
    let listed = shown.iter().filter(|one| one.revision.is_some()).count();
    let left = context.suspects_in_all.map_or(0, |all| all.saturating_sub(listed));
    rows.extend(others(left, 1.0 - told - report.no_culprit));
    table(&rows)
}

/// Returns the row of the suspects that are not listed.
fn others(left: usize, probability: f64) -> Option<String> {
    let who = format!("○ {}", count(left as u64, "other"));
    (left > 0).then(|| cells(&who, "All other suspects together", probability.max(0.0), Bar::Other, false))
}

fn nobody(probability: f64, is_answer: bool) -> String {
    cells("◌ flake", "The failure was a flake", probability, Bar::Nobody, is_answer)
}

/// Returns the table of these rows.
pub(super) fn table(rows: &[String]) -> String {
    format!(
        "<table class=\"fb-v\"><thead><tr><th>Suspect</th><th>Subject</th><th>Likely</th><th class=\"fb-n\"></th></tr></thead>\
         <tbody>{}</tbody></table>",
        rows.concat()
    )
}

fn row(one: &Hypothesis, report: &CulpritReport, context: &Context) -> String {
    match &one.revision {
        None => nobody(one.probability, report.conclusion == Conclusion::Flake),
        Some(revision) => {
            let is_culprit = report.culprit.as_ref() == Some(revision);
            let sign = if is_culprit { "<i class=\"fb-f\">■</i>" } else { "○" };
            let subject = text(context.subject(revision).unwrap_or_default());
            let colour = if is_culprit { Bar::Answer } else { Bar::Other };
            cells(&format!("{sign} {}", id(revision)), &subject, one.probability, colour, is_culprit)
        }
    }
}

/// Returns the row of a suspect. `who` and `subject` are markup.
pub(super) fn cells(who: &str, subject: &str, probability: f64, colour: Bar, is_answer: bool) -> String {
    let bold = if is_answer { " class=\"fb-b\"" } else { "" };
    format!(
        "<tr{bold}><td>{who}</td><td class=\"fb-w\">{subject}</td><td class=\"fb-bar\">{}</td><td class=\"fb-n\">{}</td></tr>",
        bar(probability, colour),
        percent(probability)
    )
}
