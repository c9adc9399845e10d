//! A night, played by a triage with several workers.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::Arc;

use firstbad::suite::{All, KeepBuilds, SuiteCosts};
use firstbad::{ChangeSet, Observation, Outcome, Probe, Search as _, Stage};
use firstbad::{TestResult, TriageConfig, TriageSearch};
use firstbad_testkit::nights::Night;
use firstbad_testkit::simulated::Random;

use super::verdicts::{Found, Score};

/// The cost of a build that was built before, as a part of the cost of a build.
const KEPT: f64 = 0.05;

/// The signatures of failures.
#[derive(Debug, Clone, Copy)]
pub(super) enum Signatures {
    /// Most tests have the signature of their culprit.
    OfCulprits,
    /// All tests have the same signature.
    Same,
    None,
}

impl Signatures {
    /// Returns the signature of a test with a signature of its culprit or without one.
    pub(super) fn choose(self, of_culprit: Option<String>) -> Option<String> {
        match self {
            Signatures::OfCulprits => of_culprit,
            Signatures::Same => Some("AssertionError: assert # == #".to_owned()),
            Signatures::None => None,
        }
    }
}

/// A way to triage a night.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    pub(super) signatures: Signatures,
    pub(super) confidence: f64,
    pub(super) workers: usize,
    /// Whether workers wait until all of them are done.
    pub(super) rounds: bool,
}

impl Way {
    /// The default of firstbad with one worker.
    pub(super) const DEFAULT: Way =
        Way { signatures: Signatures::OfCulprits, confidence: 0.95, workers: 1, rounds: false };

    fn config(self, night: &Night, costs: SuiteCosts) -> TriageConfig {
        let ids: Vec<String> = (0..night.tests.len()).map(|test| format!("t{test}")).collect();
        let signature = |test: usize| self.signatures.choose(night.tests[test].signature.clone());
        let red = |test: usize| TestResult { signature: signature(test), ..Outcome::Fail.into() };
        TriageConfig {
            tonight: ids.iter().enumerate().map(|(test, id)| (id.clone(), red(test))).collect(),
            last: ids.iter().map(|id| (id.clone(), Outcome::Pass.into())).collect(),
            costs: Some(costs),
            keep_builds: KeepBuilds::All(All::All),
            confidence: self.confidence,
            ..TriageConfig::new(night.bad.to_string(), ids).good(["good"])
        }
    }
}

/// The expense and the verdicts of a night.
#[derive(Debug, Default, Clone)]
pub(super) struct Played {
    pub(super) builds: f64,
    pub(super) runs: f64,
    /// The time with the workers of the way, if a unit of cost takes a unit of time.
    pub(super) elapsed: f64,
    pub(super) score: Score,
}

impl Played {
    pub(super) fn cost(&self, costs: SuiteCosts) -> f64 {
        costs.build * self.builds + costs.test * self.runs
    }
}

/// Builds and runs, and counts both.
struct Machine<'a> {
    night: &'a Night,
    costs: SuiteCosts,
    built: HashSet<String>,
    played: Played,
    random: Random,
}

impl Machine<'_> {
    fn place(probe: &Probe) -> Option<usize> {
        probe.revision().parse().ok()
    }

    fn is_unbuildable(&self, probe: &Probe) -> bool {
        Self::place(probe).is_some_and(|place| self.night.unbuildable[place])
    }

    /// Starts a probe, and returns its time.
    fn start(&mut self, probe: &Probe) -> f64 {
        let tests = probe.target.tests.as_ref().map_or(0, ChangeSet::len) as f64;
        let runs = if self.is_unbuildable(probe) { 0.0 } else { tests };
        let is_new = self.built.insert(probe.revision().to_owned());
        self.played.builds += f64::from(is_new);
        self.played.runs += runs;
        self.costs.build * if is_new { 1.0 } else { KEPT } + self.costs.test * runs
    }

    fn observe(&mut self, probe: &Probe) -> Observation {
        if self.is_unbuildable(probe) {
            return Observation { stage: Some(Stage::Build), ..Observation::new(Outcome::Unresolved) };
        }
        let (night, random) = (self.night, &mut self.random);
        let tests = probe.target.tests.iter().flat_map(ChangeSet::iter);
        Observation::of_results(
            tests.map(|test| (format!("t{test}"), night.run(test, Self::place(probe), random).into())),
        )
    }
}

/// Triages a night.
pub(super) fn play(night: &Night, way: Way, costs: SuiteCosts, seed: u64) -> Result<Played, String> {
    let words = |error: firstbad::Error| error.to_string();
    let mut search = TriageSearch::new(Arc::clone(&night.graph), way.config(night, costs)).map_err(words)?;
    let (built, random) = (HashSet::new(), Random::new(seed));
    let mut machine = Machine { night, costs, built, played: Played::default(), random };
    let mut busy: BinaryHeap<Reverse<(u64, u64)>> = BinaryHeap::new();
    let mut now = 0.0;
    while !search.is_done() {
        let is_waiting = way.rounds && !busy.is_empty();
        let free = if is_waiting { 0 } else { way.workers - busy.len() };
        let probes = if free > 0 { search.ask(free).map_err(words)? } else { Vec::new() };
        for probe in &probes {
            let end = now + machine.start(probe);
            busy.push(Reverse(((end * 1000.0) as u64, probe.id)));
        }
        let Some(Reverse((time, id))) = busy.pop() else { break };
        now = time as f64 / 1000.0;
        let Some(probe) = search.in_flight().into_iter().find(|probe| probe.id == id) else { continue };
        let seen = machine.observe(&probe);
        search.tell(id, seen).map_err(words)?;
    }
    let found: Vec<Found> = search.report().tests.iter().map(Found::from).collect();
    Ok(Played { elapsed: now, score: Score::new(night, &found), ..machine.played })
}
