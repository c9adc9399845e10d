//! The types that a store returns.

use firstbad::Observation;
use serde::Serialize;

/// The oracle that outcomes belong to. Outcomes of different oracles, or of different versions of an oracle, are never mixed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct OracleKey {
    /// The name of the test, for example its command.
    pub name: String,
    /// The version of the oracle, for example a digest of its command and environment. A new version makes earlier outcomes
    /// unusable.
    pub version: String,
}

/// A stored outcome, as returned for a key.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Kept {
    /// The run that recorded the outcome.
    pub run: String,
    /// The recorded observation.
    pub observation: Observation,
    /// The time at which the outcome was stored, in seconds since 1970 (UTC) on the clock of the recording machine.
    pub at: f64,
}

/// A stored outcome with its oracle and key.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// The oracle that produced the outcome.
    pub oracle: OracleKey,
    /// The key of the tested target.
    pub key: String,
    /// The run that recorded the outcome.
    pub run: String,
    /// The recorded observation.
    pub observation: Observation,
    /// The time at which the outcome was stored, in seconds since 1970 (UTC) on the clock of the recording machine.
    pub at: f64,
}
