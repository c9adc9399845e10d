//! The prior probabilities of suspects.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::belief::PriorWeights;
use crate::graph::{CommitGraph, Node};

/// The prior probabilities of suspects.
#[derive(Debug, Clone)]
pub(in crate::regression) enum Prior {
    /// The same for all, but less for merges.
    Uniform,
    /// Members in ascending order and their weights.
    Weights(Arc<(Vec<Node>, Vec<f64>)>),
}

impl Prior {
    /// Half of the probability evenly, half in proportion to one over the rank, counted from the newest suspect.
    pub(in crate::regression) fn recent(suspects: &FixedBitSet) -> Self {
        let members: Vec<Node> = suspects.ones().map(|node| node as Node).collect();
        let count = members.len();
        let harmonic: f64 = (1..=count).map(|rank| 1.0 / rank as f64).sum();
        let weight = |rank: usize| 0.5 / count as f64 + 0.5 / (rank as f64 * harmonic);
        let weights = (0..count).map(|place| weight(count - place)).collect();
        Prior::Weights(Arc::new((members, weights)))
    }

    /// Most of the probability on the suspects nearest to `bad`, evenly. The rest is the same for each distance from `bad`.
    ///
    /// A share `m` of the probability costs `log2(1 / m)` runs beyond those that tell its own suspects apart. [`NEAR_MASS`]
    /// therefore decides how many runs a near culprit saves and any other costs. For other suspects, the distance counts and not
    /// the number of suspects at that distance.
    pub(in crate::regression) fn latest(graph: &CommitGraph, suspects: &FixedBitSet, bad: Node) -> Self {
        let mut distances = vec![usize::MAX; bad as usize + 1];
        let mut shares: Vec<f64> = Vec::new();
        let mut level = vec![bad];
        distances[bad as usize] = 0;
        while !level.is_empty() {
            shares.push(level.iter().map(|&node| share(graph, node)).sum());
            let mut next = Vec::new();
            for &parent in level.iter().flat_map(|&node| graph.parents(node)) {
                if suspects.contains(parent as usize) && distances[parent as usize] == usize::MAX {
                    distances[parent as usize] = shares.len();
                    next.push(parent);
                }
            }
            level = next;
        }
        let near: f64 = shares.iter().take(NEAR).sum();
        let weight = |&node: &Node| {
            let distance = distances[node as usize];
            let nearby = if distance < NEAR { NEAR_MASS / near } else { 0.0 };
            share(graph, node) * (nearby + (1.0 - NEAR_MASS) / (shares[distance] * shares.len() as f64))
        };
        let members: Vec<Node> = suspects.ones().map(|node| node as Node).collect();
        let weights = members.iter().map(weight).collect();
        Prior::Weights(Arc::new((members, weights)))
    }

    /// Multiplies by the weights that the caller gave.
    pub(in crate::regression) fn times(
        self,
        graph: &CommitGraph,
        suspects: &FixedBitSet,
        given: Option<&PriorWeights>,
    ) -> Self {
        let Some(given) = given else { return self };
        let members: Vec<Node> = suspects.ones().map(|node| node as Node).collect();
        let own = match self {
            // The weights of the caller already account for merges.
            Prior::Uniform => vec![1.0; members.len()],
            prior @ Prior::Weights(_) => prior.of(graph, suspects),
        };
        let weights = members.iter().zip(own).map(|(&node, own)| own * given.possible(node)).collect();
        Prior::Weights(Arc::new((members, weights)))
    }

    pub(super) fn of(&self, graph: &CommitGraph, suspects: &FixedBitSet) -> Vec<f64> {
        match self {
            Prior::Uniform => suspects.ones().map(|node| share(graph, node as Node)).collect(),
            Prior::Weights(prior) => {
                let (members, weights) = &**prior;
                let mut place = 0;
                let mut weight = |node: usize| {
                    while members.get(place).is_some_and(|&member| (member as usize) < node) {
                        place += 1;
                    }
                    weights.get(place).copied().unwrap_or(0.0)
                };
                suspects.ones().map(&mut weight).collect()
            }
        }
    }
}

/// A merge is rarely the culprit, because its parents usually contain the fault.
const MERGE: f64 = 0.2;

/// The number of distances from the leaf that count as near, and the prior probability of the suspects there. A near culprit
/// saves about half of Git's runs, and any other costs at most `log2(1 / 0.4)` = 1.3 more.
const NEAR: usize = 8;
const NEAR_MASS: f64 = 0.6;

fn share(graph: &CommitGraph, node: Node) -> f64 {
    if graph.parents(node).len() > 1 { MERGE } else { 1.0 }
}
