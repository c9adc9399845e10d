use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::graph::{CommitGraph, Node};

/// A hypothesis with its probability.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hypothesis {
    /// The suspect. Absent for the hypothesis that there is no culprit.
    pub revision: Option<String>,
    /// The posterior probability, from 0 to 1.
    pub probability: f64,
}

/// A snapshot of the posterior probability of every suspect. A snapshot is cheap, because probabilities are computed when they
/// are read.
#[derive(Debug, Clone)]
pub struct Posterior {
    graph: Arc<CommitGraph>,
    shares: Arc<dyn Shares>,
    no_culprit: f64,
}

/// The probabilities of the suspects, by position in topological order.
pub(crate) trait Shares: std::fmt::Debug + Send + Sync {
    fn count(&self) -> usize;

    fn node(&self, place: usize) -> Node;

    /// Returns the position of a suspect, or `None` for other revisions.
    fn place(&self, node: Node) -> Option<usize>;

    fn probability(&self, place: usize) -> f64;
}

impl Posterior {
    pub(crate) fn new(graph: Arc<CommitGraph>, shares: Arc<dyn Shares>, no_culprit: f64) -> Self {
        Posterior { graph, shares, no_culprit }
    }

    /// Returns the number of suspects.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there is always a suspect")]
    pub fn len(&self) -> usize {
        self.shares.count()
    }

    /// Returns the id of a suspect by its position in topological order, below [`Posterior::len`].
    #[must_use]
    pub fn id(&self, place: usize) -> &str {
        self.graph.id(self.shares.node(place))
    }

    /// Returns the probability of a suspect by its position, from 0 to 1.
    #[must_use]
    pub fn probability(&self, place: usize) -> f64 {
        self.shares.probability(place)
    }

    /// Returns the probability of a suspect by name, or `None` if the name is unknown or not a suspect.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        let node = self.graph.resolve(name, "revision").ok()?;
        self.shares.place(node).map(|place| self.probability(place))
    }

    /// Returns the probability that there is no culprit, from 0 to 1.
    #[must_use]
    pub fn no_culprit(&self) -> f64 {
        self.no_culprit
    }

    /// Returns all suspects with their probabilities, in topological order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, f64)> + '_ {
        (0..self.len()).map(|place| (self.id(place), self.probability(place)))
    }

    /// Returns the smallest set of hypotheses with a total probability of at least `level`, cut to `most` hypotheses. The order
    /// is by probability, and older suspects come first among equals. Takes O(n log n).
    #[must_use]
    pub fn credible_set(&self, level: f64, most: usize) -> Vec<Hypothesis> {
        let mut hypotheses: Vec<(f64, usize)> =
            (0..self.len()).map(|place| (self.probability(place), place)).filter(|&(p, _)| p > 0.0).collect();
        // "No culprit" is placed after all suspects.
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
