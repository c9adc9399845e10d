//! What is believed beforehand of who it was.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::by_node::{ByNode, numbers};
use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::suspicion::ContentRanking;

/// How likely each revision is the culprit, before anything is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "invalid type, expected weights by revision, a ranking, \"changes\" or \"uniform\"")]
pub enum Prior {
    /// Named in a word.
    Named(PriorName),
    /// By what each commit touches, with the reasons: what [`PriorName::Changes`] becomes.
    Ranking(ContentRanking),
    /// Weights by revision, finite and 0 or above; they need not sum to 1.
    Weights(BTreeMap<String, f64>),
}

/// A prior in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PriorName {
    /// All are alike.
    Uniform,
    /// By what each commit touches, and what the failing test is called
    /// ([`rank_content`](crate::suspicion::rank_content)). Who opens a search reads that from the repository, and puts a
    /// ranking in its place; a search itself reads nothing.
    Changes,
}

impl FromIterator<(String, f64)> for Prior {
    fn from_iter<I: IntoIterator<Item = (String, f64)>>(weights: I) -> Self {
        Prior::Weights(weights.into_iter().collect())
    }
}

impl From<ContentRanking> for Prior {
    fn from(ranking: ContentRanking) -> Self {
        Prior::Ranking(ranking)
    }
}

impl From<BTreeMap<String, f64>> for Prior {
    fn from(weights: BTreeMap<String, f64>) -> Self {
        Prior::Weights(weights)
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
            Prior::Ranking(ranking) if ranking.suspects.is_empty() => Ok(None),
            Prior::Ranking(ranking) => PriorWeights::of(graph, &ranking.prior()).map(Some),
            Prior::Weights(weights) => PriorWeights::of(graph, weights).map(Some),
        }
    }

    /// The same under full ids, which a branch that moves does not change; `None` if all are alike.
    pub(crate) fn settled(self, graph: &CommitGraph, weights: Option<&PriorWeights>) -> Option<Prior> {
        match self {
            Prior::Ranking(ranking) => Some(Prior::Ranking(ranking)),
            Prior::Named(_) | Prior::Weights(_) => Some(weights?.named(graph).into()),
        }
    }

    /// What is to be known of it before one believes the answer, in sentences.
    pub(crate) fn warnings(&self) -> Vec<String> {
        match self {
            Prior::Ranking(ranking) => ranking.warning.iter().cloned().collect(),
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
}

/// The part of the mass that is spread evenly where no revision may be impossible.
const EVEN: f64 = 0.01;

impl PriorWeights {
    /// # Errors
    /// As [`numbers`], about the argument `prior`.
    pub(crate) fn of(graph: &CommitGraph, prior: &BTreeMap<String, f64>) -> Result<Self, Error> {
        let weights = numbers(graph, "prior", prior, "a finite weight, 0 or above", |weight| weight >= 0.0)?;
        let least = weights.values().copied().filter(|&weight| weight > 0.0).fold(1.0, f64::min);
        let sum = weights.values().sum();
        Ok(PriorWeights { weights, least, sum })
    }

    /// The weights as they were given, under full ids.
    pub(crate) fn named(&self, graph: &CommitGraph) -> BTreeMap<String, f64> {
        self.weights.iter().map(|(&node, &weight)| (graph.id(node).to_owned(), weight)).collect()
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
