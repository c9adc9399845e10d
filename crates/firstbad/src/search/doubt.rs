use serde::{Deserialize, Serialize};

/// A reason why an outcome may not come from the code, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// The reason, such as `the output does not match signature "totl"`. Equal texts mean equal reasons.
    pub reason: String,
    /// The fix, including the names of options.
    pub help: String,
    /// Whether the test failed, but not in the way that the caller asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unmatched: bool,
}
