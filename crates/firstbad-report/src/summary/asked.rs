//! What was tested, and what was seen.

use std::collections::HashMap;
use std::iter::Sum;

use firstbad::search::Doubt;
use firstbad::suspicion::SelectionReason;
use firstbad::{Outcome, Report, Stage, Target, TargetObservation};

/// How many answers of each kind there were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Passes.
    pub pass: u64,
    /// Failures.
    pub fail: u64,
    /// Answers that were neither.
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

/// Everything that was seen of one revision, or of one set of changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// What was tested.
    pub target: Target,
    /// What was seen last.
    pub outcome: Outcome,
    /// The stage at which the test ended last, where it did not pass.
    pub stage: Option<Stage>,
    /// Which failure the last answer was.
    pub signature: Option<String>,
    /// The same where it has no signature, too ([`firstbad::Observation::failure`]): it decides nothing, so that no search may
    /// take it over as one.
    pub failure: Option<String>,
    /// Why the last outcome may not come from the code.
    pub doubt: Option<Doubt>,
    /// How many answers came from a run of the test; 0 where it was known from elsewhere.
    pub runs: u64,
    /// How many answers of each kind there were, counts of runs included.
    pub outcomes: Counts,
    /// How long they took together, in seconds.
    pub seconds: f64,
    /// The most memory that the test had, in bytes.
    pub memory: Option<u64>,
    /// The words that came with the last answer.
    pub note: Option<String>,
    /// The file with what the test printed last.
    pub output: Option<String>,
    /// Why it was tried, where the prior of the search knows.
    pub why: Option<SelectionReason>,
}

impl Asked {
    /// The observations of a report by what they are about, in the order first told.
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
            // What was seen before, of equal files, has the time of that run.
            one.seconds += observation.seconds.filter(|_| observation.ran).unwrap_or_default();
            one.note.clone_from(&observation.note);
            one.output.clone_from(&observation.output);
        }
        all
    }
}
