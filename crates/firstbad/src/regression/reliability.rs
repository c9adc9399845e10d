//! How outcomes are interpreted: as certain, or as one run of a flaky test.

use super::config::RegressionConfig;
use super::ends::Ends;
use super::report::LeafResult;
use super::strategy::Flaky;
use crate::error::Error;
use crate::graph::Node;
use crate::search::{Observation, Outcome};

/// Whether the test is reliable or flaky.
#[derive(Debug)]
pub(super) enum Test {
    /// Every outcome is certain.
    Reliable,
    /// An outcome is one run, and runs of the same revision can differ.
    Flaky(Box<Flaky>),
}

impl Test {
    pub(super) fn of(config: &RegressionConfig, ends: &Ends) -> Result<Self, Error> {
        Ok(match Flaky::of(config, ends.older.clone())? {
            Some(flaky) => Test::Flaky(Box::new(flaky)),
            None => Test::Reliable,
        })
    }

    /// The runs of a flaky test, or `None` if the test is reliable.
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

    /// Switches to unknown rates. Returns the outcomes at these rates.
    pub(super) fn give_up_rates(&mut self) -> Vec<(Node, Outcome)> {
        match self {
            Test::Reliable => Vec::new(),
            Test::Flaky(flaky) => flaky.give_up_rates(),
        }
    }

    /// Adds an observation. Returns the outcome of the revision, or `None` if it is not known yet.
    pub(super) fn learn(&mut self, ends: &Ends, revision: Node, observation: &Observation) -> Option<Outcome> {
        let effective = ends.effective(observation);
        match self {
            Test::Reliable => Some(effective),
            Test::Flaky(flaky) => flaky.learn(revision, observation, effective, ends.find),
        }
    }

    /// Whether an observation of an endpoint changes the interpretation of all others.
    ///
    /// With a reliable test, it always does. With a flaky test, only the first one with a signature does.
    pub(super) fn reads_anew(&self, ends: &Ends, observation: &Observation) -> bool {
        match self {
            Test::Reliable => true,
            Test::Flaky(_) => ends.signature().is_none() && ends.name(observation).is_some(),
        }
    }

    /// The state of a newer endpoint before the search.
    ///
    /// With a flaky test, the runs of an endpoint are ordinary evidence.
    pub(super) fn ending(&self, ends: &Ends, newer: Node) -> LeafResult {
        match (self, ends.seen_at(newer)) {
            (Test::Reliable, Some(seen)) if ends.is_refuted_by(seen) => LeafResult::NotReproduced,
            _ => LeafResult::Open,
        }
    }

    /// The outcomes that the caller gave for endpoints.
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

    /// Whether an endpoint still has to be tested, if endpoints are tested at all.
    pub(super) fn is_untested(&self, ends: &Ends, end: Node) -> bool {
        match self {
            // A single failure of a flaky test does not refute a good revision.
            Test::Flaky(flaky) if ends.older.contains(&end) => !flaky.is_settled(end),
            _ => ends.seen_at(end).is_none(),
        }
    }

    /// Whether an endpoint is unresolved, so that the caller's claim is not evidence. With a flaky test, claims are never
    /// evidence.
    pub(super) fn is_untestable(&self, ends: &Ends, end: Node) -> bool {
        matches!(self, Test::Reliable) && ends.effective_at(end) == Some(Outcome::Unresolved)
    }

    /// Whether an older endpoint has the opposite outcome.
    pub(super) fn contradicts(&self, ends: &Ends, older: Node) -> bool {
        match self {
            Test::Reliable => ends.effective_at(older) == Some(Outcome::Fail),
            Test::Flaky(flaky) => flaky.never_passes(older),
        }
    }
}
