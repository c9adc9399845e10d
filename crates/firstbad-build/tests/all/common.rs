//! Graphs as text for comparisons.

use std::fmt::Write as _;

use firstbad::suspicion::BuildGraph;

/// Returns a line for each target with its name and dependencies, sorted.
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

/// Returns the targets that own a file.
pub(crate) fn owners(graph: &BuildGraph, file: &str) -> String {
    graph.targets_of(file).collect::<Vec<_>>().join(" ")
}
