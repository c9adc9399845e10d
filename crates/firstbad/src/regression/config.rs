//! What a regression search is told before it starts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::costs::Costs;
use super::distinguish::DistinguishFailures;
use super::find_good::LookBack;
use crate::belief::{ByNode, NoCulprit, Prior, PriorName, PriorWeights, Rate, numbers};
use crate::error::Error;
use crate::finding::find::Find;
use crate::graph::CommitGraph;
use crate::option;
use crate::suspicion::ReasonedWeights;

/// How a regression search looks for its points.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchKind {
    /// Whatever reaches the goal set by `prefer` with the fewest queries; every answer is trusted.
    #[default]
    Auto,
    /// On a shortest path, from the leaf backwards, one by one (RPA, Section 3.2).
    Linear,
    /// On a shortest path, halving; the midpoint is rounded up, towards the leaf (RPA, Section 3.2).
    Binary,
    /// On a shortest path, with gaps that double, started again in the last gap (RPA, Algorithm 3).
    Multiplying,
    /// On a shortest path, with gaps that double, then halving in the last gap.
    Gallop,
    /// On the whole graph, the revision that `git bisect` would test, skips included.
    Bisect,
    /// On the whole graph, halving prior mass; recent revisions are likelier culprits.
    Weighted,
    /// On the whole graph, flake-aware culprit finding for every newer end, with one belief over what was seen for all of
    /// them (FACF, Section 3). Revisions are asked again if that tells most.
    Bayes,
}

/// What [`SearchKind::Auto`] optimises for.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prefer {
    /// The fewest queries.
    #[default]
    Fewest,
    /// The newest regression point, even if outcomes come and go.
    Latest,
}

/// The configuration of a [`RegressionSearch`](super::RegressionSearch). Every field but the newer end has a default.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegressionConfig {
    /// The newer ends, which fail: one revision or several, each of which gets its regression point. With `find = "fix"`
    /// the older ends, by default the roots.
    #[serde(default)]
    pub bad: Vec<String>,
    /// The older ends, which pass: one revision or several; by default the roots, each of which is asked before a point
    /// rests on it. With `find = "fix"` the newer ends.
    #[serde(default)]
    pub good: Vec<String>,
    /// Where no older end is given: whether to look back for one instead of assuming that the roots are, or the revisions
    /// to try first. Then ancestors further and further back are asked, along first parents, until one is otherwise than
    /// the newer end. In a history that was read from git the last tag before each newer end is tried first. By default no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub find_good: Option<LookBack>,
    /// How to search; by default `"auto"`.
    #[serde(default)]
    pub search: SearchKind,
    /// What `search = "auto"` optimises for; by default `"fewest"`.
    #[serde(default)]
    pub prefer: Prefer,
    /// Whether a point found also answers for the other ends that come from it (RPA, Algorithm 2). By default it does,
    /// unless `prefer` is `"latest"`.
    #[serde(default)]
    pub propagate: Option<bool>,
    /// Whether to go on into failing parents until every parent of the answer is seen to pass; by default yes.
    #[serde(default = "yes")]
    pub check_parents: bool,
    /// Whether to test the given ends first, each once; by default yes. What is known of them already costs nothing. If
    /// not, they are taken to be what they were given as, and the report says so.
    #[serde(default = "yes")]
    pub test_endpoints: bool,
    /// Whether to run the culprit and its parents again before firstbad names the culprit, each alone in a clean
    /// worktree, unless the search has already run them like this. By default yes. Nothing is confirmed without
    /// `clean`, or with `search = "bayes"`, which repeats runs anyway.
    #[serde(default = "yes")]
    pub confirm: bool,
    /// Which change is sought; by default `"regression"`.
    #[serde(default)]
    pub find: Find,
    /// The failure searched for: failures with another signature count as unresolved. By default the one seen at the
    /// first newer end that was tested, if any.
    #[serde(default)]
    pub signature: Option<String>,
    /// Whether to distinguish failures by how the test fails, from its output or the `signature` of the observation. If
    /// true, other failures than that of the bad revision are unresolved. If false, all failures count, unless you give
    /// a `signature`. With `"auto"`, the default, firstbad first finds the culprit without distinguishing failures by
    /// their output. If the culprit fails in another way than the bad revision, the search continues, without repeating
    /// a run, until it finds the commit that introduced the failure of the bad revision. With `"auto"`, a `signature` of
    /// an observation counts from the start.
    #[serde(default)]
    pub distinguish_failures: DistinguishFailures,
    /// How likely each revision broke it, before anything is asked: `"changes"`, by what it touches and what the test
    /// is called, the default where the graph was read from git; `"uniform"`, all alike, the default elsewhere; or
    /// weights by revision, 0 or above, in any unit, where one that is not named has the least of them that is above 0.
    /// It decides what is asked first, and makes no revision impossible. For the searches `"auto"`, `"weighted"` and
    /// `"bayes"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<Prior>,
    /// What the failing test is called, in words or as its runner calls it: one, or several that began to fail together.
    /// Cards show it, and with `prior = "changes"` it says where to look. By default what the command of a command oracle
    /// names, else it is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub test: Vec<String>,
    /// What a run costs at a revision, above 0: questions are then chosen by what they tell per cost. By default, and at
    /// revisions that are not named, 1. Python and Node also take a function of the id, which is called for each suspect.
    /// For the searches `"auto"`, `"weighted"` and `"bayes"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<BTreeMap<String, f64>>,
    /// With `search = "bayes"`: how often the test fails at a healthy revision: a rate in [0, 1), counts of past runs,
    /// or `"estimate"`, which finds it out on the way; by default it is estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flake_rate: Option<Rate>,
    /// With `search = "bayes"`: no flake rate below this is believed, in [0, 1); by default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("minimum" = 0, "exclusiveMaximum" = 1)))]
    pub min_flake_rate: Option<f64>,
    /// With `search = "bayes"`: how often the test passes at a broken revision, in the forms of `flake_rate`; by default
    /// never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub false_pass_rate: Option<Rate>,
    /// With `search = "bayes"`: how likely it is beforehand that the failure of a newer end was a flake, in [0, 1), or
    /// `"uniform"` for 1 / (suspects + 1); by default 0.4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior_no_culprit: Option<NoCulprit>,
    /// With `search = "bayes"`: the probability at which an answer is taken for true, above 0.5 and below 1; by default
    /// 0.99.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0.5, "exclusiveMaximum" = 1)))]
    pub confidence: Option<f64>,
    /// With `search = "bayes"`: whether an answer needs rates that fit what was seen, and enough runs of the culprit and
    /// of its parents to show that they differ, whatever the rates; by default yes. A bad revision whose runs do not come
    /// to that ends as `contradictory`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<bool>,
}

const NOT_BY_HISTORY: &str = concat!(
    "nothing, or ",
    option!(search = "auto"),
    ", \"weighted\" or \"bayes\": the others go by the history alone"
);

fn yes() -> bool {
    true
}

impl RegressionConfig {
    /// A search for what broke `bad`.
    pub fn new<I>(bad: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        RegressionConfig {
            bad: bad.into_iter().map(Into::into).collect(),
            good: Vec::new(),
            find_good: None,
            search: SearchKind::default(),
            prefer: Prefer::default(),
            propagate: None,
            check_parents: true,
            test_endpoints: true,
            confirm: true,
            find: Find::default(),
            signature: None,
            distinguish_failures: DistinguishFailures::default(),
            prior: None,
            test: Vec::new(),
            costs: None,
            flake_rate: None,
            min_flake_rate: None,
            false_pass_rate: None,
            prior_no_culprit: None,
            confidence: None,
            verify: None,
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

    /// Sets how to search.
    #[must_use]
    pub fn search(mut self, search: SearchKind) -> Self {
        self.search = search;
        self
    }

    /// Takes the given ends to be what they were given as, without a test.
    #[must_use]
    pub fn no_test_endpoints(mut self) -> Self {
        self.test_endpoints = false;
        self
    }

    /// Names the culprit without running it again.
    #[must_use]
    pub fn unconfirmed(mut self) -> Self {
        self.confirm = false;
        self
    }

    /// Whether outcomes that one search on a path did not ask for shorten it: not where the paper's algorithms are wanted
    /// to the letter, by neither `propagate` nor `clean`.
    pub(super) fn shares(&self) -> bool {
        self.propagates() || self.check_parents
    }

    /// The prior's weights.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a weight out of range, and a search that takes none; [`Error::UnknownRevision`],
    /// [`Error::AmbiguousRevision`].
    pub(super) fn weights(&self, graph: &CommitGraph) -> Result<Option<PriorWeights>, Error> {
        let Some(prior) = &self.prior else { return Ok(None) };
        if self.goes_by_history() {
            return match prior {
                Prior::Named(PriorName::Uniform) => Ok(None),
                Prior::Named(PriorName::Changes) => Err(Error::invalid("prior", "changes", NOT_BY_HISTORY)),
                Prior::Weights(weights) | Prior::Reasoned(ReasonedWeights { weights, .. }) => {
                    Err(Error::invalid("prior", format!("{} weights", weights.len()), NOT_BY_HISTORY))
                }
            };
        }
        prior.by_node(graph)
    }

    /// What runs cost.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a number out of range, and a search that takes none; [`Error::UnknownRevision`],
    /// [`Error::AmbiguousRevision`].
    pub(super) fn costs(&self, graph: &CommitGraph) -> Result<Costs, Error> {
        let runs = match &self.costs {
            None => ByNode::new(),
            Some(costs) if self.goes_by_history() => {
                return Err(Error::invalid("costs", format!("{} costs", costs.len()), NOT_BY_HISTORY));
            }
            Some(costs) => numbers(graph, "costs", costs, "a finite cost above 0", |cost| cost > 0.0)?,
        };
        Ok(Costs::new(runs))
    }

    /// Whether what is asked follows from the history and the answers alone.
    fn goes_by_history(&self) -> bool {
        match self.search {
            SearchKind::Auto | SearchKind::Weighted | SearchKind::Bayes => false,
            SearchKind::Linear
            | SearchKind::Binary
            | SearchKind::Multiplying
            | SearchKind::Gallop
            | SearchKind::Bisect => true,
        }
    }

    /// Whether points are propagated, default included.
    #[must_use]
    pub fn propagates(&self) -> bool {
        self.propagate.unwrap_or(self.prefer == Prefer::Fewest)
    }
}
