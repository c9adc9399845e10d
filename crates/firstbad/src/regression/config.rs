//! The configuration of a regression search.

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

/// How a regression search finds its points.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchKind {
    /// The strategy that reaches the goal set by `prefer` with the fewest runs. Every outcome is trusted.
    #[default]
    Auto,
    /// Along a shortest path, one by one from the leaf (RPA, Section 3.2).
    Linear,
    /// Along a shortest path by halving, with the midpoint rounded up toward the leaf (RPA, Section 3.2).
    Binary,
    /// Along a shortest path with doubling gaps, and again in the last gap (RPA, Algorithm 3).
    Multiplying,
    /// Along a shortest path with doubling gaps, then by halving the last gap.
    Gallop,
    /// On the whole graph, the revision that `git bisect` would test, including its handling of skips.
    Bisect,
    /// On the whole graph, by halving the prior probability. Recent revisions are more likely culprits.
    Weighted,
    /// On the whole graph with a flaky test, by flake-aware culprit finding for each newer endpoint (FACF, Section 3), with all runs
    /// as evidence. A revision is run again if that gives the most information.
    Bayes,
}

/// The goal of [`SearchKind::Auto`].
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prefer {
    /// The fewest runs.
    #[default]
    Fewest,
    /// The newest regression point, even if outcomes come and go.
    Latest,
}

/// The configuration of a [`RegressionSearch`](super::RegressionSearch). Every field except the newer endpoint has a default.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegressionConfig {
    /// The bad revisions, known to fail. With several, each gets a regression point. With `find = "fix"`, these are the older
    /// endpoints, and the default is the roots of the history.
    #[serde(default)]
    pub bad: Vec<String>,
    /// The good revisions, known to pass. The default is the roots of the history, and a root is tested before a point depends on
    /// it. With `find = "fix"`, these are the newer endpoints, and required.
    #[serde(default)]
    pub good: Vec<String>,
    /// Whether to look for an older endpoint if none is given, or the revisions to try first. firstbad tests ancestors along
    /// first parents, in growing steps, until one has the other outcome. If the graph was read from Git, firstbad first tries the
    /// last tag before each newer endpoint. The default is false, and the roots are assumed to have the other outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub find_good: Option<LookBack>,
    /// How to search. The default is `"auto"`.
    #[serde(default)]
    pub search: SearchKind,
    /// The goal of `search = "auto"`. The default is `"fewest"`.
    #[serde(default)]
    pub prefer: Prefer,
    /// Whether a point also counts for the other newer endpoints that descend from it (RPA, Algorithm 2). The default is true,
    /// except with `prefer = "latest"`.
    #[serde(default)]
    pub propagate: Option<bool>,
    /// Whether to continue into failing parents until all parents of the culprit pass. The default is true.
    #[serde(default = "yes")]
    pub check_parents: bool,
    /// Whether to test each given endpoint once at the start. The default is true. Known outcomes are reused. If false, firstbad
    /// trusts the endpoints, and the report lists the untested ones.
    #[serde(default = "yes")]
    pub test_endpoints: bool,
    /// Whether to run the culprit and its parents again before firstbad reports the culprit, each alone in a clean worktree. The
    /// default is true. Runs that were already like this are not repeated. Has no effect without `check_parents`, and with
    /// `search = "bayes"`, which repeats runs anyway.
    #[serde(default = "yes")]
    pub confirm: bool,
    /// The change to find: `"regression"` or `"fix"`. The default is `"regression"`.
    #[serde(default)]
    pub find: Find,
    /// The signature of the failure to search for. Failures with another signature count as unresolved. The default is the
    /// signature at the first newer endpoint that was tested, if any.
    #[serde(default)]
    pub signature: Option<String>,
    /// Whether to distinguish failures by how the test fails, using its output or the `signature` of the observation. If true,
    /// all failures except that of the bad revision are unresolved. If false, all failures count, unless you give a `signature`.
    /// With `"auto"`, the default, firstbad first finds the culprit without comparing output. If the culprit fails in another way
    /// than the bad revision, the search continues, without repeating a run, to the commit that introduced the failure of the bad
    /// revision. With `"auto"`, a `signature` of an observation counts from the start.
    #[serde(default)]
    pub distinguish_failures: DistinguishFailures,
    /// The prior probability of each revision. `"changes"` ranks commits by the files they touch and the name of the test, and is
    /// the default if the graph was read from Git. `"uniform"` makes all revisions equally likely, and is the default otherwise.
    /// Weights by revision can have any unit and must be 0 or above. An unlisted revision weighs 1, or the smallest listed weight
    /// above 0 if that is less. The prior decides the order of the runs and excludes no revision. Only for the searches `"auto"`,
    /// `"weighted"`, and `"bayes"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<Prior>,
    /// The names of the failing tests, as words or as the test runner prints them. List several if they began to fail together.
    /// Cards show the names, and `prior = "changes"` compares them with the changed files. The default is the test that a command
    /// oracle's command names, if any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub test: Vec<String>,
    /// The cost of a run by revision, above 0, in any unit. firstbad then maximizes information per cost. The default, also for
    /// unlisted revisions, is 1. The Python and Node APIs also accept a function of the id, which is called for each suspect.
    /// Only for the searches `"auto"`, `"weighted"`, and `"bayes"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<BTreeMap<String, f64>>,
    /// The probability that the test fails at a healthy revision: a rate in [0, 1), counts of past runs, or `"estimate"`. The
    /// default is `"estimate"`, which estimates the rate from the runs of the search. Only with `search = "bayes"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flake_rate: Option<Rate>,
    /// The minimum flake rate, in [0, 1). The default is 0. Only with `search = "bayes"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("minimum" = 0, "exclusiveMaximum" = 1)))]
    pub min_flake_rate: Option<f64>,
    /// The probability that the test passes at a broken revision, in the same forms as `flake_rate`. The default is 0. Only with
    /// `search = "bayes"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub false_pass_rate: Option<Rate>,
    /// The prior probability that the failure of a newer endpoint was a flake, in [0, 1), or `"uniform"` for 1 / (suspects + 1).
    /// The default is 0.4. Only with `search = "bayes"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior_no_culprit: Option<NoCulprit>,
    /// The probability at which a result is accepted, above 0.5 and below 1. The default is 0.99. Only with `search = "bayes"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0.5, "exclusiveMaximum" = 1)))]
    pub confidence: Option<f64>,
    /// Whether to verify results before they are reported. The default is true. The rates must fit the runs, and the culprit and
    /// its parents are run until they differ at any rates. If they do not, the search for this endpoint ends as `contradictory`.
    /// Only with `search = "bayes"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<bool>,
}

const NOT_BY_HISTORY: &str = concat!(
    "nothing, or ",
    option!(search = "auto"),
    ", \"weighted\" or \"bayes\", because the other searches use no weights"
);

fn yes() -> bool {
    true
}

impl RegressionConfig {
    /// Creates a configuration with bad revisions, and defaults for everything else.
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

    /// Sets the good revisions.
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

    /// Trusts the given endpoints without testing them.
    #[must_use]
    pub fn no_test_endpoints(mut self) -> Self {
        self.test_endpoints = false;
        self
    }

    /// Reports the culprit without running it again.
    #[must_use]
    pub fn unconfirmed(mut self) -> Self {
        self.confirm = false;
        self
    }

    /// Whether unrequested outcomes shorten a path search. Without `propagate` and `check_parents`, they do not, as in the paper.
    pub(super) fn shares(&self) -> bool {
        self.propagates() || self.check_parents
    }

    /// Resolves the weights of the prior.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a weight out of range, and for a search without a prior. [`Error::UnknownRevision`] or
    /// [`Error::AmbiguousRevision`] for a name that is not one revision.
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

    /// Resolves the costs of runs.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a cost out of range, and for a search without costs. [`Error::UnknownRevision`] or
    /// [`Error::AmbiguousRevision`] for a name that is not one revision.
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

    /// Whether the search ignores priors and costs.
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

    /// Returns whether points are propagated, by option or by default.
    #[must_use]
    pub fn propagates(&self) -> bool {
        self.propagate.unwrap_or(self.prefer == Prefer::Fewest)
    }
}
