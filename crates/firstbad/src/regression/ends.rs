//! The endpoints, their observations, and the failure to search for.

use hashbrown::HashMap;

use super::config::RegressionConfig;
use super::costs::Costs;
use super::distinguish::DistinguishFailures;
use super::steps::Steps;
use crate::belief::PriorWeights;
use crate::error::Error;
use crate::finding::find::Find;
use crate::graph::{CommitGraph, Node};
use crate::option;
use crate::search::{Observation, Outcome};
use crate::words::printable::as_given;

/// The endpoints. In a search for a fix, outcomes are exchanged, so that the newer endpoints "fail" as well.
#[derive(Debug)]
pub(super) struct Ends {
    pub(super) find: Find,
    /// The revisions where the search starts.
    pub(super) newer: Vec<Node>,
    /// The revisions where the search stops.
    pub(super) older: Vec<Node>,
    seen: HashMap<Node, Observation>,
    configured_signature: Option<String>,
    /// The failure to search for: the configured one, or the one observed at the first failing endpoint.
    signature: Option<String>,
    /// Whether failures are distinguished by the output of the test, and not only by signatures.
    by_failure: bool,
    /// Whether failures are distinguished at all.
    is_distinguishing: bool,
}

impl Ends {
    pub(super) fn new(graph: &CommitGraph, config: &RegressionConfig) -> Result<Self, Error> {
        let (bad, good) = (resolve(graph, "bad", &config.bad)?, resolve(graph, "good", &config.good)?);
        let (newer, older) = match config.find {
            Find::Regression => (bad, good),
            Find::Fix => (good, bad),
        };
        let signature = config.signature.clone();
        let (configured_signature, seen) = (signature.clone(), HashMap::new());
        let is_distinguishing = config.distinguish_failures != DistinguishFailures::Always(false);
        let by_failure = config.distinguish_failures == DistinguishFailures::Always(true);
        let find = config.find;
        let ends = Ends { find, newer, older, seen, configured_signature, signature, by_failure, is_distinguishing };
        ends.check(graph, config)?;
        Ok(ends)
    }

    fn check(&self, graph: &CommitGraph, config: &RegressionConfig) -> Result<(), Error> {
        let given = |argument: &str, node: Node, expected: String| {
            let names = if argument == "bad" { &config.bad } else { &config.good };
            let is_it = |name: &&String| graph.resolve(name, argument) == Ok(node);
            let name = names.iter().find(is_it).map_or(graph.id(node), String::as_str);
            let value = as_given(name, graph.id(node));
            Error::InvalidArgument { argument: argument.to_owned(), value, expected }
        };
        let (argument, older_argument) = match self.find {
            Find::Regression => ("bad", "good"),
            Find::Fix => ("good", "bad"),
        };
        if self.newer.is_empty() {
            let why = match self.find {
                Find::Regression => "at least one failing revision",
                Find::Fix => "at least one passing revision, because a search for a fix starts there",
            };
            let (argument, value, expected) = (argument.to_owned(), String::new(), why.to_owned());
            return Err(Error::InvalidArgument { argument, value, expected });
        }
        if let Some(&both) = self.newer.iter().find(|node| self.older.contains(node)) {
            return Err(given("good", both, "a revision that is not also bad".to_owned()));
        }
        let (after, before) = (graph.descendants(&self.newer), graph.ancestors(&self.newer));
        let is_late = |node: &&Node| after.contains(**node as usize) && !before.contains(**node as usize);
        if let Some(&late) = self.older.iter().find(is_late) {
            let swap = match self.find {
                Find::Regression => {
                    concat!("exchange them, or use ", option!(find = "fix"), " to search for the fix")
                }
                Find::Fix => concat!("with ", option!(find = "fix"), ", good revisions are newer than bad revisions"),
            };
            let expected = format!("a revision that is not newer than all {argument} revisions\nhelp: {swap}");
            return Err(given(older_argument, late, expected));
        }
        Ok(())
    }

    /// The configuration with full ids, because a branch can move before the search is resumed.
    pub(super) fn named(
        &self,
        graph: &CommitGraph,
        config: RegressionConfig,
        prior: Option<&PriorWeights>,
        costs: &Costs,
        steps: Option<&Steps>,
    ) -> RegressionConfig {
        let names = |nodes: &[Node]| nodes.iter().map(|&node| graph.id(node).to_owned()).collect();
        let settled = config.prior.and_then(|given| given.settled(graph, prior));
        let (bad, good) = match self.find {
            Find::Regression => (names(&self.newer), names(&self.older)),
            Find::Fix => (names(&self.older), names(&self.newer)),
        };
        let find_good = steps.map(|steps| steps.named(graph));
        RegressionConfig { bad, good, find_good, prior: settled, costs: costs.named(graph), ..config }
    }

    pub(super) fn contains(&self, revision: Node) -> bool {
        self.newer.contains(&revision) || self.older.contains(&revision)
    }

    /// Records an observation of an endpoint. It decides how all others are interpreted.
    pub(super) fn see(&mut self, end: Node, observation: &Observation) {
        self.seen.insert(end, observation.clone());
    }

    /// Forgets the observations of the endpoints.
    pub(super) fn forget(&mut self) {
        self.seen.clear();
    }

    pub(super) fn seen_at(&self, end: Node) -> Option<&Observation> {
        self.seen.get(&end)
    }

    /// The failure to search for, or `None` if it is unknown or any failure counts.
    pub(super) fn signature(&self) -> Option<&str> {
        self.signature.as_deref()
    }

    /// Sets the failure to search for to the configured one, or to the first one observed at a failing endpoint.
    pub(super) fn settle_signature(&mut self) {
        let failing = match self.find {
            Find::Regression => &self.newer,
            Find::Fix => &self.older,
        };
        let seen = || failing.iter().find_map(|&end| self.name(self.seen_at(end)?).map(str::to_owned));
        self.signature = self.configured_signature.clone().or_else(seen);
    }

    /// Whether an observation is a failure with another name than the one to search for.
    pub(super) fn is_other_failure(&self, observation: &Observation) -> bool {
        self.signature.as_ref().is_some_and(|wanted| self.name(observation).is_some_and(|seen| seen != wanted))
    }

    /// Returns the name of the failure in an observation, if failures are distinguished by it.
    pub(super) fn name<'a>(&self, observation: &'a Observation) -> Option<&'a str> {
        match (self.is_distinguishing, self.by_failure) {
            (false, _) => observation.signature.as_deref().filter(|_| self.configured_signature.is_some()),
            (true, false) => observation.signature.as_deref(),
            (true, true) => observation.signature.as_deref().or_else(|| observation.failure()),
        }
    }

    /// Sets whether failures are distinguished by the output of the test, or only by signatures. Takes effect when the
    /// outcomes are read again.
    pub(super) fn distinguish(&mut self, by_failure: bool) {
        self.by_failure = by_failure;
    }

    /// The outcome of an observation for this search. Other failures are unresolved, and for a fix, outcomes are exchanged.
    pub(super) fn effective(&self, observation: &Observation) -> Outcome {
        match (observation.outcome, self.find) {
            (Outcome::Fail, _) if self.is_other_failure(observation) => Outcome::Unresolved,
            (outcome, Find::Regression) => outcome,
            (outcome, Find::Fix) => outcome.swapped(),
        }
    }

    /// The outcome of an endpoint for this search, or `None` if it was not observed.
    pub(super) fn effective_at(&self, end: Node) -> Option<Outcome> {
        self.seen_at(end).map(|seen| self.effective(seen))
    }

    /// Whether an observation of a newer endpoint shows that it does not fail, or that it fails in another way.
    pub(super) fn is_refuted_by(&self, seen: &Observation) -> bool {
        match self.effective(seen) {
            Outcome::Pass => true,
            // The test fails, but not in the way that the caller asked for.
            Outcome::Unresolved => {
                let is_unmatched = || seen.doubt().is_some_and(|doubt| doubt.unmatched);
                seen.outcome != Outcome::Unresolved || self.find == Find::Regression && is_unmatched()
            }
            Outcome::Fail => false,
        }
    }
}

fn resolve(graph: &CommitGraph, argument: &str, names: &[String]) -> Result<Vec<Node>, Error> {
    let mut nodes = Vec::with_capacity(names.len());
    for name in names {
        let node = graph.resolve(name, argument)?;
        if !nodes.contains(&node) {
            nodes.push(node);
        }
    }
    Ok(nodes)
}
