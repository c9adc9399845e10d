//! Commit graphs as Mermaid flow charts.

use firstbad::graph::{CommitGraph, Node};

use super::dot::line;

/// Returns the commit graph as a Mermaid flow chart, with an arrow from each parent to its child.
///
/// ```
/// let graph = firstbad::CommitGraph::linear(["a", "b"])?;
/// assert_eq!(firstbad_report::draw::mermaid(&graph), "graph LR\n  0[\"a\"]\n  1[\"b\"]\n  0 --> 1\n");
/// # Ok::<(), firstbad::Error>(())
/// ```
#[must_use]
pub fn mermaid(graph: &CommitGraph) -> String {
    let mut text = String::from("graph LR\n");
    for (node, id) in graph.ids().enumerate() {
        let label = id.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;");
        line(&mut text, format_args!("  {node}[\"{label}\"]"));
    }
    for node in 0..graph.len() as Node {
        for &parent in graph.parents(node) {
            line(&mut text, format_args!("  {parent} --> {node}"));
        }
    }
    text
}
