//! The failure that the search follows, and how outcomes compare to it (IDD, Sections 2 and 5.1).

use std::sync::Arc;

use super::reason::Reason;
use crate::search::{Observation, Outcome, Stage};

/// The signature that command oracles use for a test that exceeded its time limit.
const TIMEOUT: &str = "timeout";

/// The result of comparing an observation with the failure at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The same failure ("original result").
    Same,
    /// A pass.
    Pass,
    /// Any other outcome: another failure, no build, or a patch that does not apply ("err").
    Other,
}

/// How a version fails to build. Versions with equal states are one block for the walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    stage: Option<Stage>,
    signature: Option<String>,
}

impl State {
    pub(super) fn of(observation: &Observation) -> State {
        State::new(observation.stage, observation.signature.as_deref())
    }

    pub(super) fn new(stage: Option<Stage>, signature: Option<&str>) -> State {
        State { stage, signature: signature.map(str::to_owned) }
    }
}

/// The failure at the start.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    seen: Arc<Observation>,
    /// The factors of time and memory that count as another outcome.
    factors: (Option<f64>, Option<f64>),
}

impl Failure {
    /// Returns the failure at the start, if the test ran there and failed.
    pub(super) fn of(seen: &Arc<Observation>, factors: (Option<f64>, Option<f64>)) -> Option<Failure> {
        let ran = match seen.stage {
            None => seen.outcome == Outcome::Fail,
            Some(stage) => seen.outcome != Outcome::Pass && stage == Stage::Test,
        };
        ran.then(|| Failure { seen: Arc::clone(seen), factors })
    }

    /// Compares an observation with the failure. On the way back, a pass counts only if the control passes, because the
    /// patch may have made the pass hollow (Section 5.2). On the way forward, the control does not matter.
    pub(super) fn kind(&self, observation: &Observation, forward: bool) -> Kind {
        let seen = &self.seen;
        if observation.outcome == Outcome::Pass {
            if is_hollow(observation) && !forward { Kind::Other } else { Kind::Pass }
        } else if self.looks_like(observation)
            && near(seen.seconds, observation.seconds, self.factors.0)
            && near(seen.memory.map(as_number), observation.memory.map(as_number), self.factors.1)
        {
            Kind::Same
        } else {
            Kind::Other
        }
    }

    /// Compares outcome, stage, and signature, but not time and memory.
    fn looks_like(&self, observation: &Observation) -> bool {
        let seen = &self.seen;
        observation.outcome == seen.outcome
            && (observation.stage, &observation.signature) == (seen.stage, &seen.signature)
    }

    /// Returns why an outcome is not the wanted one, or `None` if it is wanted or a pass.
    pub(super) fn reason(&self, observation: &Observation, wanted: Kind, forward: bool) -> Option<Reason> {
        let kind = self.kind(observation, forward);
        if kind == Kind::Pass || kind == wanted {
            return None;
        }
        Some(match observation.stage {
            _ if observation.outcome == Outcome::Pass => Reason::Control,
            Some(Stage::Patch) => Reason::Patch,
            Some(Stage::Parse) => Reason::Parse,
            Some(Stage::Setup) => Reason::Setup,
            Some(Stage::Configure) => Reason::Configure,
            Some(Stage::Build) => Reason::Build,
            Some(Stage::Control) => Reason::Control,
            _ if observation.signature.as_deref() == Some(TIMEOUT) => Reason::Timeout,
            _ if kind == Kind::Other && self.looks_like(observation) => Reason::Effort,
            None if observation.outcome == Outcome::Unresolved => Reason::Unresolved,
            _ => Reason::Test,
        })
    }

    pub(super) fn words(&self) -> String {
        self.seen.describe()
    }
}

#[allow(clippy::cast_precision_loss, reason = "a ratio of sizes")]
fn as_number(bytes: u64) -> f64 {
    bytes as f64
}

/// Returns whether two amounts are within a factor. Unmeasured amounts always are.
fn near(first: Option<f64>, second: Option<f64>, factor: Option<f64>) -> bool {
    match (first, second, factor) {
        (Some(first), Some(second), Some(factor)) => first <= second * factor && second <= first * factor,
        _ => true,
    }
}

/// Returns whether the test passes but the control fails, according to the signals.
fn is_hollow(observation: &Observation) -> bool {
    observation.signals.as_ref().is_some_and(|signals| signals.get("control").is_some_and(|said| !said.is_null()))
}

/// Returns whether a patch did not apply.
pub(super) fn is_conflict(observation: &Observation) -> bool {
    observation.outcome == Outcome::Unresolved && observation.stage == Some(Stage::Patch)
}

/// Returns whether the version itself does not build.
pub(super) fn is_unbuilt(observation: &Observation) -> bool {
    observation.outcome == Outcome::Unresolved
        && matches!(observation.stage, Some(Stage::Setup | Stage::Configure | Stage::Build))
}
