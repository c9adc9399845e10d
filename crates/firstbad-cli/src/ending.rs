//! What the exit code of a test says that ran elsewhere.

use firstbad::{Error, Observation, Outcome};
use firstbad_journal::Header;
use serde_json::Value;

/// How exit codes are read: as in `git bisect run`, or as a test runner means them.
pub(crate) struct Reading {
    runner: Option<String>,
}

impl Reading {
    /// As the option says, else as the journal's own test is read.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a runner that is not known.
    pub(crate) fn of(preset: Option<&str>, header: Option<&Header>) -> Result<Reading, Error> {
        let kept = || header.and_then(|header| header.driver.pointer("/test/preset").and_then(Value::as_str));
        Ok(Reading { runner: preset.or_else(kept).map(str::to_owned) })
    }

    /// What was seen, by the exit code and what the test printed (nothing where that is not at hand).
    ///
    /// # Errors
    /// [`Error::CommandNotFound`] and [`Error::CommandStopped`] where no revision is to be blamed for the ending.
    pub(crate) fn observation(&self, code: i32, output: &[u8], revision: &str) -> Result<Observation, Error> {
        let _ = output;
        let outcome = match code {
            0 => Outcome::Pass,
            125 => Outcome::Unresolved,
            126 | 127 => {
                return Err(Error::CommandNotFound {
                    command: self.runner.clone().unwrap_or_else(|| "the test".to_owned()),
                    code,
                    revision: revision.to_owned(),
                    output: "nothing".to_owned(),
                });
            }
            1..=124 => Outcome::Fail,
            _ => {
                return Err(Error::CommandStopped {
                    revision: revision.to_owned(),
                    reason: format!("exit code {code}"),
                    output: "nothing".to_owned(),
                });
            }
        };
        let mut observation = Observation::new(outcome);
        observation.note = Some(format!("exit code {code}"));
        Ok(observation)
    }
}
