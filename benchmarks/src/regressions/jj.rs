//! The rule of `jj bisect`: the middle of the suspects in topological order.

use firstbad::graph::Node;
use firstbad::{CommitGraph, Outcome};
use firstbad_testkit::git_run::Cache;

/// Searches by the rule of jj, and returns the first bad revision. A revision without an outcome is left out, and the next one
/// in the order is taken.
pub(super) fn bisect(graph: &CommitGraph, bad: Node, good: &[Node], cache: &mut Cache<'_>) -> Node {
    let mut first_bad = bad;
    let mut suspects = graph.ancestors(&[bad]);
    suspects.difference_with(&graph.ancestors(good));
    let mut skipped = Vec::new();
    loop {
        let open: Vec<Node> = suspects
            .ones()
            .map(|node| node as Node)
            .filter(|node| *node != first_bad && !skipped.contains(node))
            .collect();
        let Some(&middle) = open.get(open.len() / 2) else { return first_bad };
        match cache.ask(middle) {
            Outcome::Fail => {
                first_bad = middle;
                suspects.intersect_with(&graph.ancestors(&[middle]));
            }
            Outcome::Pass => suspects.difference_with(&graph.ancestors(&[middle])),
            Outcome::Unresolved => skipped.push(middle),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_a_line_and_steps_over_revisions_without_an_outcome() {
        let graph = CommitGraph::linear((0..9).map(|place| place.to_string())).unwrap();
        let outcome = |node: Node| if node >= 6 { Outcome::Fail } else { Outcome::Pass };
        let mut outcomes: Vec<Outcome> = (0..9).map(outcome).collect();
        let mut cache = Cache::new(&outcomes, &[8], &[0]);
        assert_eq!(bisect(&graph, 8, &[0], &mut cache), 6);
        assert_eq!(cache.asked(), [4, 6, 5]);
        outcomes[4] = Outcome::Unresolved;
        let mut cache = Cache::new(&outcomes, &[8], &[0]);
        assert_eq!(bisect(&graph, 8, &[0], &mut cache), 6);
    }
}
