//! From the ending of a command to an observation, as `git bisect run` reads exit codes.

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use firstbad::{Error, Observation, Outcome};

use super::group::Ended;
use super::options::{CommandOptions, Verdict};

/// What one run was.
pub(super) struct Run<'a> {
    pub(super) command: &'a [String],
    pub(super) revision: &'a str,
    /// The number of the run with a patch, if it is one.
    pub(super) patched: Option<u64>,
    pub(super) log: &'a Path,
}

impl Run<'_> {
    /// What the ending says about the revision.
    ///
    /// # Errors
    /// [`Error::CommandNotFound`], [`Error::CommandStopped`], [`Error::Interrupted`].
    pub(super) fn judge(&self, ended: &Ended, took: Duration, options: &CommandOptions) -> Result<Observation, Error> {
        let (verdict, words, advice) = match ended {
            Ended::Interrupted => return Err(Error::Interrupted),
            Ended::TimedOut => {
                let words = format!("still running after {} s", options.timeout.unwrap_or(took).as_secs_f64());
                (options.on_timeout, words, "set on_timeout to choose an outcome for that, or a longer timeout")
            }
            Ended::Exited(status) => {
                let (code, words) = code(*status);
                match options.exit_codes.get(&code) {
                    Some(&verdict) => (verdict, words, "exit_codes says that this code stops"),
                    None => {
                        (self.usual(code, options)?, words, "set on_signal or exit_codes to choose an outcome for that")
                    }
                }
            }
        };
        let words = self.patched.map_or(words.clone(), |number| format!("{words}, patch {number}"));
        let outcome = match verdict {
            Verdict::Pass => Outcome::Pass,
            Verdict::Fail => Outcome::Fail,
            Verdict::Unresolved => Outcome::Unresolved,
            Verdict::Stop => {
                return Err(Error::CommandStopped {
                    revision: self.revision.to_owned(),
                    reason: format!("{words} ({advice})"),
                    output: self.log.display().to_string(),
                });
            }
        };
        let mut observation = Observation::new(outcome);
        observation.seconds = Some(took.as_secs_f64());
        observation.note = Some(format!("{words}; output in {}", self.log.display()));
        Ok(observation)
    }

    fn usual(&self, code: i32, options: &CommandOptions) -> Result<Verdict, Error> {
        match code {
            0 => Ok(Verdict::Pass),
            125 => Ok(Verdict::Unresolved),
            126 | 127 => Err(self.not_found(code)),
            1..=124 => Ok(Verdict::Fail),
            _ => Ok(options.on_signal),
        }
    }

    /// The error for a command that could not be run.
    pub(super) fn not_found(&self, code: i32) -> Error {
        Error::CommandNotFound {
            command: self.command.join(" "),
            code,
            revision: self.revision.to_owned(),
            output: self.log.display().to_string(),
        }
    }
}

/// The exit code, for a signal the one that shells give it, and words for it.
fn code(status: ExitStatus) -> (i32, String) {
    match (status.code(), status.signal()) {
        (Some(code), _) => (code, format!("exit code {code}")),
        (None, Some(signal)) => (128 + signal, format!("killed by signal {signal}")),
        (None, None) => (255, status.to_string()),
    }
}
