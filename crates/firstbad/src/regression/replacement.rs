//! Replacements for unresolved endpoints: an older revision that is resolved.
//!
//! The search goes back along first parents with doubling gaps, then halves the last gap. The next revision depends only on the
//! known outcomes, so that outcomes can arrive in any order.

use crate::graph::{CommitGraph, Node};
use crate::search::Outcome;

/// If this many revisions are tested and all are unresolved, the test itself must be broken.
pub(super) const FRUITLESS: usize = 8;

/// The limit if all revisions were unresolved for the same reason: both endpoints.
pub(super) const ALIKE: usize = 2;

/// The replacement of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replacement {
    /// This revision must be tested first.
    Ask(Node),
    /// The nearest tested revision with the given outcome of the endpoint.
    Found(Node),
    /// There is no replacement. The nearest resolved revision has the other outcome, or there is none.
    Missing(Option<Node>),
}

/// Finds the replacement of an endpoint with the given outcome `wanted`.
pub(super) fn replacement(
    graph: &CommitGraph,
    end: Node,
    wanted: Outcome,
    outcome: impl Fn(Node) -> Option<Outcome>,
) -> Replacement {
    let line = first_parents(graph, end);
    let last = line.len() - 1;
    // Tested revisions up to `low` are no replacement. `high` was tested and has the other outcome.
    let (mut low, mut high) = (0, None);
    loop {
        let next = match high {
            None if low == last => return Replacement::Missing(None),
            None => (2 * low).clamp(1, last),
            Some(high) if high - low <= 1 => return Replacement::Missing(Some(line[high])),
            Some(high) => usize::midpoint(low, high),
        };
        match outcome(line[next]) {
            None => return Replacement::Ask(line[next]),
            Some(found) if found == wanted => return Replacement::Found(line[next]),
            Some(Outcome::Unresolved) => low = next,
            // Even before a failing revision, another one can pass, so look further back.
            Some(Outcome::Fail) => low = next,
            Some(Outcome::Pass) => high = Some(next),
        }
    }
}

/// A revision and its first parents, down to a root.
fn first_parents(graph: &CommitGraph, revision: Node) -> Vec<Node> {
    std::iter::successors(Some(revision), |&node| graph.parents(node).first().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(outcomes: &[Outcome], wanted: Outcome) -> (Vec<Node>, Replacement) {
        let graph = CommitGraph::linear((0..outcomes.len()).map(|number| number.to_string())).unwrap();
        let mut known = vec![None; outcomes.len()];
        let end = outcomes.len() as Node - 1;
        let mut asked = Vec::new();
        loop {
            match replacement(&graph, end, wanted, |node| known[node as usize]) {
                Replacement::Ask(node) => {
                    assert_eq!(known[node as usize], None);
                    known[node as usize] = Some(outcomes[node as usize]);
                    asked.push(node);
                }
                done => return (asked, done),
            }
        }
    }

    #[test]
    fn finds_a_replacement_behind_an_unresolved_block_in_a_few_runs() {
        use Outcome::{Fail, Pass, Unresolved};
        let outcomes = |passing: usize, failing: usize, hidden: usize| {
            [vec![Pass; passing], vec![Fail; failing], vec![Unresolved; hidden]].concat()
        };
        // The first resolved revision, at least 10 from the end, fails.
        assert_eq!(asked(&outcomes(900, 80, 10), Fail), (vec![988, 987, 985, 981, 973], Replacement::Found(973)));
        // Halving finds the only failing revision before the block.
        let (questions, found) = asked(&outcomes(699, 1, 300), Fail);
        assert_eq!(found, Replacement::Found(699));
        assert!(questions.len() <= 20, "{questions:?}");
        // The resolved revisions pass, so the failure was never observed.
        let (questions, found) = asked(&outcomes(700, 0, 300), Fail);
        assert_eq!(found, Replacement::Missing(Some(699)));
        assert!(questions.len() <= 20, "{questions:?}");
        // A good revision is before the failing ones.
        let (_, found) = asked(&outcomes(100, 300, 300), Pass);
        assert!(matches!(found, Replacement::Found(0..100)), "{found:?}");
        let (questions, found) = asked(&outcomes(0, 0, 1000), Pass);
        assert_eq!((questions.len(), found), (11, Replacement::Missing(None)));
    }
}
