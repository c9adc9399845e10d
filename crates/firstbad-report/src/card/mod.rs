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
mod files;
mod graph;
mod history;
mod other_failures;
mod outcome;
mod patch;
mod porting;
mod progress;
mod ranking;
mod reduction;
mod regression;
mod reports;
mod runs;
mod slice;
mod style;

pub use culprit::posterior;
pub use files::{journal, patch as patch_card, store};
pub use graph::{graph, graph_svg};
pub use ranking::{content_ranking, ranking};
pub use reduction::Items;
pub use reports::{reduction, report};

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
