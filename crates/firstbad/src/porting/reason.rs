use serde::{Deserialize, Serialize};

/// The reason why a version, or a part of a patch, does not show the wanted outcome (IDD, Tables 2 and 3).
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "PorterReason"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The patch does not apply.
    Patch,
    /// A file does not parse with the patch, so nothing was run.
    Parse,
    /// The setup that the test needs failed.
    Setup,
    /// The configuration of the build failed.
    Configure,
    /// The build failed.
    Build,
    /// The test fails in another way. On the way forward, the test fails.
    Test,
    /// The test exceeded its time limit.
    Timeout,
    /// The control fails.
    Control,
    /// The failure is the same, but its time or memory is outside the given factors.
    Effort,
    /// The outcome is unresolved at an unknown stage.
    Unresolved,
}

impl Reason {
    /// All reasons in their order.
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

    /// Returns the name as in JSON.
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

    /// Returns a description in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Reason::Patch => "the patch does not apply",
            Reason::Parse => "does not parse",
            Reason::Setup => "setup fails",
            Reason::Configure => "configure fails",
            Reason::Build => "does not build",
            Reason::Test => "another failure",
            Reason::Timeout => "timeout",
            Reason::Control => "the control fails",
            Reason::Effort => "other time or memory",
            Reason::Unresolved => "unresolved",
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
