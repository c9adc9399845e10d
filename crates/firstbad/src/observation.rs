//! What an oracle answers: an [`Outcome`], or an [`Observation`] with what came along.

use serde::{Deserialize, Serialize};

/// Whether a revision has the wanted property. Unresolved is never a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The test ran and passed ("valid" in RPA, Definition 1).
    Pass,
    /// The test ran and failed.
    Fail,
    /// It could not be told: does not build, dependency missing, timed out (git's skip, delta debugging's `?`).
    Unresolved,
}

impl Outcome {
    /// `pass`, `fail` or `unresolved`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Unresolved => "unresolved",
        }
    }

    /// Pass and fail exchanged; unresolved stays. The one thing that `find = "fix"` changes.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Outcome::Pass => Outcome::Fail,
            Outcome::Fail => Outcome::Pass,
            Outcome::Unresolved => Outcome::Unresolved,
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An outcome with what came along. Only `outcome` is needed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observation {
    /// What was seen.
    pub outcome: Outcome,
    /// Which failure it was, as any text: another failure than the one searched for counts as unresolved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// How many runs passed, where the test was run several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<u32>,
    /// How many runs failed, where the test was run several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails: Option<u32>,
    /// A measured number (a duration, a size), in the caller's unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<f64>,
    /// How long the test took, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// What the test cost, in the unit of the budget's `cost`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Facts seen along the way, as any JSON value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signals: Option<serde_json::Value>,
    /// Words for people: where the log is, why it is unresolved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Observation {
    /// An observation with nothing but its outcome.
    #[must_use]
    pub fn new(outcome: Outcome) -> Self {
        Observation {
            outcome,
            signature: None,
            passes: None,
            fails: None,
            metric: None,
            seconds: None,
            cost: None,
            signals: None,
            note: None,
        }
    }

    /// Whether both say the same about the revision: outcome and signature. Times and notes may differ.
    #[must_use]
    pub fn agrees_with(&self, other: &Observation) -> bool {
        self.outcome == other.outcome && self.signature == other.signature
    }

    /// `fail`, or `fail (signature "...")` where there is one.
    #[must_use]
    pub fn describe(&self) -> String {
        match &self.signature {
            Some(signature) => format!("{} (signature {signature:?})", self.outcome),
            None => self.outcome.to_string(),
        }
    }
}

impl From<Outcome> for Observation {
    fn from(outcome: Outcome) -> Self {
        Observation::new(outcome)
    }
}
