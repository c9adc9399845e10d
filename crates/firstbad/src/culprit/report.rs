//! What a culprit search answers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::belief::{Belief, Partition};
use super::suspects::Suspects;
use crate::belief::Tally;
use crate::graph::Node;
use crate::ledger::RevisionObservation;
use crate::search::Status;

/// Who is to blame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conclusion {
    /// One revision (FACF: `CULPRIT_VERSION_IDENTIFIED`).
    Culprit,
    /// Nobody: the failure was a flake (FACF: `FLAKE_IDENTIFIED`).
    Flake,
    /// It cannot be said, or not yet.
    Inconclusive,
}

/// Why a search has, or has not, come to its conclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Not done yet.
    Running,
    /// The conclusion's probability has reached the confidence asked for.
    Confident,
    /// With `choose = "bisect"`: nothing else is left if every outcome is what its reruns make of it. How likely that
    /// is, the probability says.
    Bisected,
    /// The suspects left differ only at revisions that cannot be tested.
    Inseparable,
    /// The answers fit no single culprit at the flake rate given.
    Contradictory,
    /// The end that was given as good fails.
    GoodEndFails,
    /// The budget was used up first.
    Budget,
    /// The caller or its oracle stopped it first.
    Stopped,
}

/// A hypothesis with its probability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hypothesis {
    /// The suspect; nothing for "no culprit".
    pub revision: Option<String>,
    /// Its posterior probability, in [0, 1].
    pub probability: f64,
}

/// The answer of a culprit search, final or the best so far. The posterior of every suspect is
/// [`Search::posterior`](crate::Search::posterior).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CulpritReport {
    /// Where the search stands.
    pub status: Status,
    /// Who is to blame.
    pub conclusion: Conclusion,
    /// Why that, or why not more.
    pub reason: Reason,
    /// The same in one or two sentences, for people.
    pub message: String,
    /// The culprit; nothing unless the conclusion is `culprit`.
    pub culprit: Option<String>,
    /// The posterior probability of the conclusion, in [0, 1]: for `culprit` that it is this revision, for `flake` that
    /// there is no culprit, for `inconclusive` that of the most probable hypothesis.
    pub probability: f64,
    /// The posterior probability that there is no culprit, in [0, 1].
    pub no_culprit: f64,
    /// The fewest hypotheses that reach the confidence together, most probable first, once the search has ended; for
    /// `inseparable` all those that cannot be told apart; while it runs only the most probable ones, at most ten.
    pub credible_set: Vec<Hypothesis>,
    /// How many answers came from the oracle.
    pub queries: u64,
    /// How many executions of the test all answers stand for, counts included.
    pub runs: u64,
    /// The flake rate: as given, or its posterior mean where it is estimated, in [0, 1).
    pub flake_rate: f64,
    /// The rate of false passes, likewise.
    pub false_pass_rate: f64,
    /// Runs at revisions that are healthy by the most probable hypothesis: what was seen of the flake rate.
    pub seen_at_healthy: Tally,
    /// Everything that was seen, in the order told.
    pub observations: Vec<RevisionObservation>,
}

/// The posterior of every suspect, as it was when it was taken. Cheap to take, and nothing is computed before it is
/// looked at.
#[derive(Debug, Clone)]
pub struct Posterior {
    suspects: Arc<Suspects>,
    partition: Partition,
    scales: Vec<f64>,
    no_culprit: f64,
}

impl Posterior {
    pub(crate) fn new(belief: &Belief) -> Self {
        Posterior {
            suspects: Arc::clone(&belief.suspects),
            partition: belief.partition().clone(),
            scales: belief.classes().iter().map(|class| class.scale).collect(),
            no_culprit: belief.none().mass,
        }
    }

    /// How many suspects there are.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there is always a suspect")]
    pub fn len(&self) -> usize {
        self.suspects.len()
    }

    /// The id of a suspect by its place in topological order, from 0 to [`Posterior::len`] exclusive.
    #[must_use]
    pub fn id(&self, place: usize) -> &str {
        self.suspects.graph.id(self.suspects.node(place))
    }

    /// The posterior probability of a suspect by its place, in [0, 1].
    #[must_use]
    pub fn probability(&self, place: usize) -> f64 {
        self.scales[self.partition.class(place)] * self.suspects.prior_at(place)
    }

    /// The posterior probability of a suspect, named as in the graph; nothing for other revisions and unknown names.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        let node: Node = self.suspects.graph.resolve(name, "revision").ok()?;
        self.suspects.place(node).map(|place| self.probability(place))
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

    /// The fewest hypotheses that reach `level` together, most probable first and older ones first among equals; at
    /// most `most` of them. O(n log n).
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
