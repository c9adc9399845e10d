//! Which of two changes is sought: the one that broke something, or the one that repaired it.

use serde::{Deserialize, Serialize};

/// Which change is sought.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Find {
    /// From pass to fail, who broke it.
    #[default]
    Regression,
    /// From fail to pass, who repaired it; `good` then holds the newer ends, `bad` the older ones.
    Fix,
}
