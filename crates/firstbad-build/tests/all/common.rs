//! Graphs as text that a test can compare.

use std::fmt::Write as _;

use firstbad::suspicion::BuildGraph;

/// A line for each target: its name and what it depends on, sorted.
pub(crate) fn lines(graph: &BuildGraph) -> String {
    let mut targets: Vec<&str> = graph.targets().collect();
    targets.sort_unstable();
    let mut text = String::new();
    for target in targets {
        let mut deps = graph.dependencies(target).unwrap_or_default();
        deps.sort_unstable();
        let _ = writeln!(text, "{target}: {}", deps.join(" "));
    }
    text
}

/// The targets of a file.
pub(crate) fn owners(graph: &BuildGraph, file: &str) -> String {
    graph.targets_of(file).collect::<Vec<_>>().join(" ")
}
