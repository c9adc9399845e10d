//! What a culprit search is told before it starts.

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
    /// Thresholds over the cumulative posterior (FACF, Algorithm 2, NextRuns), without runs that would tell nothing.
    #[default]
    Cdf,
    /// Thresholds over the cumulative expected gain (FACF, "Choosing the Thresholds in NextRuns"), without such runs.
    ExpectedGain,
    /// The runs that are expected to tell most about the culprit, looking ahead if it pays.
    Information,
    /// Bisection in which a revision fails only if it fails `reruns` times, the paper's baseline (FACF, "Bisection").
    Bisect,
}

/// The configuration of a [`CulpritSearch`](super::CulpritSearch). Every field but `bad` has a default.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CulpritConfig {
    /// The revision that was seen to fail: exactly one. It is a suspect like the others and may be asked again; its first
    /// failure belongs to `prior_no_culprit` and is not counted.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("required" = true)))]
    pub bad: Vec<String>,
    /// Revisions that pass, ancestors of `bad`: one or several, by default its roots. They and their ancestors are no
    /// suspects. They are asked if the flake rate is to be estimated, and before a child of theirs is named.
    #[serde(default)]
    pub good: Vec<String>,
    /// How often the test fails at a healthy revision: a rate in [0, 1), counts of past runs, or `"estimate"`, the
    /// default, which finds it out on the way.
    #[serde(default = "estimate")]
    pub flake_rate: Rate,
    /// No flake rate below this is believed, in [0, 1); by default 0. The paper's evaluation uses 0.1.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("minimum" = 0, "exclusiveMaximum" = 1)))]
    pub min_flake_rate: f64,
    /// How often the test passes at a broken revision, in the forms of `flake_rate`; by default never.
    #[serde(default = "never")]
    pub false_pass_rate: Rate,
    /// How likely each suspect is the culprit, before anything is asked: `"changes"`, by what it touches and what the
    /// test is called, the default where the graph was read from git; `"uniform"`, all alike, the default elsewhere; or
    /// weights, 0 or above, in any unit: they are scaled to sum to what "no culprit" leaves, and a suspect that is not
    /// named weighs 1, or as much as the lightest one named (other than 0) if that is less.
    #[serde(default)]
    pub prior: Option<Prior>,
    /// What the failing test is called, in words or as its runner calls it: one, or several that began to fail together.
    /// Cards show it, and with `prior = "changes"` it says where to look. By default what the command of a command oracle
    /// names, else it is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub test: Vec<String>,
    /// How likely it is beforehand that there is no culprit, in [0, 1), or `"uniform"` for 1 / (suspects + 1) (FACF,
    /// Section 2.4); by default 0.4, what the paper's evaluation saw.
    #[serde(default)]
    pub prior_no_culprit: Option<NoCulprit>,
    /// The probability at which a hypothesis is taken for true, above 0.5 and below 1; by default 0.99.
    #[serde(default = "confidence")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0.5, "exclusiveMaximum" = 1)))]
    pub confidence: f64,
    /// How to choose the next runs; by default `"cdf"`.
    #[serde(default)]
    pub strategy: CulpritStrategy,
    /// With `choose = "bisect"`: how often a revision must fail, 1 or above; by default once.
    #[serde(default)]
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub reruns: Option<u32>,
    /// What a run costs at a revision, above 0: runs are then chosen by what they tell per cost. By default, and at
    /// revisions that are not named, 1. Python and Node also take a function of the id, which is called for each suspect.
    #[serde(default)]
    pub costs: Option<BTreeMap<String, f64>>,
    /// Whether a short verification is the last stage: the culprit and its parents are run until they differ whatever the
    /// rates, or `bad` until no false pass explains that it passes; by default yes. What contradicts the conclusion takes
    /// the search up again, with both rates unknown where those told do not fit. If not, such rates end the search as
    /// `contradictory`. Nothing of this with `choose = "bisect"`.
    #[serde(default = "yes")]
    pub verify: bool,
    /// The failure searched for: failures with another signature count as unresolved. By default the one seen first at a
    /// revision that is known to fail.
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

/// What the paper's evaluation saw: "approximately 60% of the items had a culprit version and 40% did not".
const NO_CULPRIT: f64 = 0.4;

impl CulpritConfig {
    /// A search for who broke `bad`, with a test that flakes at this rate.
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

    /// Sets the revisions that pass.
    #[must_use]
    pub fn good<I>(mut self, good: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        self.good = good.into_iter().map(Into::into).collect();
        self
    }

    /// Sets whether a short verification is the last stage.
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

    /// The prior probability of "no culprit" among so many suspects.
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

    /// Checks what needs no graph.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if !(self.confidence > 0.5 && self.confidence < 1.0) {
            let expected = "a probability above 0.5 and below 1: no number of runs of a flaky test makes certain";
            return Err(Error::invalid("confidence", self.confidence, expected));
        }
        if let Some(NoCulprit::Probability(probability)) = self.prior_no_culprit
            && !(0.0..1.0).contains(&probability)
        {
            return Err(Error::invalid("prior_no_culprit", probability, "a probability in [0, 1), or \"uniform\""));
        }
        match (self.strategy, self.reruns) {
            (CulpritStrategy::Bisect, Some(0)) => {
                Err(Error::invalid("reruns", 0, "1 or above: how often a revision must fail"))
            }
            (CulpritStrategy::Cdf | CulpritStrategy::ExpectedGain | CulpritStrategy::Information, Some(reruns)) => {
                let expected = concat!(
                    "nothing: reruns belong to ",
                    option!(strategy = "bisect"),
                    "; the other choices rerun where it tells most"
                );
                Err(Error::invalid("reruns", reruns, expected))
            }
            _ => Ok(()),
        }
    }

    /// The weights by revision.
    pub(crate) fn weights(&self, graph: &CommitGraph) -> Result<Option<PriorWeights>, Error> {
        Ok(self.prior.as_ref().map(|prior| prior.by_node(graph)).transpose()?.flatten())
    }

    /// The costs by revision.
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

/// The ends of a search in a graph.
pub(crate) struct Ends {
    pub(crate) bad: Node,
    pub(crate) good: Vec<Node>,
}

impl Ends {
    /// One `bad` revision, and `good` ones among its ancestors, by default its roots.
    pub(crate) fn new(graph: &Arc<CommitGraph>, bad: &[String], good: &[String]) -> Result<Self, Error> {
        let [bad] = bad else {
            let expected = concat!(
                "exactly one revision; for several at once use ",
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
                let expected = format!("a revision before bad, {as_bad}: between the two there is nobody to suspect");
                return refused("good", as_good(), expected);
            }
            if !graph.is_ancestor(node, bad) {
                let expected = format!("an ancestor of bad, {as_bad}: another branch's pass says nothing about it");
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
                let expected =
                    "a revision with ancestors: bad is a root, so there is nothing before it to compare with";
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
