//! Which commits were to blame, by outcomes that were kept.

use hashbrown::HashMap;

use crate::graph::{CommitGraph, Node};

/// What was seen of one test, in whatever runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastOutcomes {
    /// What was tested, in the words of who kept it: a command, a test's name.
    pub test: String,
    /// Revisions, each by its id or by that of its tree, and whether it was seen to pass; else it was seen to fail. The same
    /// may be named several times. What could not be tested is left out.
    pub outcomes: Vec<(String, bool)>,
}

/// A commit that fails where all its parents pass, and the revisions that were tested around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenCulprit {
    /// The commit.
    pub culprit: Node,
    /// The oldest of its ancestors from which on all that were tested pass.
    pub good: Node,
    /// The newest of its descendants, or itself, up to which all that were tested fail.
    pub bad: Node,
}

/// The commits that broke a test, by what was seen of it: those that fail and whose parents, one at least, all were seen to
/// pass; the newest first. Revisions of which both a pass and a failure were seen say nothing. `nodes` are the revisions of a
/// name.
#[must_use]
pub fn culprits_seen(
    graph: &CommitGraph,
    outcomes: &[(String, bool)],
    nodes: impl Fn(&str) -> Vec<Node>,
) -> Vec<SeenCulprit> {
    // `None` where both were seen.
    let mut by_node: HashMap<Node, Option<bool>> = HashMap::new();
    for &(ref name, passes) in outcomes {
        for node in nodes(name) {
            let seen = by_node.entry(node).or_insert(Some(passes));
            *seen = seen.filter(|&before| before == passes);
        }
    }
    let mut tested: Vec<(Node, bool)> = by_node.into_iter().filter_map(|(node, seen)| Some((node, seen?))).collect();
    tested.sort_unstable();
    let passes = |node: Node| Some(tested[tested.binary_search_by_key(&node, |&(node, _)| node).ok()?].1);
    let is_culprit = |node: Node| {
        let parents = graph.parents(node);
        !parents.is_empty() && parents.iter().all(|&parent| passes(parent) == Some(true))
    };
    let culprits = tested.iter().rev().filter(|&&(node, passes)| !passes && is_culprit(node));
    culprits
        .take(MOST)
        .map(|&(culprit, _)| {
            let (before, after) = (graph.ancestors(&[culprit]), graph.descendants(&[culprit]));
            let older = tested.iter().rev().filter(|(node, _)| *node != culprit && before.contains(*node as usize));
            let newer = tested.iter().filter(|(node, _)| after.contains(*node as usize));
            let last = |&(node, _): &(Node, bool)| node;
            let good = older.take_while(|(_, passes)| *passes).map(last).last();
            let bad = newer.take_while(|(_, passes)| !*passes).map(last).last();
            SeenCulprit { culprit, good: good.unwrap_or(graph.parents(culprit)[0]), bad: bad.unwrap_or(culprit) }
        })
        .collect()
}

/// The most culprits of one test, the newest: each takes two walks over the history.
const MOST: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    const PASS: bool = true;
    const FAIL: bool = false;

    fn seen(graph: &CommitGraph, outcomes: &[(&str, bool)]) -> Vec<[String; 3]> {
        let outcomes: Vec<(String, bool)> = outcomes.iter().map(|&(id, passes)| (id.to_owned(), passes)).collect();
        let found = culprits_seen(graph, &outcomes, |name| graph.get(name).into_iter().collect());
        let names = |one: SeenCulprit| [one.good, one.culprit, one.bad].map(|node| graph.id(node).to_owned());
        found.into_iter().map(names).collect()
    }

    #[test]
    fn an_edge_from_pass_to_fail_names_its_culprit() {
        let graph = CommitGraph::linear(["a", "b", "c", "d", "e", "f", "g", "h"]).unwrap();
        let all = [("a", PASS), ("c", PASS), ("d", FAIL), ("f", FAIL), ("g", PASS), ("h", FAIL)];
        assert_eq!(seen(&graph, &all), [["g", "h", "h"], ["a", "d", "f"]]);
        // What was seen to pass and to fail says nothing: neither of an edge, nor of how far a range goes.
        assert_eq!(seen(&graph, &[("c", PASS), ("d", FAIL), ("d", PASS)]), [[""; 3]; 0]);
        assert_eq!(seen(&graph, &[("b", PASS), ("b", FAIL), ("a", PASS), ("c", PASS), ("d", FAIL)]), [["a", "d", "d"]]);
        assert_eq!(seen(&graph, &[("a", FAIL), ("c", FAIL), ("x", PASS)]), [[""; 3]; 0]);
    }

    #[test]
    fn a_merge_is_one_if_all_its_parents_pass() {
        let parents = [("r", vec![]), ("a", vec!["r"]), ("b", vec!["r"]), ("m", vec!["a", "b"])];
        let graph = CommitGraph::new(parents).unwrap();
        assert_eq!(seen(&graph, &[("a", PASS), ("m", FAIL)]), [[""; 3]; 0]);
        assert_eq!(seen(&graph, &[("a", PASS), ("b", FAIL), ("m", FAIL), ("r", PASS)]), [["r", "b", "m"]]);
        assert_eq!(seen(&graph, &[("a", PASS), ("b", PASS), ("m", FAIL), ("r", PASS)]), [["r", "m", "m"]]);
    }
}
