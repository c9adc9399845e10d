//! Random histories of many shapes, with an outcome for every revision.

use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::{CommitGraph, Outcome};

use crate::random::Random;

/// A history and the outcome of each revision.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub graph: Arc<CommitGraph>,
    pub outcomes: Vec<Outcome>,
    /// The only culprit. It and its descendants fail or are unresolved. `None` for other worlds.
    pub culprit: Option<Node>,
}

impl World {
    pub(crate) fn new(random: &mut Random) -> Self {
        let parents = parents(random);
        let edges = parents.iter().enumerate().map(|(node, own)| (name(node), own.iter().copied().map(name)));
        let graph = Arc::new(CommitGraph::new(edges).expect("parents come first"));
        // The graph can order revisions differently.
        let place = |node: usize| graph.get(&name(node)).expect("a revision") as usize;
        let places: Vec<usize> = (0..parents.len()).map(place).collect();
        let (mut outcomes, culprit) = outcomes(&graph, random);
        if random.once_in(2) {
            unresolve(&places, &mut outcomes, random);
        }
        World { graph, outcomes, culprit }
    }

    pub(crate) fn outcome(&self, node: Node) -> Outcome {
        self.outcomes[node as usize]
    }
}

fn name(node: usize) -> String {
    format!("r{node}")
}

/// The parents of each revision, among the revisions before it.
fn parents(random: &mut Random) -> Vec<Vec<usize>> {
    let count = random.one_of(&[2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30]);
    let kind = random.below(7);
    (0..count).map(|node| if node == 0 { Vec::new() } else { parents_of(node, kind, random) }).collect()
}

fn parents_of(node: usize, kind: usize, random: &mut Random) -> Vec<usize> {
    let near = |random: &mut Random, reach: usize| node - 1 - random.below(node.min(reach));
    let mut own = match kind {
        // A line.
        0 => vec![node - 1],
        // Several roots.
        1 if random.once_in(5) => vec![],
        1 => (0..random.one_of(&[1, 1, 2])).map(|_| near(random, 4)).collect(),
        // Branches that are never merged.
        2 => vec![near(random, 3)],
        // Merges with up to four parents.
        3 => (0..random.one_of(&[1, 1, 1, 2, 3, 4])).map(|_| near(random, node)).collect(),
        // Two lines, one of which is repeatedly merged into the other.
        4 if node.is_multiple_of(2) => vec![node.saturating_sub(2), node - 1],
        4 => vec![node.saturating_sub(2)],
        // An arbitrary graph.
        5 => (0..random.one_of(&[0, 1, 1, 1, 2, 2])).map(|_| near(random, node)).collect(),
        // A line with merges of short branches.
        _ if random.chance(0.7) => vec![node - 1],
        _ => vec![near(random, 5), near(random, 5)],
    };
    let mut met = Vec::new();
    own.retain(|parent| {
        !met.contains(parent) && {
            met.push(*parent);
            true
        }
    });
    own
}

fn outcomes(graph: &CommitGraph, random: &mut Random) -> (Vec<Outcome>, Option<Node>) {
    let nodes = || 0..graph.len();
    let broken_by = |culprits: &[Node]| {
        let broken = graph.descendants(culprits);
        nodes().map(|node| if broken.contains(node) { Outcome::Fail } else { Outcome::Pass }).collect::<Vec<_>>()
    };
    let any = |random: &mut Random| random.below(graph.len()) as Node;
    match random.below(8) {
        0..4 => {
            let culprit = any(random);
            (broken_by(&[culprit]), Some(culprit))
        }
        4 => (broken_by(&[any(random), any(random), any(random)]), None),
        5 => (nodes().map(|_| random.one_of(&[Outcome::Pass, Outcome::Fail])).collect(), None),
        6 => (vec![random.one_of(&[Outcome::Pass, Outcome::Fail]); graph.len()], None),
        // Outcomes that come and go.
        _ => {
            let mut outcomes: Vec<Outcome> = Vec::new();
            for node in nodes() {
                let before = graph.parents(node as Node).first().map(|&parent| outcomes[parent as usize]);
                let before = before.unwrap_or_else(|| if random.once_in(4) { Outcome::Fail } else { Outcome::Pass });
                outcomes.push(if random.once_in(4) { before.swapped() } else { before });
            }
            (outcomes, None)
        }
    }
}

/// Makes scattered revisions unresolved, or a block of them in the order of `places`.
fn unresolve(places: &[usize], outcomes: &mut [Outcome], random: &mut Random) {
    let share = random.one_of(&[0.1, 0.3, 0.6, 0.9]);
    let from = random.below(places.len());
    let to = from + 1 + random.below(places.len());
    let is_scattered = random.once_in(2);
    for (number, &place) in places.iter().enumerate() {
        if if is_scattered { random.chance(share) } else { (from..to).contains(&number) } {
            outcomes[place] = Outcome::Unresolved;
        }
    }
}
