use serde::{Deserialize, Serialize};

use crate::error::Error;

/// A stage of a test. Stages are ordered, and their JSON form is the name in lower case.
///
/// A failure in an earlier stage must not be taken for the failure searched for. Source: Artho, "Iterative Delta Debugging",
/// Section 5.1.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Applying a patch to the revision.
    Patch,
    /// Parsing the files that the patch produces. If a file does not parse, nothing is run.
    Parse,
    /// Preparing the environment of the test: submodules and the setup command.
    Setup,
    /// Configuring the build.
    Configure,
    /// Building.
    Build,
    /// Running the test.
    Test,
    /// Running the control command, which must succeed before a failure of the test counts.
    Control,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Stage; 7] =
        [Stage::Patch, Stage::Parse, Stage::Setup, Stage::Configure, Stage::Build, Stage::Test, Stage::Control];

    /// Returns the name of the stage in lower case.
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

    /// Parses the name of a stage.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `stage`, if there is no such stage.
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
    fn a_stage_has_one_name() {
        for stage in Stage::ALL {
            let name = stage.as_str();
            assert_eq!((serde_json::json!(stage), name.parse()), (serde_json::json!(name), Ok(stage)));
        }
        assert!(Stage::ALL.is_sorted());
        let words = "link".parse::<Stage>().unwrap_err().to_string();
        assert!(words.contains("stage") && words.contains("\"link\"") && words.contains("\"configure\""), "{words}");
    }
}
