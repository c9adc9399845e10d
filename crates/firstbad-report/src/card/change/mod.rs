//! The card of a change in numbers: the commit, the numbers along the history, and the evidence.

mod tables;

use firstbad::ChangeReport;

use super::context::Context;
use super::element::{capital, facts, headline, section, warnings, wide};
use super::html::Html;
use crate::change::told::{ChangeWriter, Part, Told};
use crate::change::{WIDTH, aim, picture};
use crate::triage::told::Host;

/// The number of metrics with a picture.
const PICTURES: usize = 4;

/// Returns the body of the card.
pub(super) fn card(report: &ChangeReport, context: &Context) -> String {
    let writer = ChangeWriter::new(report, Host::default(), &Html);
    let Told { parts, warnings: _, cost } = writer.told();
    let mut body = String::new();
    for (place, part) in parts.iter().enumerate() {
        let is_main = place == 0;
        let sign = if part.found.is_empty() { "○" } else { "<i class=\"fb-f\">■</i>" };
        let answer = format!("{sign} {}", capital(&part.answer));
        body += &match is_main {
            true => headline("Change in numbers", &answer, &part.numbers),
            false => format!(
                "{}<p><b style=\"font-weight:600\">{answer}</b></p><p class=\"fb-m\">{}</p>\n",
                section("Another metric"),
                part.numbers
            ),
        };
        body += &evidence(part, is_main.then_some(&cost));
        body += &if is_main { warnings(&report.warnings) } else { String::new() };
        let drawn = picture(report, &part.of).filter(|_| place < PICTURES);
        body += &drawn.map_or(String::new(), |svg| {
            let aim = aim(report, &part.of);
            section("Measurements along the history") + &wide("Measurements along the history", &svg, WIDTH, aim)
        });
        body += &tables::found(part);
        body += &tables::candidates(part, context);
        body += &tables::measurements(&part.of, context);
    }
    body
}

/// Returns the facts about a metric. Those of several commits are in a table.
fn evidence(part: &Part, cost: Option<&String>) -> String {
    let single = if let [found] = &part.found[..] { Some(found) } else { None };
    let author = single.map(|found| ("author", found.author.clone())).filter(|(_, author)| !author.is_empty());
    let all = author.into_iter().chain(single.iter().flat_map(|found| found.facts.clone())).chain(part.facts.clone());
    let all = all.chain(cost.map(|cost| ("cost", cost.clone()))).map(|(name, fact)| (capital(name), fact));
    let all: Vec<(String, String)> = all.collect();
    facts(all.iter().map(|(name, fact)| (name.as_str(), Some(capital(fact)))))
}
