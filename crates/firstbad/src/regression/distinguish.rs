//! The option that distinguishes failures.

use serde::{Deserialize, Serialize};

/// Whether failures are distinguished by how the test fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "invalid type, expected \"auto\", true, or false")]
pub enum DistinguishFailures {
    /// `"auto"`: only if the culprit of the plain search fails in another way than the bad revision.
    Auto(Auto),
    /// From the start if true, never if false.
    Always(bool),
}

/// The value `"auto"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Auto {
    /// The value `"auto"`.
    Auto,
}

impl Default for DistinguishFailures {
    fn default() -> Self {
        DistinguishFailures::Auto(Auto::Auto)
    }
}
