//! What is believed beforehand of there being no culprit.

use serde::{Deserialize, Serialize};

/// How likely it is beforehand that there is no culprit: the failure was a flake.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "invalid type, expected a probability in [0, 1), or \"uniform\" for 1 / (suspects + 1)")]
pub enum NoCulprit {
    /// This probability, in [0, 1).
    Probability(f64),
    /// As likely as each suspect, if those are all alike: 1 / (n + 1), the paper's Section 2.4.
    Uniform(Uniform),
}

/// The word `uniform`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Uniform {
    /// `uniform`.
    Uniform,
}
