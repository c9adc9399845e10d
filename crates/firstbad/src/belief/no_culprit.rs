//! The prior probability of no culprit.

use serde::{Deserialize, Serialize};

/// The prior probability that there is no culprit and the failure was a flake.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "invalid type, expected a probability in [0, 1), or \"uniform\" for 1 / (suspects + 1)")]
pub enum NoCulprit {
    /// A probability in [0, 1).
    Probability(f64),
    /// The probability of each suspect, if all are equally likely: 1 / (n + 1) (FACF, Section 2.4).
    Uniform(Uniform),
}

/// The word `uniform`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Uniform {
    /// `uniform`.
    Uniform,
}
