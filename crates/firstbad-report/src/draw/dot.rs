//! Commit graphs in the DOT language of Graphviz.

use std::fmt::Write;

use firstbad::graph::{CommitGraph, Node};

/// Returns the commit graph in the DOT language of Graphviz, with an arrow from each parent to its child.
///
/// ```
/// let graph = firstbad::CommitGraph::linear(["a", "b"])?;
/// assert_eq!(firstbad_report::draw::dot(&graph), "digraph {\n  rankdir=LR;\n  \"a\";\n  \"b\";\n  \"a\" -> \"b\";\n}\n");
/// # Ok::<(), firstbad::Error>(())
/// ```
#[must_use]
pub fn dot(graph: &CommitGraph) -> String {
    let mut text = String::from("digraph {\n  rankdir=LR;\n");
    for id in graph.ids() {
        line(&mut text, format_args!("  {};", quoted(id)));
    }
    for node in 0..graph.len() as Node {
        for &parent in graph.parents(node) {
            line(&mut text, format_args!("  {} -> {};", quoted(graph.id(parent)), quoted(graph.id(node))));
        }
    }
    text.push_str("}\n");
    text
}

pub(super) fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "{content}");
}

fn quoted(id: &str) -> String {
    format!("\"{}\"", id.replace('\\', "\\\\").replace('"', "\\\""))
}
