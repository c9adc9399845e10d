use serde::{Deserialize, Serialize};

/// The outcome of a test. Unresolved never counts as a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The test ran and passed. This is "valid" in RPA, Definition 1.
    Pass,
    /// The test ran and failed.
    Fail,
    /// The test has no outcome, for example because the build fails, a dependency is missing, or a timeout expires. This is
    /// *skip* in git bisect and `?` in delta debugging.
    Unresolved,
}

impl Outcome {
    /// Returns `pass`, `fail`, or `unresolved`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Unresolved => "unresolved",
        }
    }

    /// Swaps pass and fail. Unresolved stays. Searches for a fix swap every outcome.
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
