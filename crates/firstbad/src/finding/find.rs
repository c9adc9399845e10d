use serde::{Deserialize, Serialize};

/// The kind of change that a search finds.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Find {
    /// The change from pass to fail that broke the test.
    #[default]
    Regression,
    /// The change from fail to pass that fixed the test. `good` then holds the newer revisions and `bad` the older ones.
    Fix,
}
