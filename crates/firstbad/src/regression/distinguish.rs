//! Whether failures are told apart.

use serde::{Deserialize, Serialize};

/// Whether failures are told apart by how the test fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "invalid type, expected \"auto\", true, or false")]
pub enum DistinguishFailures {
    /// `"auto"`: once the culprit of the plain search turns out to fail in another way than the bad revision.
    Auto(Auto),
    /// From the start, or never.
    Always(bool),
}

/// The word `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Auto {
    /// `auto`.
    Auto,
}

impl Default for DistinguishFailures {
    fn default() -> Self {
        DistinguishFailures::Auto(Auto::Auto)
    }
}
