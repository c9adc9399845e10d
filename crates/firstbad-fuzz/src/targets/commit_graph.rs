//! Histories as pairs, as edges, and as files next to a journal.

use firstbad::CommitGraph;
use firstbad_report::draw;

pub(super) fn take(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    // A line is a revision with its parents. Two consecutive words are also an edge.
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    check(CommitGraph::new(lines.iter().filter_map(|line| line.split_first()).map(|(id, parents)| (*id, parents))));
    check(CommitGraph::from_edges(lines.iter().flat_map(|line| line.windows(2).map(|pair| (pair[0], pair[1])))));
    check(CommitGraph::linear(text.lines()));
}

fn check(graph: Result<CommitGraph, firstbad::Error>) {
    let graph = match graph {
        Ok(graph) => graph,
        Err(error) => {
            let _ = error.to_string();
            return;
        }
    };
    let _ = (draw::dot(&graph), draw::mermaid(&graph));
    let pairs = |graph: &CommitGraph| -> Vec<(String, Vec<String>)> {
        let named = |nodes: &[u32]| nodes.iter().map(|&node| graph.id(node).to_owned()).collect();
        (0..graph.len() as u32).map(|node| (graph.id(node).to_owned(), named(graph.parents(node)))).collect()
    };
    let written = pairs(&graph);
    let again = CommitGraph::new(written.iter().map(|(id, parents)| (id, parents))).expect("it was a graph before");
    assert_eq!(pairs(&again), written);
    let leaves: Vec<u32> = graph.leaves().collect();
    assert_eq!(graph.ancestors(&leaves).count_ones(..), graph.len(), "a graph has leaves above everything");
    assert_eq!(again.fingerprint(&leaves), graph.fingerprint(&leaves));
    for id in graph.ids() {
        assert!(graph.resolve(id, "bad").is_ok_and(|node| graph.id(node) == id), "{id:?} is not itself");
    }
}
