//! The card of a commit graph, with or without a report.

use firstbad::Report;
use firstbad::graph::CommitGraph;

use super::context::Context;
use super::element::card;
use super::figures::count;
use super::history;
use crate::draw::{Marks, draw_history};

/// Returns the HTML card of a commit graph of any size. Long runs of commits are folded. A report adds the outcomes.
#[must_use]
pub fn graph(graph: &CommitGraph, report: Option<&Report>) -> String {
    let context = context(report);
    let marks = marks(graph, report, &context);
    let tips = if marks.tips.is_empty() { graph.leaves().count() } else { marks.tips.len() };
    let run = match marks.seen.len() {
        0 => String::new(),
        seen => format!(", {seen} run"),
    };
    let ends = if tips == 1 { "1 branch".to_owned() } else { format!("{tips} branches") };
    let size = count(history::size(graph, &marks) as u64, "commit");
    let body = format!("<p class=\"fb-m\" style=\"margin-bottom:2px\">{size}, {ends}{run}</p>\n");
    card("Commit graph", &(body + &history::picture(graph, &marks)))
}

/// Returns the picture of a commit graph as a single `svg` element, legible on white and on black.
#[must_use]
pub fn graph_svg(graph: &CommitGraph, report: Option<&Report>) -> String {
    let context = context(report);
    let svg = draw_history(graph, &marks(graph, report, &context)).svg;
    // Without a page, the text is gray, which is legible on any background.
    svg.replacen("<svg class=\"fb-g\"", "<svg xmlns=\"http://www.w3.org/2000/svg\" color=\"#777\"", 1) + "\n"
}

fn context(report: Option<&Report>) -> Context {
    report.map(|report| Context::of(report, None)).unwrap_or_default()
}

fn marks<'a>(graph: &CommitGraph, report: Option<&Report>, context: &'a Context) -> Marks<'a> {
    report.map(|report| history::marks(graph, report, context)).unwrap_or_default()
}
