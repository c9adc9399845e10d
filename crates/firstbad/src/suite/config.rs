//! The configuration of a triage.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::belief::{Prior, PriorWeights};
use crate::error::Error;
use crate::graph::CommitGraph;
use crate::search::{Outcome, TestResult};

/// The configuration of a [`TriageSearch`](super::TriageSearch). Every field except `bad` has a default.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriageConfig {
    /// The bad revision, at which the tests fail. Exactly one.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("required" = true)))]
    pub bad: Vec<String>,
    /// The good revisions, `bad` or ancestors of it. The default is the roots of its history. These revisions and their ancestors
    /// are not suspects. firstbad runs the first good revision to find the tests that fail there as well.
    #[serde(default)]
    pub good: Vec<String>,
    /// The ids of the failing tests, each once. The default is the tests that fail in `tonight`. Without `tonight`, the whole
    /// suite runs once at `bad` and, without `last`, once at the first good revision.
    #[serde(default)]
    pub tests: Vec<String>,
    /// The results of last night's run of the suite at `bad`, by test. They order the search and count as one run. The default is
    /// no results. A test of `tests` without a result there counts as failed.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("kind" = "Results")))]
    pub tonight: BTreeMap<String, TestResult>,
    /// The results of the last green run of the suite, at the first good revision, by test. The default is no results.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("kind" = "Results")))]
    pub last: BTreeMap<String, TestResult>,
    /// The ids of tests that are listed and never searched. The default is none.
    #[serde(default)]
    pub quarantine: Vec<String>,
    /// The probability at which a verdict is accepted, for each test, above 0.5 and below 1. The default is 0.95. A confidence of
    /// 0.99 costs 15% to 20% more test runs.
    #[serde(default = "confidence")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0.5, "exclusiveMaximum" = 1)))]
    pub confidence: f64,
    /// The cost of a build and the cost of a test, in any unit. The default is measured from the seconds in the observations, and
    /// is 10 to 1 until then.
    #[serde(default)]
    pub costs: Option<SuiteCosts>,
    /// The number of builds that stay available after their run, or `"all"`. The default is 2. A run at a kept build costs little.
    #[serde(default)]
    pub keep_builds: KeepBuilds,
    /// The largest number of tests of one probe, 1 or above. By default, there is no limit.
    #[serde(default)]
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub batch: Option<u32>,
    /// The largest number of tests that are searched, 1 or above. The default is 500. If there are more, the search takes one test
    /// of each signature first.
    #[serde(default = "max_tests")]
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub max_tests: u32,
    /// The prior probability of each suspect. `"changes"` ranks commits by the files they touch and the names of the tests, and is
    /// the default if the graph was read from Git. `"uniform"` makes all suspects equally likely, and is the default otherwise.
    /// Weights by revision can have any unit and must be 0 or above. An unlisted suspect weighs 1, or the smallest listed weight
    /// above 0 if that is less.
    #[serde(default)]
    pub prior: Option<Prior>,
}

/// The costs of a suite, in any unit.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("kind" = "SuiteCosts")))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteCosts {
    /// The cost of a build, 0 or above.
    pub build: f64,
    /// The cost of one test, above 0.
    pub test: f64,
}

/// The number of builds that stay available.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "invalid type, expected a number of builds or \"all\"")]
pub enum KeepBuilds {
    /// The last builds.
    Last(u32),
    /// All builds.
    All(All),
}

/// The word `"all"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum All {
    /// All builds.
    All,
}

impl Default for KeepBuilds {
    fn default() -> Self {
        KeepBuilds::Last(2)
    }
}

impl KeepBuilds {
    /// Returns the number of builds.
    #[must_use]
    pub fn count(self) -> usize {
        match self {
            KeepBuilds::Last(count) => count as usize,
            KeepBuilds::All(All::All) => usize::MAX,
        }
    }
}

fn confidence() -> f64 {
    0.95
}

fn max_tests() -> u32 {
    500
}

impl TriageConfig {
    /// Creates a configuration with a bad revision and failing tests, and defaults for everything else.
    pub fn new(bad: impl Into<String>, tests: impl IntoIterator<Item: Into<String>>) -> Self {
        TriageConfig {
            bad: vec![bad.into()],
            good: Vec::new(),
            tests: tests.into_iter().map(Into::into).collect(),
            tonight: BTreeMap::new(),
            last: BTreeMap::new(),
            quarantine: Vec::new(),
            confidence: confidence(),
            costs: None,
            keep_builds: KeepBuilds::default(),
            batch: None,
            max_tests: max_tests(),
            prior: None,
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

    /// Lists the tests that fail in `tonight` if no tests are given.
    pub fn name_tests(&mut self) {
        if self.tests.is_empty() {
            self.tests = red(&self.tonight);
        }
    }

    /// Checks everything that needs no graph, and lists the tests.
    pub(super) fn settle(&mut self) -> Result<(), Error> {
        if !(self.confidence > 0.5 && self.confidence < 1.0) {
            let expected = "a probability above 0.5 and below 1";
            return Err(Error::invalid("confidence", self.confidence, expected));
        }
        if self.batch == Some(0) {
            return Err(Error::invalid("batch", 0, "1 or above: the most tests of one probe"));
        }
        if self.max_tests == 0 {
            return Err(Error::invalid("max_tests", 0, "1 or above: the most tests to search"));
        }
        if let Some(SuiteCosts { build, test }) = self.costs {
            if !build.is_finite() || build < 0.0 {
                return Err(Error::invalid("costs.build", build, "a finite cost, 0 or above"));
            }
            if !test.is_finite() || test <= 0.0 {
                return Err(Error::invalid("costs.test", test, "a finite cost above 0"));
            }
        }
        for (argument, results) in [("tonight", &self.tonight), ("last", &self.last)] {
            results.iter().try_for_each(|(id, result)| result.check(argument, id))?;
        }
        self.name_tests();
        let mut seen = hashbrown::HashSet::new();
        match self.tests.iter().find(|id| !seen.insert(*id)) {
            Some(twice) => Err(Error::invalid("tests", twice, "each test once; this one is a duplicate")),
            None => Ok(()),
        }
    }

    pub(super) fn weights(&self, graph: &CommitGraph) -> Result<Option<PriorWeights>, Error> {
        Ok(self.prior.as_ref().map(|prior| prior.by_node(graph)).transpose()?.flatten())
    }
}

/// Returns the tests that failed, in the order of their ids.
pub(super) fn red(results: &BTreeMap<String, TestResult>) -> Vec<String> {
    results.iter().filter(|(_, result)| result.outcome == Outcome::Fail).map(|(id, _)| id.clone()).collect()
}
