//! A night that firstbad triages.

use std::collections::HashSet;
use std::sync::Arc;

use firstbad::suite::{All, KeepBuilds, SuiteCosts};
use firstbad::{ChangeSet, Observation, Outcome, Probe, Search as _, Stage};
use firstbad::{TestResult, TriageConfig, TriageSearch};
use firstbad_testkit::nights::Night;
use firstbad_testkit::simulated::Random;

use super::verdicts::{Found, Score};

/// The signatures of failures.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Signatures {
    /// Most tests have the signature of their culprit.
    OfCulprits,
    None,
}

/// A way to triage a night.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way {
    pub(crate) signatures: Signatures,
    pub(crate) confidence: f64,
}

impl Way {
    /// The default of firstbad.
    pub(crate) const DEFAULT: Way = Way { signatures: Signatures::OfCulprits, confidence: 0.95 };

    fn config(self, night: &Night, costs: SuiteCosts) -> TriageConfig {
        let ids: Vec<String> = (0..night.tests.len()).map(|test| format!("t{test}")).collect();
        let signature = |test: usize| match self.signatures {
            Signatures::OfCulprits => night.tests[test].signature.clone(),
            Signatures::None => None,
        };
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
pub(crate) struct Played {
    pub(crate) builds: f64,
    pub(crate) runs: f64,
    pub(crate) score: Score,
}

/// Builds and runs, and counts both.
struct Machine<'a> {
    night: &'a Night,
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

    fn count(&mut self, probe: &Probe) {
        let tests = probe.target.tests.as_ref().map_or(0, ChangeSet::len) as f64;
        self.played.builds += f64::from(self.built.insert(probe.revision().to_owned()));
        self.played.runs += if self.is_unbuildable(probe) { 0.0 } else { tests };
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

/// Triages a night with one worker.
pub(crate) fn play(night: &Night, way: Way, costs: SuiteCosts, seed: u64) -> Result<Played, String> {
    let words = |error: firstbad::Error| error.to_string();
    let mut search = TriageSearch::new(Arc::clone(&night.graph), way.config(night, costs)).map_err(words)?;
    let (built, random) = (HashSet::new(), Random::new(seed));
    let mut machine = Machine { night, built, played: Played::default(), random };
    while !search.is_done() {
        let Some(probe) = search.ask(1).map_err(words)?.pop() else { break };
        machine.count(&probe);
        let seen = machine.observe(&probe);
        search.tell(probe.id, seen).map_err(words)?;
    }
    let found: Vec<Found> = search.report().tests.iter().map(Found::from).collect();
    Ok(Played { score: Score::new(night, &found), ..machine.played })
}
