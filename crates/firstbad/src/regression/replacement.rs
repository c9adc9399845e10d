//! Ends that cannot be tested: an older revision that can be takes their place.
//!
//! From the end backwards, by first parents, with gaps that double, and by halving in the last gap. What is to be asked
//! next follows from the outcomes alone, so that answers may come in any order and from anywhere.

use crate::graph::{CommitGraph, Node};
use crate::search::Outcome;

/// So many revisions are tried while not a single one could be tested: then it is the test that does not work.
pub(super) const FRUITLESS: usize = 8;

/// The limit if all revisions were unresolved for the same reason: both endpoints.
pub(super) const ALIKE: usize = 2;

/// What takes the place of an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replacement {
    /// This revision is to be asked first.
    Ask(Node),
    /// The nearest one met that is as the end was said to be.
    Found(Node),
    /// There is none; the nearest older revision that could be tested is otherwise, or (`None`) none could be.
    Missing(Option<Node>),
}

/// What takes the place of an end that was said to be `wanted`.
pub(super) fn replacement(
    graph: &CommitGraph,
    end: Node,
    wanted: Outcome,
    outcome: impl Fn(Node) -> Option<Outcome>,
) -> Replacement {
    let line = first_parents(graph, end);
    let last = line.len() - 1;
    // Up to `low` nothing that was asked helps; `high` was asked, too, and is otherwise than the end.
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
            // Before a failing revision another one may pass: what is wanted is sought further back.
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
    fn steps_over_a_block_in_a_few_questions() {
        use Outcome::{Fail, Pass, Unresolved};
        let outcomes = |passing: usize, failing: usize, hidden: usize| {
            [vec![Pass; passing], vec![Fail; failing], vec![Unresolved; hidden]].concat()
        };
        // 10 from the end the first one that was met fails.
        assert_eq!(asked(&outcomes(900, 80, 10), Fail), (vec![988, 987, 985, 981, 973], Replacement::Found(973)));
        // A single failing one below the block is found by halving.
        let (questions, found) = asked(&outcomes(699, 1, 300), Fail);
        assert_eq!(found, Replacement::Found(699));
        assert!(questions.len() <= 20, "{questions:?}");
        // What could be tested passes: nobody has seen the failure.
        let (questions, found) = asked(&outcomes(700, 0, 300), Fail);
        assert_eq!(found, Replacement::Missing(Some(699)));
        assert!(questions.len() <= 20, "{questions:?}");
        // A good end is sought before the failing ones.
        let (_, found) = asked(&outcomes(100, 300, 300), Pass);
        assert!(matches!(found, Replacement::Found(0..100)), "{found:?}");
        let (questions, found) = asked(&outcomes(0, 0, 1000), Pass);
        assert_eq!((questions.len(), found), (11, Replacement::Missing(None)));
    }
}
