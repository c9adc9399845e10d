//! The probabilities of many hypotheses, looked at one by one or all at once.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::graph::{CommitGraph, Node};

/// A hypothesis with its probability.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hypothesis {
    /// The suspect; nothing for "no culprit".
    pub revision: Option<String>,
    /// Its posterior probability, in [0, 1].
    pub probability: f64,
}

/// The posterior of every suspect, as it was when it was taken. Cheap to take, and nothing is computed before it is looked at.
#[derive(Debug, Clone)]
pub struct Posterior {
    graph: Arc<CommitGraph>,
    shares: Arc<dyn Shares>,
    no_culprit: f64,
}

/// What each suspect has of the probability, by its place in topological order.
pub(crate) trait Shares: std::fmt::Debug + Send + Sync {
    /// How many suspects there are.
    fn count(&self) -> usize;

    /// The suspect in a place.
    fn node(&self, place: usize) -> Node;

    /// The place of a suspect; nothing for other revisions.
    fn place(&self, node: Node) -> Option<usize>;

    /// The probability of the suspect in a place.
    fn probability(&self, place: usize) -> f64;
}

impl Posterior {
    pub(crate) fn new(graph: Arc<CommitGraph>, shares: Arc<dyn Shares>, no_culprit: f64) -> Self {
        Posterior { graph, shares, no_culprit }
    }

    /// How many suspects there are.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there is always a suspect")]
    pub fn len(&self) -> usize {
        self.shares.count()
    }

    /// The id of a suspect by its place in topological order, from 0 to [`Posterior::len`] exclusive.
    #[must_use]
    pub fn id(&self, place: usize) -> &str {
        self.graph.id(self.shares.node(place))
    }

    /// The posterior probability of a suspect by its place, in [0, 1].
    #[must_use]
    pub fn probability(&self, place: usize) -> f64 {
        self.shares.probability(place)
    }

    /// The posterior probability of a suspect, named as in the graph; nothing for other revisions and unknown names.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        let node = self.graph.resolve(name, "revision").ok()?;
        self.shares.place(node).map(|place| self.probability(place))
    }

    /// The posterior probability that there is no culprit, in [0, 1].
    #[must_use]
    pub fn no_culprit(&self) -> f64 {
        self.no_culprit
    }

    /// All suspects with their probabilities, in topological order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, f64)> + '_ {
        (0..self.len()).map(|place| (self.id(place), self.probability(place)))
    }

    /// The fewest hypotheses that reach `level` together, most probable first and older ones first among equals; at most `most`
    /// of them. O(n log n).
    #[must_use]
    pub fn credible_set(&self, level: f64, most: usize) -> Vec<Hypothesis> {
        let mut hypotheses: Vec<(f64, usize)> =
            (0..self.len()).map(|place| (self.probability(place), place)).filter(|&(p, _)| p > 0.0).collect();
        // "No culprit" comes after all suspects.
        hypotheses.push((self.no_culprit, self.len()));
        let order = |one: &(f64, usize), other: &(f64, usize)| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1));
        if most < hypotheses.len() {
            hypotheses.select_nth_unstable_by(most, order);
            hypotheses.truncate(most);
        }
        hypotheses.sort_unstable_by(order);
        let mut sum = 0.0;
        let mut set = Vec::new();
        for (probability, place) in hypotheses {
            if sum >= level || set.len() == most || probability == 0.0 {
                break;
            }
            sum += probability;
            let revision = (place < self.len()).then(|| self.id(place).to_owned());
            set.push(Hypothesis { revision, probability });
        }
        set
    }
}
