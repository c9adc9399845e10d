//! The configuration of a culprit search.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::belief::{ByNode, NoCulprit, Prior, PriorWeights, Rate, RateError, Rates, numbers};
use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::option;
use crate::words::printable::as_given;

/// How a culprit search chooses its next runs.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CulpritStrategy {
    /// Thresholds over the cumulative posterior (FACF, Algorithm 2, NextRuns), without runs that give no information.
    #[default]
    Cdf,
    /// Thresholds over the cumulative expected gain (FACF, "Choosing the Thresholds in NextRuns"), without runs that give no
    /// information.
    ExpectedGain,
    /// The runs with the highest expected information about the culprit. The choice looks ahead if that pays off.
    Information,
    /// Bisection, the paper's baseline (FACF, "Bisection"). A revision counts as failing only after `reruns` failures.
    Bisect,
}

/// The configuration of a [`CulpritSearch`](super::CulpritSearch). Every field except `bad` has a default.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CulpritConfig {
    /// The bad revision, known to fail. Exactly one. It is a suspect and can be run again. Its first failure is part of
    /// `prior_no_culprit` and is not counted as a run.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("required" = true)))]
    pub bad: Vec<String>,
    /// The good revisions, ancestors of `bad`. The default is the roots of its history. These revisions and their ancestors are
    /// not suspects. firstbad runs a good revision to estimate the flake rate, and before it reports a child of the revision as
    /// the culprit.
    #[serde(default)]
    pub good: Vec<String>,
    /// The probability that the test fails at a healthy revision: a rate in [0, 1), counts of past runs, or `"estimate"`. The
    /// default is `"estimate"`, which estimates the rate from the runs of the search.
    #[serde(default = "estimate")]
    pub flake_rate: Rate,
    /// The minimum flake rate, in [0, 1). The default is 0. The paper's evaluation uses 0.1.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("minimum" = 0, "exclusiveMaximum" = 1)))]
    pub min_flake_rate: f64,
    /// The probability that the test passes at a broken revision, in the same forms as `flake_rate`. The default is 0.
    #[serde(default = "never")]
    pub false_pass_rate: Rate,
    /// The prior probability of each suspect. `"changes"` ranks commits by the files they touch and the name of the test, and is
    /// the default if the graph was read from Git. `"uniform"` makes all suspects equally likely, and is the default otherwise.
    /// Weights by revision can have any unit and must be 0 or above. They are scaled to sum to 1 minus `prior_no_culprit`. An
    /// unlisted suspect weighs 1, or the smallest listed weight above 0 if that is less.
    #[serde(default)]
    pub prior: Option<Prior>,
    /// The names of the failing tests, as words or as the test runner prints them. List several if they began to fail together.
    /// Cards show the names, and `prior = "changes"` compares them with the changed files. The default is the test that a command
    /// oracle's command names, if any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub test: Vec<String>,
    /// The prior probability that there is no culprit, in [0, 1), or `"uniform"` for 1 / (suspects + 1) (FACF, Section 2.4). The
    /// default is 0.4, the share in the paper's evaluation.
    #[serde(default)]
    pub prior_no_culprit: Option<NoCulprit>,
    /// The probability at which a hypothesis is accepted, above 0.5 and below 1. The default is 0.99.
    #[serde(default = "confidence")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0.5, "exclusiveMaximum" = 1)))]
    pub confidence: f64,
    /// How to choose the next runs. The default is `"cdf"`.
    #[serde(default)]
    pub strategy: CulpritStrategy,
    /// The number of failures that make a revision fail, 1 or above. Only with `choose = "bisect"`. The default is 1.
    #[serde(default)]
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub reruns: Option<u32>,
    /// The cost of a run by revision, above 0, in any unit. firstbad then maximizes information per cost. The default, also for
    /// unlisted revisions, is 1. The Python and Node APIs also accept a function of the id, which is called for each suspect.
    #[serde(default)]
    pub costs: Option<BTreeMap<String, f64>>,
    /// Whether the search verifies its conclusion before it ends. The default is true. The culprit and its parents are run until
    /// they differ at any rates, or `bad` is run until false passes do not explain its passes. If a run contradicts the
    /// conclusion, the search resumes. If the given rates do not fit the runs, it continues with both rates unknown. Without
    /// verification, rates that do not fit end the search as `contradictory`. Ignored with `choose = "bisect"`.
    #[serde(default = "yes")]
    pub verify: bool,
    /// The signature of the failure to search for. Failures with another signature count as unresolved. The default is the first
    /// signature observed at a revision that is known to fail.
    #[serde(default)]
    pub signature: Option<String>,
}

fn estimate() -> Rate {
    Rate::Estimate
}

fn never() -> Rate {
    Rate::Known(0.0)
}

fn confidence() -> f64 {
    0.99
}

fn yes() -> bool {
    true
}

/// The share in the paper's evaluation: "approximately 60% of the items had a culprit version and 40% did not".
const NO_CULPRIT: f64 = 0.4;

impl CulpritConfig {
    /// Creates a configuration with a bad revision and a flake rate, and defaults for everything else.
    pub fn new(bad: impl Into<String>, flake_rate: Rate) -> Self {
        CulpritConfig {
            bad: vec![bad.into()],
            good: Vec::new(),
            flake_rate,
            min_flake_rate: 0.0,
            false_pass_rate: never(),
            prior: None,
            test: Vec::new(),
            prior_no_culprit: None,
            confidence: confidence(),
            strategy: CulpritStrategy::default(),
            reruns: None,
            costs: None,
            verify: true,
            signature: None,
        }
    }

    /// Sets the good revisions.
    #[must_use]
    pub fn good<I>(mut self, good: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        self.good = good.into_iter().map(Into::into).collect();
        self
    }

    /// Sets whether the search verifies its conclusion.
    #[must_use]
    pub fn verify(mut self, verify: bool) -> Self {
        self.verify = verify;
        self
    }

    /// Sets how to choose the next runs.
    #[must_use]
    pub fn strategy(mut self, strategy: CulpritStrategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// The prior probability of "no culprit" for this number of suspects.
    pub(crate) fn no_culprit(&self, suspects: usize) -> f64 {
        match self.prior_no_culprit {
            None => NO_CULPRIT,
            Some(NoCulprit::Probability(probability)) => probability,
            Some(NoCulprit::Uniform(_)) => 1.0 / (suspects as f64 + 1.0),
        }
    }

    pub(crate) fn rates(&self) -> Result<Rates, Error> {
        Ok(Rates::new(self.flake_rate, self.min_flake_rate, self.false_pass_rate)?)
    }

    /// Checks everything that needs no graph.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if !(self.confidence > 0.5 && self.confidence < 1.0) {
            let expected = "a probability above 0.5 and below 1. A flaky test never gives certainty";
            return Err(Error::invalid("confidence", self.confidence, expected));
        }
        if let Some(NoCulprit::Probability(probability)) = self.prior_no_culprit
            && !(0.0..1.0).contains(&probability)
        {
            return Err(Error::invalid("prior_no_culprit", probability, "a probability in [0, 1), or \"uniform\""));
        }
        match (self.strategy, self.reruns) {
            (CulpritStrategy::Bisect, Some(0)) => {
                Err(Error::invalid("reruns", 0, "the number of failures that count, 1 or above"))
            }
            (CulpritStrategy::Cdf | CulpritStrategy::ExpectedGain | CulpritStrategy::Information, Some(reruns)) => {
                let expected = concat!("nothing. Only ", option!(strategy = "bisect"), " uses reruns");
                Err(Error::invalid("reruns", reruns, expected))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn weights(&self, graph: &CommitGraph) -> Result<Option<PriorWeights>, Error> {
        Ok(self.prior.as_ref().map(|prior| prior.by_node(graph)).transpose()?.flatten())
    }

    pub(crate) fn costs(&self, graph: &CommitGraph) -> Result<ByNode, Error> {
        let Some(costs) = &self.costs else { return Ok(ByNode::new()) };
        numbers(graph, "costs", costs, "a finite cost above 0", |cost| cost > 0.0)
    }
}

impl From<RateError> for Error {
    fn from(error: RateError) -> Self {
        Error::invalid(error.argument, error.value, error.expected)
    }
}

/// The endpoints of a search.
pub(crate) struct Ends {
    pub(crate) bad: Node,
    pub(crate) good: Vec<Node>,
}

impl Ends {
    /// Resolves the bad revision and the good ones, which must be its ancestors. The default is its roots.
    pub(crate) fn new(graph: &Arc<CommitGraph>, bad: &[String], good: &[String]) -> Result<Self, Error> {
        let [bad] = bad else {
            let expected = concat!(
                "exactly one revision. For several bad revisions, use ",
                option!(find_regressions),
                " with ",
                option!(search = "bayes")
            );
            return Err(Error::invalid("bad", bad, expected));
        };
        let (given, bad) = (bad, graph.resolve(bad, "bad")?);
        let as_bad = as_given(given, graph.id(bad));
        let refused = |argument: &str, value: String, expected: String| {
            Err(Error::InvalidArgument { argument: argument.to_owned(), value, expected })
        };
        let mut ends = Ends { bad, good: Vec::new() };
        for name in good {
            let node = graph.resolve(name, "good")?;
            let as_good = || as_given(name, graph.id(node));
            if node == bad {
                let expected = format!("a revision before bad, {as_bad}");
                return refused("good", as_good(), expected);
            }
            if !graph.is_ancestor(node, bad) {
                let expected = format!("an ancestor of bad, {as_bad}");
                return refused("good", as_good(), expected);
            }
            if !ends.good.contains(&node) {
                ends.good.push(node);
            }
        }
        if good.is_empty() {
            let history = graph.ancestors(&[bad]);
            ends.good = graph.roots().filter(|&root| history.contains(root as usize)).collect();
            if ends.good.contains(&bad) {
                let expected = "a revision with ancestors, but bad is a root";
                return refused("bad", as_bad, expected.to_owned());
            }
        }
        Ok(ends)
    }

    pub(crate) fn names(&self, graph: &CommitGraph) -> (Vec<String>, Vec<String>) {
        let name = |&node: &Node| graph.id(node).to_owned();
        (vec![name(&self.bad)], self.good.iter().map(name).collect())
    }
}
