//! Rankings of suspects as text.

use std::collections::BTreeMap;

use firstbad::suspicion::{CommitSuspect, RankingReason, Suspect};
use firstbad::{capital, for_logs};

use crate::style::{Markdown, Plain, Style};
use crate::summary::{About, Order, Ranked};

/// The largest number of reasons for one suspect.
const REASONS: usize = 4;

/// The largest number of tests in a title.
const TESTS: usize = 5;

/// A suspect as text.
struct Shown<'a> {
    change: &'a str,
    /// The ranking criteria, one for each column.
    rank: Vec<String>,
    reasons: Vec<String>,
}

/// Renders at most `most` suspects with their reasons, the best first.
pub fn ranking(ranked: &Ranked, tests: &[String], most: usize, markdown: bool) -> String {
    let style: &dyn Style = if markdown { &Markdown { table: true } } else { &Plain };
    let (message, tests, columns, shown, count, less): (&str, _, &[&str], Vec<Shown<'_>>, _, _) = match &ranked.order {
        Order::Content { message, ranking, .. } => {
            // A commit that the build graph excludes is not a suspect.
            let possible = ranking.suspects.iter().filter(|suspect| suspect.probability > 0.0);
            let count = possible.clone().count();
            let shown = possible.take(most).map(|suspect| likely(suspect, style)).collect();
            (message, tests, &["likely"], shown, count, "likely")
        }
        Order::Heuristic(judged) => {
            let suspects = &judged.ranking.suspects;
            let shown = suspects.iter().take(most).map(|suspect| scored(suspect, style)).collect();
            let columns = &["score", "files"];
            (&judged.ranking.message, &judged.ranking.tests, columns, shown, suspects.len(), "suspicious")
        }
    };
    let mut text = if markdown {
        table(message, tests, columns, &shown, &ranked.commits)
    } else {
        lines(message, &shown, &ranked.commits)
    };
    let left = count - shown.len();
    if left > 0 {
        text.push_str(&format!("\n{left} more are less {less}\n"));
    }
    for_logs(&text)
}

fn likely<'a>(suspect: &'a CommitSuspect, style: &dyn Style) -> Shown<'a> {
    let reasons = suspect.reasons.iter().map(|reason| style.words(&reason.words())).collect();
    Shown { change: &suspect.change, rank: vec![format!("{:.1}%", 100.0 * suspect.probability)], reasons }
}

fn scored<'a>(suspect: &'a Suspect, style: &dyn Style) -> Shown<'a> {
    let reasons = suspect.reasons.iter().map(|reason| why(reason, style)).collect();
    Shown { change: &suspect.change, rank: vec![format!("{:.2}", suspect.score), suspect.size.to_string()], reasons }
}

fn short(change: &str) -> &str {
    change.get(..12).unwrap_or(change)
}

fn lines(message: &str, shown: &[Shown<'_>], commits: &BTreeMap<String, About>) -> String {
    let mut text = format!("{}\n", capital(&Plain.words(message)));
    for (place, Shown { change, rank, reasons }) in (1..).zip(shown) {
        let about = commits.get(*change).map_or(String::new(), |about| {
            format!("  {} ({})", Plain.words(&about.subject), Plain.words(&about.author))
        });
        let files = rank
            .get(1)
            .map_or(String::new(), |count| format!(", {count} {}", if count == "1" { "file" } else { "files" }));
        text.push_str(&format!("\n{place:>3}. {}  {}{files}{about}\n", short(change), rank[0]));
        for reason in reasons.iter().take(REASONS) {
            text.push_str(&format!("       {reason}\n"));
        }
        if let Some(more) = reasons.len().checked_sub(REASONS).filter(|&more| more > 0) {
            text.push_str(&format!("       and {more} more\n"));
        }
    }
    text
}

fn table(
    message: &str,
    tests: &[String],
    columns: &[&str],
    shown: &[Shown<'_>],
    commits: &BTreeMap<String, About>,
) -> String {
    let style = Markdown { table: true };
    let names: Vec<String> = tests.iter().take(TESTS).map(|test| Markdown { table: false }.code(test)).collect();
    let more = if tests.len() > TESTS { " and more" } else { "" };
    let title = if names.is_empty() { String::new() } else { format!(" for {}{more}", names.join(", ")) };
    let mut text = format!("### Suspects{title}\n\n{}\n", style.words(message));
    if shown.is_empty() {
        return text;
    }
    let line = "--:|".repeat(columns.len());
    text.push_str(&format!("\n| | commit | {} | why |\n|--:|---|{line}---|\n", columns.join(" | ")));
    for (place, Shown { change, rank, reasons }) in (1..).zip(shown) {
        let about = commits
            .get(*change)
            .map_or(String::new(), |about| format!(" {}, {}", style.words(&about.subject), style.words(&about.author)));
        let mut reasons = reasons.clone();
        if let Some(more) = reasons.len().checked_sub(REASONS).filter(|&more| more > 0) {
            reasons.truncate(REASONS);
            reasons.push(format!("and {more} more"));
        }
        let (change, reasons) = (style.code(short(change)), reasons.join("<br>"));
        text.push_str(&format!("| {place} | {change}{about} | {} | {reasons} |\n", rank.join(" | ")));
    }
    text
}

/// Describes the weight, the files, and the path of dependencies.
fn why(reason: &RankingReason, style: &dyn Style) -> String {
    let files: Vec<String> = reason.files.iter().map(|file| style.code(file)).collect();
    let then = if reason.before { ", in an earlier graph" } else { "" };
    let path: Vec<String> = reason.path.iter().map(|target| style.code(target)).collect();
    let way = match reason.path.len() {
        1 => "the test itself".to_owned(),
        _ => path.join(" → "),
    };
    format!("{:.2}  {}: {way}{then}", reason.weight, files.join(", "))
}
