//! How answers of a test are taken: each for the truth, or as one run of several.

use super::config::RegressionConfig;
use super::ends::Ends;
use super::report::LeafResult;
use super::strategy::Flaky;
use crate::error::Error;
use crate::graph::Node;
use crate::search::{Observation, Outcome};

/// How answers are taken.
#[derive(Debug)]
pub(super) enum Test {
    /// Each is the truth.
    Reliable,
    /// Each is one run, and runs of one revision may differ.
    Flaky(Box<Flaky>),
}

impl Test {
    /// The test that a configuration describes.
    pub(super) fn of(config: &RegressionConfig, ends: &Ends) -> Result<Self, Error> {
        Ok(match Flaky::of(config, ends.older.clone())? {
            Some(flaky) => Test::Flaky(Box::new(flaky)),
            None => Test::Reliable,
        })
    }

    /// Every run of a flaky test; `None` if the test is reliable.
    pub(super) fn flaky(&self) -> Option<&Flaky> {
        match self {
            Test::Reliable => None,
            Test::Flaky(flaky) => Some(flaky),
        }
    }

    /// Forgets all runs.
    pub(super) fn forget(&mut self) {
        match self {
            Test::Reliable => {}
            Test::Flaky(flaky) => flaky.clear(),
        }
    }

    /// Reckons with unknown rates from now on, and says which outcomes there are by those.
    pub(super) fn give_up_rates(&mut self) -> Vec<(Node, Outcome)> {
        match self {
            Test::Reliable => Vec::new(),
            Test::Flaky(flaky) => flaky.give_up_rates(),
        }
    }

    /// Takes in an answer, and says which outcome the revision has now; `None` if that is not known yet.
    pub(super) fn learn(&mut self, ends: &Ends, revision: Node, observation: &Observation) -> Option<Outcome> {
        let effective = ends.effective(observation);
        match self {
            Test::Reliable => Some(effective),
            Test::Flaky(flaky) => flaky.learn(revision, observation, effective, ends.find),
        }
    }

    /// Whether an answer at an end changes how all others are to be read.
    ///
    /// With a reliable test it always does. With a flaky one it does if it is the first to show a signature: that
    /// says which failure is meant.
    pub(super) fn reads_anew(&self, ends: &Ends, observation: &Observation) -> bool {
        match self {
            Test::Reliable => true,
            Test::Flaky(_) => ends.signature().is_none() && ends.name(observation).is_some(),
        }
    }

    /// How a newer end stands before the search begins.
    ///
    /// With a flaky test what is seen at an end is evidence like any other.
    pub(super) fn ending(&self, ends: &Ends, newer: Node) -> LeafResult {
        match (self, ends.seen_at(newer)) {
            (Test::Reliable, Some(seen)) if ends.is_refuted_by(seen) => LeafResult::NotReproduced,
            _ => LeafResult::Open,
        }
    }

    /// The outcomes that ends have because the caller says so.
    pub(super) fn given(&self, ends: &Ends) -> Vec<(Node, Outcome)> {
        let fails = |&end: &Node| match self {
            Test::Reliable => ends.seen_at(end).is_none(),
            Test::Flaky(_) => false,
        };
        let passes = |&end: &Node| match self {
            Test::Flaky(_) => true,
            Test::Reliable => ends.seen_at(end).is_none(),
        };
        let newer = ends.newer.iter().copied().filter(fails).map(|end| (end, Outcome::Fail));
        newer.chain(ends.older.iter().copied().filter(passes).map(|end| (end, Outcome::Pass))).collect()
    }

    /// Whether an end still has to be tested, if ends are to be tested at all.
    pub(super) fn is_untested(&self, ends: &Ends, end: Node) -> bool {
        match self {
            // A single failure proves nothing about a good end.
            Test::Flaky(flaky) if ends.older.contains(&end) => !flaky.is_settled(end),
            _ => ends.seen_at(end).is_none(),
        }
    }

    /// Whether an end could not be tested, so that what it was said to be is no evidence. With a flaky test what is said
    /// never is.
    pub(super) fn is_untestable(&self, ends: &Ends, end: Node) -> bool {
        matches!(self, Test::Reliable) && ends.effective_at(end) == Some(Outcome::Unresolved)
    }

    /// Whether an older end is not what the caller says it is.
    pub(super) fn contradicts(&self, ends: &Ends, older: Node) -> bool {
        match self {
            Test::Reliable => ends.effective_at(older) == Some(Outcome::Fail),
            Test::Flaky(flaky) => flaky.never_passes(older),
        }
    }
}
