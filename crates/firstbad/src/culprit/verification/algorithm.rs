//! Culprit verification as an ask/tell algorithm.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::checks::Checks;
use super::claim::Claim;
use super::config::VerificationConfig;
use super::findings::Finding;
use super::message::{message, reason};
use super::order::RunOrder;
use super::report::{Check, Role, VerificationReason, VerificationReport};
use crate::belief::{RunCounts, Sought};
use crate::culprit::config::Ends;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::search::{Algorithm, History, Ledger, Observation, Reading, Status};

/// The algorithm behind a [`CulpritVerifier`](crate::culprit::CulpritVerifier).
///
/// Each good revision and each parent of the culprit must pass, then the culprit and the bad revision must fail, and then the
/// former must pass again, in this order in time (FACF, Section 4). The remaining runs are reruns of the culprit and of the bad
/// revision, which must never pass. The verification ends as soon as a run refutes the conclusion.
pub struct Verification {
    config: VerificationConfig,
    space: History,
    checks: Checks,
    sought: Sought,
}

impl Verification {
    fn open(graph: Arc<CommitGraph>, mut config: VerificationConfig) -> Result<Self, Error> {
        let rate = config.rate()?;
        let ends = Ends::new(&graph, &config.bad, &config.good)?;
        let resolve = |name: &Option<String>, argument: &str| -> Result<Option<Node>, Error> {
            name.as_deref().map(|name| graph.resolve(name, argument)).transpose()
        };
        let culprit = resolve(&config.culprit, "culprit")?;
        if let Some(culprit) = culprit {
            let cleared = ends.good.iter().any(|&good| graph.is_ancestor(culprit, good));
            if cleared || !graph.is_ancestor(culprit, ends.bad) {
                let expected = "a suspect: bad or one of its ancestors, but not good or an ancestor of it";
                return Err(Error::invalid("culprit", graph.id(culprit), expected));
            }
        }
        if let Some(earlier) = &config.again
            && resolve(&earlier.culprit, "again.culprit")? != culprit
        {
            let expected = "the earlier verification of the same conclusion";
            return Err(Error::invalid("again", earlier.culprit.as_deref().unwrap_or("a flake"), expected));
        }
        (config.bad, config.good) = ends.names(&graph);
        config.culprit = culprit.map(|culprit| graph.id(culprit).to_owned());
        if let Some(earlier) = &mut config.again {
            earlier.culprit.clone_from(&config.culprit);
        }
        let claim = Claim { bad: ends.bad, good: ends.good, culprit };
        let reruns = config.reruns(rate, claim.chances(&graph));
        Ok(Verification {
            space: History::new(Arc::clone(&graph), vec![ends.bad]),
            checks: Checks { graph, claim, reruns, runs: RunOrder::default(), unresolved: Vec::new() },
            sought: Sought::new(config.signature.clone()),
            config,
        })
    }

    /// The verdict of an earlier verification, if any.
    fn earlier(&self) -> Option<bool> {
        self.config.again.as_ref().and_then(|earlier| earlier.correct)
    }

    fn findings(&self) -> Vec<Finding> {
        self.checks.findings(self.earlier())
    }

    fn is_over(&self) -> bool {
        !self.findings().is_empty() || self.checks.needs().is_empty()
    }
}

impl Algorithm for Verification {
    type Config = VerificationConfig;
    type Report = VerificationReport;
    type Space = History;

    const NAME: &'static str = "verification";

    fn new(graph: Arc<CommitGraph>, config: VerificationConfig) -> Result<Self, Error> {
        Verification::open(graph, config)
    }

    fn space(&self) -> &History {
        &self.space
    }

    fn space_mut(&mut self) -> &mut History {
        &mut self.space
    }

    fn config(&self) -> &VerificationConfig {
        &self.config
    }

    fn repeats(&self) -> bool {
        true
    }

    fn absorb(&mut self, revision: Node, observation: &Observation) -> Reading {
        let must_fail = self.checks.must_fail(revision);
        if must_fail && self.sought.learns_from(observation) {
            return Reading::Anew;
        }
        // If a revision must pass, every failure counts, whatever its signature.
        let tally = if must_fail { self.sought.tally(observation) } else { RunCounts::from(observation) };
        self.checks.take(revision, tally, observation);
        Reading::Stands
    }

    fn begin_rereading(&mut self) {
        self.checks.forget();
    }

    fn reset(&mut self) {
        self.sought.forget();
        self.begin_rereading();
    }

    fn choose(&mut self, want: usize, in_flight: &[Node]) -> Vec<Node> {
        if self.is_over() {
            return Vec::new();
        }
        let want = match (self.checks.runs.is_timed(), in_flight.is_empty()) {
            (true, _) => want,
            // Without times, outcomes are in the order in which they are reported, so run one probe at a time.
            (false, true) => 1,
            (false, false) => 0,
        };
        let mut flying: Vec<Node> = in_flight.to_vec();
        let mut chosen = Vec::new();
        for (node, runs) in self.checks.needs() {
            for _ in 0..runs {
                match flying.iter().position(|&other| other == node) {
                    Some(place) => {
                        flying.swap_remove(place);
                    }
                    None => chosen.push(node),
                }
            }
        }
        chosen.truncate(want);
        chosen
    }

    fn wants(&self, in_flight: &[Node]) -> Vec<bool> {
        let needs = if self.is_over() { Vec::new() } else { self.checks.needs() };
        in_flight.iter().map(|revision| needs.iter().any(|(node, _)| node == revision)).collect()
    }

    fn status(&self) -> Status {
        let findings = self.findings();
        match self.checks.verdict(&findings) {
            Some(_) => Status::Found,
            None if findings.is_empty() => Status::Running,
            None => Status::Ambiguous,
        }
    }

    fn report(&self, status: Status, ledger: &Ledger) -> VerificationReport {
        let Checks { graph, runs, .. } = &self.checks;
        let findings = self.findings();
        let correct = self.checks.verdict(&findings);
        let reasons: Vec<VerificationReason> =
            findings.iter().map(|finding| reason(graph, finding, self.earlier())).collect();
        let check =
            |(role, node): (Role, Node)| Check { role, revision: graph.id(node).to_owned(), runs: runs.tally(node) };
        let culprit = self.config.culprit.clone();
        VerificationReport {
            warnings: Vec::new(),
            status,
            correct,
            message: message(culprit.as_deref(), correct, status, &reasons, ledger.runs()),
            culprit,
            reruns: self.checks.reruns,
            checks: self.checks.passing().into_iter().chain(self.checks.claim.failing()).map(check).collect(),
            reasons,
            asked: ledger.asked(),
            runs: ledger.runs(),
            observations: ledger.observations(self.space()),
            commits: BTreeMap::new(),
        }
    }
}
