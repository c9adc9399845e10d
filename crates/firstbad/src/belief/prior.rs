//! Prior probabilities of revisions.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::by_node::{ByNode, named, numbers};
use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::suspicion::{CommitReason, ReasonedWeights, SelectionReason};

/// The prior probability that each revision is the culprit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "invalid type, expected weights by revision, a ranking, \"changes\" or \"uniform\"")]
pub enum Prior {
    /// A prior by name.
    Named(PriorName),
    /// Weights by revision, finite and 0 or above. They need not sum to 1.
    Weights(BTreeMap<String, f64>),
    /// Weights by revision with reasons, so that the report can say why a revision was tried.
    Reasoned(ReasonedWeights),
}

/// The name of a prior.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PriorName {
    /// All revisions are equally likely.
    Uniform,
    /// Revisions are ranked by the files they touch and the name of the failing test
    /// ([`rank_commits`](crate::suspicion::rank_commits)). The code that opens a search from a repository computes the ranking. A
    /// search by itself cannot.
    Changes,
}

impl FromIterator<(String, f64)> for Prior {
    fn from_iter<I: IntoIterator<Item = (String, f64)>>(weights: I) -> Self {
        Prior::Weights(weights.into_iter().collect())
    }
}

impl From<BTreeMap<String, f64>> for Prior {
    fn from(weights: BTreeMap<String, f64>) -> Self {
        Prior::Weights(weights)
    }
}

impl From<ReasonedWeights> for Prior {
    fn from(weights: ReasonedWeights) -> Self {
        Prior::Reasoned(weights)
    }
}

impl Prior {
    /// The weights by revision, or `None` if all are equal.
    ///
    /// # Errors
    /// Those of [`numbers`], and [`Error::InvalidArgument`] for `changes` without a ranking.
    pub(crate) fn by_node(&self, graph: &CommitGraph) -> Result<Option<PriorWeights>, Error> {
        match self {
            Prior::Named(PriorName::Uniform) => Ok(None),
            Prior::Named(PriorName::Changes) => {
                let expected =
                    "weights by revision, or a graph from a Git repository, which has the changes of its commits";
                Err(Error::invalid("prior", "changes", expected))
            }
            Prior::Weights(weights) => PriorWeights::of(graph, weights, &BTreeMap::new()).map(Some),
            Prior::Reasoned(given) if given.weights.is_empty() => Ok(None),
            Prior::Reasoned(ReasonedWeights { weights, reasons, .. }) => {
                PriorWeights::of(graph, weights, reasons).map(Some)
            }
        }
    }

    /// The same prior under full ids, which stay the same if a branch moves. `None` if all weights are equal.
    pub(crate) fn settled(self, graph: &CommitGraph, weights: Option<&PriorWeights>) -> Option<Prior> {
        match self {
            Prior::Reasoned(given) if given.weights.is_empty() => Some(Prior::Reasoned(given)),
            _ => weights.map(|weights| weights.named(graph)),
        }
    }

    /// Warnings about the prior, in sentences.
    pub(crate) fn warnings(&self) -> Vec<String> {
        match self {
            Prior::Reasoned(given) => given.warning.iter().cloned().collect(),
            Prior::Named(_) | Prior::Weights(_) => Vec::new(),
        }
    }
}

/// The prior weights of revisions, as given.
#[derive(Debug, Clone)]
pub(crate) struct PriorWeights {
    weights: ByNode,
    /// The weight of an unlisted revision: the smallest listed weight above 0, but at most 1.
    least: f64,
    sum: f64,
    reasons: HashMap<Node, Vec<CommitReason>>,
}

/// The maximum number of reasons for each revision.
const MOST_REASONS: usize = 3;

/// The share of the probability that is spread evenly if no revision may be impossible.
const EVEN: f64 = 0.01;

impl PriorWeights {
    /// Resolves weights and reasons.
    ///
    /// # Errors
    /// Those of [`numbers`], for the argument `prior`.
    pub(crate) fn of(
        graph: &CommitGraph,
        prior: &BTreeMap<String, f64>,
        reasons: &BTreeMap<String, Vec<CommitReason>>,
    ) -> Result<Self, Error> {
        let weights = numbers(graph, "prior", prior, "a finite weight, 0 or above", |weight| weight >= 0.0)?;
        let least = weights.values().copied().filter(|&weight| weight > 0.0).fold(1.0, f64::min);
        // Sum in the order of the history, so that rounding is the same in every run.
        let mut ordered: Vec<(Node, f64)> = weights.iter().map(|(&node, &weight)| (node, weight)).collect();
        ordered.sort_unstable_by_key(|(node, _)| *node);
        let sum = ordered.into_iter().map(|(_, weight)| weight).sum();
        let known = |(name, reasons): (&String, &Vec<CommitReason>)| {
            Ok((graph.resolve(name, "prior")?, reasons.iter().take(MOST_REASONS).cloned().collect()))
        };
        let reasons = reasons.iter().map(known).collect::<Result<_, Error>>()?;
        Ok(PriorWeights { weights, least, sum, reasons })
    }

    /// The prior under full ids.
    pub(crate) fn named(&self, graph: &CommitGraph) -> Prior {
        let id = |&node: &Node| graph.id(node).to_owned();
        let weights = named(graph, &self.weights);
        if self.reasons.is_empty() {
            return Prior::Weights(weights);
        }
        let reasons = self.reasons.iter().map(|(node, reasons)| (id(node), reasons.clone())).collect();
        Prior::Reasoned(ReasonedWeights { weights, reasons, warning: None })
    }

    /// Why a revision is tried: the reasons for it, or for a more likely child. `None` if there are no reasons.
    pub(crate) fn why(&self, graph: &CommitGraph, node: Node) -> Option<SelectionReason> {
        let own = self.weights.get(&node)?;
        let weight = |child: &Node| self.weights.get(child).copied().unwrap_or_default();
        let likeliest = graph
            .children(node)
            .iter()
            .copied()
            .reduce(|best, next| if weight(&next) > weight(&best) { next } else { best });
        let before = likeliest.filter(|child| weight(child) > *own);
        SelectionReason::of(before.map(|child| graph.id(child)), self.reasons.get(&before.unwrap_or(node))?)
    }

    /// The reasons for several revisions, by id.
    pub(crate) fn whys(
        &self,
        graph: &CommitGraph,
        nodes: &mut dyn Iterator<Item = Node>,
    ) -> BTreeMap<String, SelectionReason> {
        if self.reasons.is_empty() {
            return BTreeMap::new();
        }
        nodes.filter_map(|node| Some((graph.id(node).to_owned(), self.why(graph, node)?))).collect()
    }

    /// The weight of a revision, 0 or above.
    pub(crate) fn weight(&self, node: Node) -> f64 {
        self.weights.get(&node).copied().unwrap_or(self.least)
    }

    /// The weight of a revision, always above 0, so that no prior excludes a revision.
    pub(crate) fn possible(&self, node: Node) -> f64 {
        if self.sum > 0.0 && self.sum.is_finite() {
            (1.0 - EVEN) * self.weight(node) / self.sum + EVEN / self.weights.len() as f64
        } else {
            1.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If rounding differed between runs, it would decide between equally good revisions.
    #[test]
    fn the_sum_of_weights_is_the_same_in_every_run() -> Result<(), Error> {
        let ids: Vec<String> = (0..500).map(|number| number.to_string()).collect();
        let graph = CommitGraph::linear(&ids)?;
        let weights = ids.iter().enumerate().map(|(at, id)| (id.clone(), 1.0 / (at as f64 + 3.0))).collect();
        let sum = || Ok::<_, Error>(PriorWeights::of(&graph, &weights, &BTreeMap::new())?.sum.to_bits());
        let first = sum()?;
        for _ in 0..50 {
            assert_eq!(sum()?, first);
        }
        Ok(())
    }
}
