//! The stages of a test.

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// A stage of a test, in the order in which they come. As JSON, its name in lower case.
///
/// Artho, "Iterative Delta Debugging", Section 5.1: a revision that does not build and one whose test fails are two different
/// outcomes, and what happens before the test must not be taken for the failure that is looked for.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Applying a patch to the revision.
    Patch,
    /// Reading what the patch makes of a file in that file's language: where it does not parse, nothing was run.
    Parse,
    /// What the test needs around it: submodules, and a command that installs things.
    Setup,
    /// Configuring the build.
    Configure,
    /// The build.
    Build,
    /// The test itself.
    Test,
    /// A second command after a test that failed: what must go well wherever that failure is to count.
    Control,
}

impl Stage {
    /// All stages, in their order.
    pub const ALL: [Stage; 7] =
        [Stage::Patch, Stage::Parse, Stage::Setup, Stage::Configure, Stage::Build, Stage::Test, Stage::Control];

    /// `patch`, `parse`, `setup`, `configure`, `build`, `test` or `control`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Patch => "patch",
            Stage::Parse => "parse",
            Stage::Setup => "setup",
            Stage::Configure => "configure",
            Stage::Build => "build",
            Stage::Test => "test",
            Stage::Control => "control",
        }
    }
}

impl std::fmt::Display for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for Stage {
    type Err = Error;

    /// # Errors
    /// [`Error::InvalidArgument`] that names `stage`.
    fn from_str(name: &str) -> Result<Stage, Error> {
        Stage::ALL.into_iter().find(|stage| stage.as_str() == name).ok_or_else(|| {
            let names = Stage::ALL.map(|stage| format!("{:?}", stage.as_str()));
            Error::invalid("stage", name, format!("one of {}", names.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_has_one_name_everywhere() {
        for stage in Stage::ALL {
            let name = stage.as_str();
            assert_eq!((serde_json::json!(stage), name.parse()), (serde_json::json!(name), Ok(stage)));
        }
        assert!(Stage::ALL.is_sorted());
        let words = "link".parse::<Stage>().unwrap_err().to_string();
        assert!(words.contains("stage") && words.contains("\"link\"") && words.contains("\"configure\""), "{words}");
    }
}
