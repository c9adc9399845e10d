//! From the ending of a command to an observation, as `git bisect run` reads exit codes, or as a test runner means
//! them.

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use firstbad::{Error, Observation, Outcome};
use regex::bytes::{Regex, RegexBuilder};

use super::group::Ended;
use super::log;
use super::options::CommandOptions;
use super::preset::{Meaning, Runner};
use super::verdict::Verdict;
use crate::git;

/// What endings and outputs mean, ready to be looked up.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) runner: Option<Runner>,
    pub(super) signature: Option<Regex>,
}

impl Rules {
    /// # Errors
    /// [`Error::InvalidArgument`] that names `signature` or `output_limit`.
    pub(super) fn of(options: &CommandOptions) -> Result<Rules, Error> {
        log::check_limit(options.output_limit)?;
        let signature = options.signature.as_ref().map(|pattern| {
            RegexBuilder::new(pattern).multi_line(true).build().map_err(|error| {
                let words = error.to_string();
                let reason = words.lines().last().unwrap_or_default().trim_start_matches("error: ");
                Error::invalid("signature", pattern, format!("a regular expression ({reason})"))
            })
        });
        Ok(Rules { runner: options.preset.map(Runner::of).transpose()?, signature: signature.transpose()? })
    }
}

/// What one run was.
pub(super) struct Run<'a> {
    pub(super) command: &'a [String],
    pub(super) revision: &'a str,
    /// The number of the run with a patch, if it is one.
    pub(super) patched: Option<u64>,
    pub(super) log: &'a Path,
}

impl Run<'_> {
    /// What the ending says about the revision; the command printed this part of the log.
    ///
    /// # Errors
    /// [`Error::CommandNotFound`], [`Error::CommandStopped`], [`Error::Interrupted`]; [`Error::Io`] if the output
    /// cannot be read.
    pub(super) fn judge(
        &self,
        ended: &Ended,
        took: Duration,
        options: &CommandOptions,
        rules: &Rules,
        printed: &log::Part,
    ) -> Result<Observation, Error> {
        let output =
            || printed.read(self.log).map_err(|error| git::io(format!("reading {}", self.log.display()), &error));
        let (mut verdict, mut words, advice) = match ended {
            Ended::Interrupted => return Err(Error::Interrupted),
            Ended::TimedOut => {
                let words = late(options.timeout.unwrap_or(took));
                (options.on_timeout, words, "set on_timeout to choose an outcome for that, or a longer timeout")
            }
            Ended::Exited(status) => {
                let (code, words) = code(*status);
                let advice = "set on_signal or exit_codes to choose an outcome for that";
                match (options.exit_codes.get(&code), &rules.runner) {
                    (Some(&verdict), _) => (verdict, words, "exit_codes says that this code stops"),
                    (None, Some(runner)) if status.code().is_some() => match runner.meaning(code, &output()?) {
                        Meaning::Usual => (self.usual(code, options)?, words, advice),
                        Meaning::Known(verdict) => (verdict, words, advice),
                        Meaning::Untested(why) => (Verdict::Unresolved, format!("{words}, but {why}"), advice),
                    },
                    (None, _) => (self.usual(code, options)?, words, advice),
                }
            }
        };
        if verdict == Verdict::Fail
            && let Some(signature) = &rules.signature
            && !signature.is_match(&output()?)
        {
            verdict = Verdict::Unresolved;
            words.push_str(&format!(", but the output has no match of {:?}", signature.as_str()));
            if printed.left_out() > 0 {
                words.push_str(&format!(" ({} bytes of it are left out: output_limit)", printed.left_out()));
            }
        }
        let outcome = match verdict {
            Verdict::Pass => Outcome::Pass,
            Verdict::Fail => Outcome::Fail,
            Verdict::Unresolved => Outcome::Unresolved,
            Verdict::Stop => {
                return Err(Error::CommandStopped {
                    revision: self.revision.to_owned(),
                    reason: format!("{} ({advice})", self.numbered(&words)),
                    output: self.log.display().to_string(),
                });
            }
        };
        let mut observation = self.seen(outcome, &words);
        observation.seconds = Some(took.as_secs_f64());
        Ok(observation)
    }

    /// Unresolved, because the test was not even begun.
    pub(super) fn not_tested(&self, words: &str) -> Observation {
        self.seen(Outcome::Unresolved, words)
    }

    fn seen(&self, outcome: Outcome, words: &str) -> Observation {
        let mut observation = Observation::new(outcome);
        observation.note = Some(format!("{}; output in {}", self.numbered(words), self.log.display()));
        observation.output = Some(self.log.display().to_string());
        observation
    }

    fn numbered(&self, words: &str) -> String {
        self.patched.map_or(words.to_owned(), |number| format!("{words}, patch {number}"))
    }

    fn usual(&self, code: i32, options: &CommandOptions) -> Result<Verdict, Error> {
        match code {
            0 => Ok(Verdict::Pass),
            125 => Ok(Verdict::Unresolved),
            126 | 127 => Err(self.not_found(self.command, code)),
            1..=124 => Ok(Verdict::Fail),
            _ => Ok(options.on_signal),
        }
    }

    /// The error for a command that could not be run.
    pub(super) fn not_found(&self, command: &[String], code: i32) -> Error {
        Error::CommandNotFound {
            command: command.join(" "),
            code,
            revision: self.revision.to_owned(),
            output: self.log.display().to_string(),
        }
    }
}

/// Words for a command that was ended because of its time.
pub(super) fn late(timeout: Duration) -> String {
    format!("still running after {} s", timeout.as_secs_f64())
}

/// The exit code, for a signal the one that shells give it, and words for it.
pub(super) fn code(status: ExitStatus) -> (i32, String) {
    match (status.code(), status.signal()) {
        (Some(code), _) => (code, format!("exit code {code}")),
        (None, Some(signal)) => (128 + signal, format!("killed by signal {signal}")),
        (None, None) => (255, status.to_string()),
    }
}
