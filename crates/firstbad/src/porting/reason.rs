//! Why a version, or a part of a patch, does not show the outcome that is followed (IDD, Tables 2 and 3).

use serde::{Deserialize, Serialize};

/// Why an answer is not the outcome that is followed.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "PorterReason"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The patch does not apply.
    Patch,
    /// A file does not parse with it, so that nothing was run.
    Parse,
    /// What the test needs around it could not be set up.
    Setup,
    /// The build could not be configured.
    Configure,
    /// It does not build.
    Build,
    /// The test fails in another way, or, going forward, fails.
    Test,
    /// The test was ended because of its time.
    Timeout,
    /// The control fails.
    Control,
    /// The same failure, with another time or memory than the factors allow.
    Effort,
    /// It could not be told, and not at which stage.
    Unresolved,
}

impl Reason {
    /// All reasons, in their order.
    pub const ALL: [Reason; 10] = [
        Reason::Patch,
        Reason::Parse,
        Reason::Setup,
        Reason::Configure,
        Reason::Build,
        Reason::Test,
        Reason::Timeout,
        Reason::Control,
        Reason::Effort,
        Reason::Unresolved,
    ];

    /// As in the public contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Patch => "patch",
            Reason::Parse => "parse",
            Reason::Setup => "setup",
            Reason::Configure => "configure",
            Reason::Build => "build",
            Reason::Test => "test",
            Reason::Timeout => "timeout",
            Reason::Control => "control",
            Reason::Effort => "effort",
            Reason::Unresolved => "unresolved",
        }
    }

    /// The same for people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Reason::Patch => "the patch does not apply",
            Reason::Parse => "does not parse",
            Reason::Setup => "setup fails",
            Reason::Configure => "configure fails",
            Reason::Build => "does not build",
            Reason::Test => "another test result",
            Reason::Timeout => "timeout",
            Reason::Control => "the control fails",
            Reason::Effort => "other time or memory",
            Reason::Unresolved => "could not be told",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_has_one_name_everywhere() {
        for reason in Reason::ALL {
            assert_eq!(serde_json::json!(reason), serde_json::json!(reason.as_str()));
        }
        assert!(Reason::ALL.is_sorted());
    }
}
