//! A ranking of suspects, in words.

use firstbad::suspicion::{RankingReason, Suspect};

use super::style::{Markdown, Plain, Style};
use super::text::capital;
use crate::summary::Ranked;

/// How many reasons are shown for one suspect.
const REASONS: usize = 4;

/// How many tests are named in a title.
const TESTS: usize = 5;

/// The best suspects with their reasons, at most so many.
pub(crate) fn ranking(ranked: &Ranked, most: usize, markdown: bool) -> String {
    let shown = &ranked.ranking.suspects[..most.min(ranked.ranking.suspects.len())];
    let mut text = if markdown { table(ranked, shown) } else { lines(ranked, shown) };
    let left = ranked.ranking.suspects.len() - shown.len();
    if left > 0 {
        text.push_str(&format!("\n{left} more are less suspicious\n"));
    }
    text
}

fn short(change: &str) -> &str {
    change.get(..12).unwrap_or(change)
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

fn lines(ranked: &Ranked, shown: &[Suspect]) -> String {
    let mut text = format!("{}\n", capital(&Plain.words(&ranked.ranking.message)));
    for (place, suspect) in (1..).zip(shown) {
        let about = ranked.commits.get(&suspect.change).map_or(String::new(), |about| {
            format!("  {} ({})", Plain.words(&about.subject), Plain.words(&about.author))
        });
        let Suspect { change, score, size, .. } = suspect;
        text.push_str(&format!("\n{place:>3}. {}  {score:.2}, {}{about}\n", short(change), files(*size)));
        for reason in suspect.reasons.iter().take(REASONS) {
            text.push_str(&format!("       {}\n", why(reason, &Plain)));
        }
        if let Some(more) = suspect.reasons.len().checked_sub(REASONS).filter(|&more| more > 0) {
            text.push_str(&format!("       and {more} more\n"));
        }
    }
    text
}

fn table(ranked: &Ranked, shown: &[Suspect]) -> String {
    let style = Markdown { table: true };
    let names: Vec<String> =
        ranked.ranking.tests.iter().take(TESTS).map(|test| Markdown { table: false }.code(test)).collect();
    let more = if ranked.ranking.tests.len() > TESTS { " and more" } else { "" };
    let title = format!("### Suspects for {}{more}\n\n", names.join(", "));
    let mut text = title + &style.words(&ranked.ranking.message) + "\n";
    if shown.is_empty() {
        return text;
    }
    text.push_str("\n| | commit | score | files | why |\n|--:|---|--:|--:|---|\n");
    for (place, suspect) in (1..).zip(shown) {
        let about = ranked
            .commits
            .get(&suspect.change)
            .map_or(String::new(), |about| format!(" {}, {}", style.words(&about.subject), style.words(&about.author)));
        let mut reasons: Vec<String> = suspect.reasons.iter().take(REASONS).map(|reason| why(reason, &style)).collect();
        if suspect.reasons.len() > REASONS {
            reasons.push(format!("and {} more", suspect.reasons.len() - REASONS));
        }
        let Suspect { change, score, size, .. } = suspect;
        let (change, reasons) = (style.code(short(change)), reasons.join("<br>"));
        text.push_str(&format!("| {place} | {change}{about} | {score:.2} | {size} | {reasons} |\n"));
    }
    text
}

/// How much, by which files, by which path of dependencies.
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
