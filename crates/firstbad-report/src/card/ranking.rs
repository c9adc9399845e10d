//! The cards of rankings.

use firstbad::suspicion::{CommitRanking, Ranking};

use super::element::{Bar, bar, capital, card, code, headline, id, listed, sentence, text};
use super::figures::{count, number, percent};
use crate::draw::{cut, escaped};

/// The largest number of listed suspects.
const SUSPECTS: usize = 50;
/// The largest number of reasons for a suspect.
const REASONS: usize = 10;

/// Returns the HTML card of a ranking by a build graph.
#[must_use]
pub fn ranking(ranking: &Ranking) -> String {
    let tests: Vec<String> = ranking.tests.iter().map(|test| code(test)).collect();
    let all = ranking.suspects.len() + ranking.excluded.len() + ranking.unlikely.len();
    let touch = if ranking.suspects.len() == 1 { "touches" } else { "touch" };
    let depends = if tests.len() == 1 { "depends" } else { "depend" };
    let answer = format!(
        "{} of {} {touch} files that {} {depends} on",
        number(ranking.suspects.len() as u64),
        count(all as u64, "change"),
        listed(&tests, 3)
    );
    let mut below = Vec::new();
    if !ranking.excluded.is_empty() {
        below.push(format!("{} cannot matter", number(ranking.excluded.len() as u64)));
    }
    if !ranking.unlikely.is_empty() {
        below.push(format!("{} others have no reasons", number(ranking.unlikely.len() as u64)));
    }
    match ranking.unplaced.len() {
        0 => {}
        1 => below.push("1 file is in no target".to_owned()),
        many => below.push(format!("{} files are in no target", number(many as u64))),
    }
    let most = ranking.suspects.iter().map(|one| one.score).fold(0.0, f64::max);
    let items = ranking.suspects.iter().take(SUSPECTS).map(|one| Item {
        change: &one.change,
        words: one.reasons.first().and_then(|reason| reason.files.first()).map(|file| text(file)).unwrap_or_default(),
        share: if most > 0.0 { one.score / most } else { 0.0 },
        score: format!("{:.2}", one.score),
        reasons: one
            .reasons
            .iter()
            .take(REASONS)
            .map(|reason| {
                let files: Vec<String> = reason.files.iter().map(|file| code(file)).collect();
                let before = if reason.before { ", in an earlier graph" } else { "" };
                format!(
                    "<b style=\"font-weight:400\">{:.2}</b> {} <span class=\"fb-m\">in {}{before}</span>",
                    reason.weight,
                    listed(&files, 5),
                    escaped(&cut(&reason.path.join(" → "), 300))
                )
            })
            .collect(),
    });
    let head = headline("Suspected before anything runs", &answer, &capital(&below.join("; ")));
    card("Suspects", &(head + &list(items, ranking.suspects.len())))
}

/// Returns the HTML card of a ranking by changed files and test names.
#[must_use]
pub fn content_ranking(ranking: &CommitRanking) -> String {
    let most = ranking.suspects.iter().map(|one| one.probability).fold(0.0, f64::max);
    let items = ranking.suspects.iter().take(SUSPECTS).map(|one| Item {
        change: &one.change,
        words: one.reasons.first().map(|reason| text(&reason.words())).unwrap_or_default(),
        share: if most > 0.0 { one.probability / most } else { 0.0 },
        score: percent(one.probability),
        reasons: one.reasons.iter().take(REASONS).map(|reason| text(&reason.words())).collect(),
    });
    let below = ranking.warning.as_deref().map(sentence).unwrap_or_default();
    let head = headline("Suspected before anything runs", &text(&capital(&ranking.message())), &below);
    card("Suspects", &(head + &list(items, ranking.suspects.len())))
}

struct Item<'a> {
    change: &'a str,
    /// The main reason, as HTML.
    words: String,
    share: f64,
    score: String,
    /// The reasons, as HTML.
    reasons: Vec<String>,
}

/// Returns the suspects. All reasons but those of the first are folded.
fn list<'a>(items: impl Iterator<Item = Item<'a>>, all: usize) -> String {
    let item = |(place, item): (usize, Item<'_>)| {
        let open = if place == 0 { " open" } else { "" };
        let reasons: Vec<String> = item.reasons.iter().map(|reason| format!("<li>{reason}</li>")).collect();
        format!(
            "<li><details{open}><summary><span class=\"fb-m\">{}</span>{}<span>{}</span>{}<b>{}</b></summary><ul>{}</ul></details></li>",
            place + 1,
            id(item.change),
            item.words,
            bar(item.share, Bar::Other),
            item.score,
            reasons.concat()
        )
    };
    let items: Vec<String> = items.enumerate().map(item).collect();
    let more = match all.saturating_sub(SUSPECTS) {
        0 => String::new(),
        more => format!("<p class=\"fb-m\">{} more, less suspicious</p>\n", number(more as u64)),
    };
    format!("<ol class=\"fb-k\">{}</ol>\n{more}", items.concat())
}
