//! Cards: what a report, a search, a graph or a ranking looks like in a notebook or on a page, as HTML with pictures as SVG.
//!
//! A card has no scripts, ids, links or files of its own; its letters have the colour of the page, in light and in dark. The
//! answer comes first, then what it rests on. What a text holds, a commit's subject for one, is shown and never obeyed.
//! Sizes are bounded: a picture has some 200 commits at most, a table some hundred lines, whatever the history.

mod belief;
mod certainty;
mod checks;
mod context;
mod culprit;
mod element;
mod figures;
mod graph;
mod history;
mod outcome;
mod patch;
mod progress;
mod ranking;
mod reduction;
mod regression;
mod runs;
mod style;
mod things;

pub use graph::{graph, graph_svg};
pub use ranking::{content_ranking, ranking};
pub use reduction::{Items, reduction};
pub use things::{journal, patch as patch_card, store};

use crate::report::Report;
use crate::search::Search;
use context::Context;

/// The card of a report, as a piece of HTML. With the search that it is of, the history is drawn, what the answer cost is set
/// against its size, and a belief is shown as it moved.
///
/// ```
/// # use firstbad::{CommitGraph, Outcome, RegressionConfig, RegressionSearch, Report, Search};
/// # let graph = CommitGraph::linear(["1.0", "1.1", "1.2"])?;
/// # let mut search = RegressionSearch::new(graph, RegressionConfig::new(["1.2"]).good(["1.0"]))?;
/// # while let [probe] = &search.ask(1)?[..] {
/// #     search.tell(probe.id, if probe.revision() == "1.0" { Outcome::Pass } else { Outcome::Fail }.into())?;
/// # }
/// let html = firstbad::card::report(&Report::Regression(search.report()), Some(&search));
/// assert!(html.starts_with("<section class=\"fbad\" aria-label=\"Regression report\">"));
/// assert!(html.contains("Broken by") && html.contains("1.1"));
/// # Ok::<(), firstbad::Error>(())
/// ```
#[must_use]
pub fn report(report: &Report, search: Option<&dyn Search>) -> String {
    let context = Context::of(report, search);
    let (label, body) = match report {
        Report::Regression(of) => regression::card(of, report, &context),
        Report::Culprit(of) => culprit::card(of, &context),
        Report::Verification(of) => ("Verification", checks::card(of, &context)),
        Report::Minimize(_) | Report::Isolate(_) => return reduction(report, Items::Numbered(None)),
        Report::Port(_) | Report::Slice(_) => ("Report", outcome::card(report, &context)),
    };
    element::card(label, &body)
}

/// A whole page with a card of this room in it: one file that needs no other. Its title is what the card is called.
#[must_use]
pub fn page(card: &str) -> String {
    let label = card.split_once("aria-label=\"").and_then(|(_, rest)| rest.split_once('"'));
    let title = label.map_or("firstbad", |(label, _)| label);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title}</title></head>\n<body style=\"margin:16px auto;max-width:1080px;padding:0 12px\">\n{card}\n</body>\n</html>\n"
    )
}
