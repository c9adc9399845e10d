//! HTML cards of reports, searches, graphs, and rankings, with pictures as SVG, for notebooks and pages.
//!
//! A card needs no scripts, ids, links, or files, and it uses the text color of the page. The result comes first, then the
//! evidence. All texts, such as the subject of a commit, are escaped. Pictures have at most about 200 commits, and tables about
//! 100 rows.

mod belief;
mod certainty;
mod change;
mod checks;
mod context;
mod culprit;
mod element;
mod figures;
mod files;
mod graph;
mod history;
mod html;
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
mod triage;

pub use culprit::posterior;
pub use files::{journal, patch as patch_card, store};
pub use graph::{graph, graph_svg};
pub use ranking::{content_ranking, ranking};
pub use reduction::Items;
pub use reports::{reduction, report};

/// Returns an HTML page with a card. The page needs no other file, and the title is the label of the card. Pictures and tables that
/// are folded to keep the card small are open on the page.
#[must_use]
pub fn page(card: &str) -> String {
    let card = card.replace(element::OPENED, "<details open>");
    let label = card.split_once("aria-label=\"").and_then(|(_, rest)| rest.split_once('"'));
    let title = label.map_or("firstbad", |(label, _)| label);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title}</title></head>\n<body style=\"margin:16px auto;max-width:1080px;padding:0 12px\">\n{card}\n</body>\n</html>\n"
    )
}
