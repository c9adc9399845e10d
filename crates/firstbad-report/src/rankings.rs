//! Rankings as text for a terminal and as Markdown for a comment.

use std::fmt::Write as _;

use firstbad::suspicion::{CommitRanking, CommitSuspect, Ranking, RankingReason, Suspect};

/// The maximum number of tests to name.
const TESTS: usize = 5;

/// Renders a ranking as plain text: at most `most` suspects with their reasons, best first.
#[must_use]
pub fn ranking_text(ranking: &Ranking, most: usize) -> String {
    let mut text = format!("{}\n", ranking.message);
    for (place, suspect) in ranking.suspects.iter().take(most).enumerate() {
        let Suspect { change, score, size, .. } = suspect;
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "\n{:>3}. {change}  score {score:.2}, {}", place + 1, files(*size));
        for reason in &suspect.reasons {
            let _ = writeln!(text, "       {:.2}  {}", reason.weight, why(reason));
        }
    }
    let left = ranking.suspects.len().saturating_sub(most);
    if left > 0 {
        let _ = writeln!(text, "\n{left} more, less suspicious");
    }
    text
}

/// Renders a ranking as Markdown: at most `most` suspects with their reasons, best first.
#[must_use]
pub fn ranking_markdown(ranking: &Ranking, most: usize) -> String {
    let tests: Vec<String> = ranking.tests.iter().take(TESTS).map(|test| code(test)).collect();
    let more = if ranking.tests.len() > TESTS { " and more" } else { "" };
    let mut text = format!("**{}{more}**: {}\n", tests.join(", "), escaped(&ranking.message));
    if ranking.suspects.is_empty() {
        return text;
    }
    text.push_str("\n| | change | score | files | why |\n|--:|---|--:|--:|---|\n");
    for (place, suspect) in ranking.suspects.iter().take(most).enumerate() {
        let reasons: Vec<String> = suspect
            .reasons
            .iter()
            .map(|reason| {
                let files: Vec<String> = reason.files.iter().map(|file| code(file)).collect();
                let path: Vec<String> = reason.path.iter().map(|target| code(target)).collect();
                format!("{:.2}: {} by {}", reason.weight, files.join(", "), path.join(" → "))
            })
            .collect();
        let Suspect { change, score, size, .. } = suspect;
        let (place, change, reasons) = (place + 1, code(change), reasons.join("<br>"));
        let _ = writeln!(text, "| {place} | {change} | {score:.2} | {size} | {reasons} |");
    }
    let left = ranking.suspects.len().saturating_sub(most);
    if left > 0 {
        let _ = writeln!(text, "\n{left} more, less suspicious.");
    }
    text
}

/// Renders a ranking by content as plain text: at most `most` suspects with their reasons, most likely first.
#[must_use]
pub fn content_text(ranking: &CommitRanking, most: usize) -> String {
    let mut text = format!("{}\n", ranking.message());
    for (place, CommitSuspect { change, probability, reasons, .. }) in (1..).zip(ranking.suspects.iter().take(most)) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "\n{place:>3}. {change}  {:.1}%", 100.0 * probability);
        for reason in reasons {
            let _ = writeln!(text, "       {}", reason.words());
        }
    }
    let left = ranking.suspects.len().saturating_sub(most);
    if left > 0 {
        let _ = writeln!(text, "\n{left} more, less likely");
    }
    text
}

/// Renders a ranking by content as Markdown: at most `most` suspects with their reasons, most likely first.
#[must_use]
pub fn content_markdown(ranking: &CommitRanking, most: usize) -> String {
    let mut text = format!("{}\n", escaped(&ranking.message()));
    if ranking.suspects.is_empty() {
        return text;
    }
    text.push_str("\n| | change | likely | why |\n|--:|---|--:|---|\n");
    for (place, CommitSuspect { change, probability, reasons, .. }) in (1..).zip(ranking.suspects.iter().take(most)) {
        let reasons: Vec<String> = reasons.iter().map(|reason| code(&reason.words())).collect();
        let (change, reasons) = (code(change), reasons.join("<br>"));
        let _ = writeln!(text, "| {place} | {change} | {:.1}% | {reasons} |", 100.0 * probability);
    }
    let left = ranking.suspects.len().saturating_sub(most);
    if left > 0 {
        let _ = writeln!(text, "\n{left} more, less likely.");
    }
    text
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

fn why(reason: &RankingReason) -> String {
    let then = if reason.before { " (in an earlier graph)" } else { "" };
    format!("{} in {}{then}", reason.files.join(", "), reason.path.join(" -> "))
}

/// Formats a name as a code span that cannot break a table.
fn code(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let longest = name.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let padding = if longest > 0 { " " } else { "" };
    format!("{fence}{padding}{}{padding}{fence}", name.replace('|', "\\|"))
}

fn escaped(text: &str) -> String {
    let special = |c: char| matches!(c, '\\' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '|' | '#' | '&');
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}
