//! What is believed beforehand of who it was.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::by_node::{ByNode, named, numbers};
use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::suspicion::{CommitReason, ReasonedWeights, SelectionReason};

/// How likely each revision is the culprit, before anything is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "invalid type, expected weights by revision, a ranking, \"changes\" or \"uniform\"")]
pub enum Prior {
    /// Named in a word.
    Named(PriorName),
    /// Weights by revision, finite and 0 or above; they need not sum to 1.
    Weights(BTreeMap<String, f64>),
    /// The same with what speaks for each revision, so that the search can say why it tried one.
    Reasoned(ReasonedWeights),
}

/// A prior in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PriorName {
    /// All are alike.
    Uniform,
    /// By what each commit touches, and what the failing test is called
    /// ([`rank_commits`](crate::suspicion::rank_commits)). Who opens a search reads that from the repository, and puts a
    /// ranking in its place; a search itself reads nothing.
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
    /// The weights by revision; `None` if all are alike.
    ///
    /// # Errors
    /// Those of [`numbers`]; [`Error::InvalidArgument`] where nobody has read what commits touch.
    pub(crate) fn by_node(&self, graph: &CommitGraph) -> Result<Option<PriorWeights>, Error> {
        match self {
            Prior::Named(PriorName::Uniform) => Ok(None),
            Prior::Named(PriorName::Changes) => {
                let expected =
                    "weights by revision, or a graph that was read from a git repository, to see what commits touch";
                Err(Error::invalid("prior", "changes", expected))
            }
            Prior::Weights(weights) => PriorWeights::of(graph, weights, &BTreeMap::new()).map(Some),
            Prior::Reasoned(given) if given.weights.is_empty() => Ok(None),
            Prior::Reasoned(ReasonedWeights { weights, reasons, .. }) => {
                PriorWeights::of(graph, weights, reasons).map(Some)
            }
        }
    }

    /// The same under full ids, which a branch that moves does not change; `None` if all are alike.
    pub(crate) fn settled(self, graph: &CommitGraph, weights: Option<&PriorWeights>) -> Option<Prior> {
        match self {
            Prior::Reasoned(given) if given.weights.is_empty() => Some(Prior::Reasoned(given)),
            _ => weights.map(|weights| weights.named(graph)),
        }
    }

    /// What is to be known of it before one believes the answer, in sentences.
    pub(crate) fn warnings(&self) -> Vec<String> {
        match self {
            Prior::Reasoned(given) => given.warning.iter().cloned().collect(),
            Prior::Named(_) | Prior::Weights(_) => Vec::new(),
        }
    }
}

/// How likely each revision is the culprit, before anything is asked: weights as they were given.
#[derive(Debug, Clone)]
pub(crate) struct PriorWeights {
    weights: ByNode,
    /// The weight of what is not named: the least one above 0.
    least: f64,
    sum: f64,
    reasons: HashMap<Node, Vec<CommitReason>>,
}

/// The most reasons that are kept of a revision.
const MOST_REASONS: usize = 3;

/// The part of the mass that is spread evenly where no revision may be impossible.
const EVEN: f64 = 0.01;

impl PriorWeights {
    /// # Errors
    /// As [`numbers`], about the argument `prior`.
    pub(crate) fn of(
        graph: &CommitGraph,
        prior: &BTreeMap<String, f64>,
        reasons: &BTreeMap<String, Vec<CommitReason>>,
    ) -> Result<Self, Error> {
        let weights = numbers(graph, "prior", prior, "a finite weight, 0 or above", |weight| weight >= 0.0)?;
        let least = weights.values().copied().filter(|&weight| weight > 0.0).fold(1.0, f64::min);
        // In the order of the history, so that it is rounded alike in every run.
        let mut ordered: Vec<(Node, f64)> = weights.iter().map(|(&node, &weight)| (node, weight)).collect();
        ordered.sort_unstable_by_key(|(node, _)| *node);
        let sum = ordered.into_iter().map(|(_, weight)| weight).sum();
        let known = |(name, reasons): (&String, &Vec<CommitReason>)| {
            Ok((graph.resolve(name, "prior")?, reasons.iter().take(MOST_REASONS).cloned().collect()))
        };
        let reasons = reasons.iter().map(known).collect::<Result<_, Error>>()?;
        Ok(PriorWeights { weights, least, sum, reasons })
    }

    /// The prior as it was given, under full ids.
    pub(crate) fn named(&self, graph: &CommitGraph) -> Prior {
        let id = |&node: &Node| graph.id(node).to_owned();
        let weights = named(graph, &self.weights);
        if self.reasons.is_empty() {
            return Prior::Weights(weights);
        }
        let reasons = self.reasons.iter().map(|(node, reasons)| (id(node), reasons.clone())).collect();
        Prior::Reasoned(ReasonedWeights { weights, reasons, warning: None })
    }

    /// Why a revision is tried: what speaks for it, or for a child that is likelier; `None` if nothing is known.
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

    /// The same for some revisions, by id.
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

    /// The weight of a revision, above 0: no prior makes a search blind.
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

    /// A rounding that differs from run to run would decide between questions that are equally good.
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
