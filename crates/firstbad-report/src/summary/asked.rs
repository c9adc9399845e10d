//! The observations of a report by target.

use std::collections::HashMap;
use std::iter::Sum;

use firstbad::search::Doubt;
use firstbad::suspicion::SelectionReason;
use firstbad::{Outcome, Report, Stage, Target, TargetObservation};

/// The number of outcomes of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Passes.
    pub pass: u64,
    /// Failures.
    pub fail: u64,
    /// Unresolved outcomes.
    pub unresolved: u64,
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(counts: I) -> Counts {
        counts.fold(Counts::default(), |sum, one| Counts {
            pass: sum.pass + one.pass,
            fail: sum.fail + one.fail,
            unresolved: sum.unresolved + one.unresolved,
        })
    }
}

/// The observations of one revision, or of one set of changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The tested revision or changes.
    pub target: Target,
    /// The last outcome.
    pub outcome: Outcome,
    /// The stage at which the last run ended, unless it passed.
    pub stage: Option<Stage>,
    /// The signature of the last failure.
    pub signature: Option<String>,
    /// The name of the last failure, also without a signature ([`firstbad::Observation::failure`]). It is for display only.
    pub failure: Option<String>,
    /// Why the last outcome may not come from the code.
    pub doubt: Option<Doubt>,
    /// The number of outcomes from runs of the test; 0 for known outcomes.
    pub runs: u64,
    /// The number of outcomes of each kind, including counts of runs.
    pub outcomes: Counts,
    /// The total run time, in seconds.
    pub seconds: f64,
    /// The maximum memory of the test, in bytes.
    pub memory: Option<u64>,
    /// The note of the last observation.
    pub note: Option<String>,
    /// The file with the last output of the test.
    pub output: Option<String>,
    /// The reasons of the prior to test it.
    pub why: Option<SelectionReason>,
}

impl Asked {
    /// Returns the observations of a report by target, in the order first told.
    pub(crate) fn all(report: &Report) -> Vec<Asked> {
        let why = report.why();
        let mut all: Vec<Asked> = Vec::new();
        let mut places: HashMap<Target, usize> = HashMap::new();
        for TargetObservation { target, probe, observation } in report.observations() {
            let place = *places.entry(target.clone()).or_insert(all.len());
            if place == all.len() {
                all.push(Asked {
                    target: target.clone(),
                    outcome: observation.outcome,
                    stage: None,
                    signature: None,
                    failure: None,
                    doubt: None,
                    runs: 0,
                    outcomes: Counts::default(),
                    seconds: 0.0,
                    memory: None,
                    note: None,
                    output: None,
                    why: target.revision.as_ref().and_then(|revision| why.get(revision)).cloned(),
                });
            }
            let one = &mut all[place];
            let (passes, fails) = observation.counts();
            one.outcome = observation.outcome;
            one.stage = observation.stage;
            one.signature.clone_from(&observation.signature);
            one.failure = observation.failure().map(str::to_owned);
            one.doubt = observation.doubt();
            one.memory = one.memory.max(observation.memory);
            one.runs += u64::from(probe.is_some() && observation.ran);
            one.outcomes.pass += u64::from(passes);
            one.outcomes.fail += u64::from(fails);
            one.outcomes.unresolved += u64::from(observation.outcome == Outcome::Unresolved && passes + fails == 0);
            // A known outcome of equal files has the time of the earlier run.
            one.seconds += observation.seconds.filter(|_| observation.ran).unwrap_or_default();
            one.note.clone_from(&observation.note);
            one.output.clone_from(&observation.output);
        }
        all
    }
}
