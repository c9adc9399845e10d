//! Converts the way that a command ended into an observation, by the exit codes of `git bisect run` or of a test runner.

use std::ops::RangeInclusive;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use firstbad::search::Doubt;
use firstbad::{Error, Observation, Outcome, Stage, Stopping, printable};
use firstbad_git::git;
use firstbad_platform::programs;
use regex::bytes::{Regex, RegexBuilder};

use super::doubts::{self, Suspicions};
use super::patience::Limit;
use super::signature::Signatures;
use crate::options::CommandOptions;
use crate::options::preset::{Meaning, Runner};
use crate::options::verdict::Verdict;
use crate::process::group::{Ended, Finished};
use crate::process::log;

/// The rules for exit codes and output, compiled from the options.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) runner: Option<Runner>,
    pub(crate) signature: Option<Regex>,
    pub(crate) passed: Option<Regex>,
    pub(crate) signatures: Signatures,
    /// The signs of a false failure, or `None` if the command is not known.
    pub(crate) suspicions: Option<Suspicions>,
}

impl Rules {
    /// # Errors
    /// [`Error::InvalidArgument`] for `fail_pattern`, `pass_pattern`, `output_limit`, `timeout`, `stage_timeout`, or `exit_codes`.
    pub(crate) fn of(options: &CommandOptions) -> Result<Rules, Error> {
        log::check_limit(options.output_limit)?;
        for (argument, timeout) in [("timeout", options.timeout), ("stage_timeout", options.stage_timeout)] {
            if timeout.is_some_and(|timeout| timeout.is_zero()) {
                return Err(Error::invalid(argument, 0, "more than 0 seconds, or no limit"));
            }
        }
        if let Some(code) = options.exit_codes.keys().find(|code| !CODES.contains(code)) {
            return Err(Error::invalid("exit_codes", code, "exit codes from 0 to 255"));
        }
        let signature = options.fail_pattern.as_ref().map(|pattern| expression("fail_pattern", pattern)).transpose()?;
        let passed = options.pass_pattern.as_ref().map(|pattern| expression("pass_pattern", pattern)).transpose()?;
        let signatures = Signatures::of(signature.clone()).map_err(|error| Error::Internal {
            message: format!("the expressions of distinguish_failures: {error}"),
        })?;
        Ok(Rules {
            runner: options.preset.settled().map(Runner::of).transpose()?,
            signature,
            passed,
            signatures,
            suspicions: None,
        })
    }

    /// Adds the signs of a false failure for this command.
    pub(crate) fn suspecting(self, command: &[String], options: &CommandOptions) -> Rules {
        Rules { suspicions: Some(Suspicions::of(command, options)), ..self }
    }

    /// Returns the verdict after checking the output, and the reason if the output changed the verdict.
    pub(crate) fn proven(&self, verdict: Verdict, output: &[u8]) -> (Verdict, Option<String>) {
        let wanted = match verdict {
            Verdict::Fail => &self.signature,
            Verdict::Pass => &self.passed,
            Verdict::Unresolved | Verdict::Stop | Verdict::Retry => &None,
        };
        match wanted {
            Some(wanted) if !wanted.is_match(output) => {
                (Verdict::Unresolved, Some(format!("the output has no match of {:?}", wanted.as_str())))
            }
            _ => (verdict, None),
        }
    }
}

/// The valid exit codes: one byte on Unix, 32 bits on Windows.
const CODES: RangeInclusive<i32> = if cfg!(windows) { i32::MIN..=i32::MAX } else { 0..=255 };

pub(crate) fn expression(argument: &str, pattern: &str) -> Result<Regex, Error> {
    RegexBuilder::new(pattern).multi_line(true).build().map_err(|error| {
        let words = error.to_string();
        let reason = words.lines().last().unwrap_or_default().trim_start_matches("error: ");
        Error::invalid(argument, pattern, format!("a regular expression ({reason})"))
    })
}

/// The meaning of how a test ended: the verdict, a description, the reason if it stops the run, and any doubt about the outcome.
struct Meant {
    verdict: Verdict,
    words: String,
    because: Stopping,
    doubt: Option<Doubt>,
}

/// The description of a run.
pub(crate) struct Run<'a> {
    pub(crate) command: &'a [String],
    pub(crate) revision: &'a str,
    /// The number of the run among those with a patch.
    pub(crate) patched: Option<u64>,
    pub(crate) log: &'a Path,
    /// The working folder of the commands.
    pub(crate) tree: &'a Path,
    pub(crate) options: &'a CommandOptions,
    pub(crate) rules: &'a Rules,
    /// Whether a failure also gets a signature.
    pub(crate) signed: bool,
    /// The time limits of the commands.
    pub(crate) limit: Limit,
}

impl Run<'_> {
    /// Returns the observation for how the test ended. `printed` is the test's part of the log.
    ///
    /// # Errors
    /// [`Error::CommandNotFound`], [`Error::CommandStopped`], [`Error::Retry`], [`Error::Interrupted`], and [`Error::Io`] if the
    /// output cannot be read.
    pub(crate) fn judge(&self, test: &Finished, printed: &log::Part) -> Result<Observation, Error> {
        let Meant { verdict, mut words, because, mut doubt } = self.meant(test, printed)?;
        let ending = ending(&test.ended);
        let (verdict, mut signature) = match verdict {
            Verdict::Pass if self.rules.passed.is_none() => (verdict, None),
            Verdict::Fail if self.rules.signature.is_none() => (verdict, None),
            Verdict::Pass | Verdict::Fail => match self.rules.proven(verdict, &self.output(printed)?) {
                (other, Some(why)) => {
                    words.push_str(&format!(", but {why}"));
                    if printed.left_out() > 0 {
                        words.push_str(&format!(" ({} bytes of it are left out)", printed.left_out()));
                    }
                    doubt = self.unmatched(verdict, printed.left_out() > 0);
                    // The output of a passing program has no error for the signature.
                    let unproven = (verdict == Verdict::Pass).then(|| format!("{ending}, but {why}"));
                    (other, unproven)
                }
                proven => proven,
            },
            Verdict::Unresolved | Verdict::Stop | Verdict::Retry => (verdict, None),
        };
        let code = match &test.ended {
            Ended::Exited(status) => Some(code(*status).0),
            Ended::TimedOut | Ended::Interrupted => None,
        };
        let outcome = self.outcome(verdict, &words, because, code)?;
        if signature.is_none() && (outcome == Outcome::Unresolved || outcome == Outcome::Fail && self.signed) {
            signature = Some(self.signature(&test.ended, printed)?);
        }
        if let (Outcome::Fail, Some(code), Some(suspicions)) = (outcome, code, &self.rules.suspicions) {
            doubt = suspicions.of_failure(code, || self.output(printed).unwrap_or_default(), self.options);
        }
        let mut observation = doubts::with(self.seen(outcome, &words), doubt);
        observation.stage = (outcome != Outcome::Pass).then_some(Stage::Test);
        observation.signature = signature;
        observation.seconds = Some(test.took.as_secs_f64());
        observation.memory = test.memory;
        Ok(observation)
    }

    /// Returns the observation for a test that could not be started, if the options have an outcome for its exit code.
    ///
    /// # Errors
    /// [`Error::CommandStopped`], [`Error::Retry`].
    pub(crate) fn judge_not_started(&self, code: i32) -> Result<Option<Observation>, Error> {
        let Some(&verdict) = self.options.exit_codes.get(&code) else { return Ok(None) };
        let words = format!("exit code {code}: the command could not be started");
        let outcome = self.outcome(verdict, &words, Stopping::ExitCode, Some(code))?;
        let program = self.command.first().map(String::as_str).unwrap_or_default();
        let mut observation = doubts::with(self.seen(outcome, &words), Some(doubts::not_started(program)));
        observation.stage = (outcome != Outcome::Pass).then_some(Stage::Test);
        let is_signed = outcome == Outcome::Unresolved || outcome == Outcome::Fail && self.signed;
        observation.signature = is_signed.then(|| format!("exit code {code}"));
        Ok(Some(observation))
    }

    /// Returns the outcome of a verdict.
    pub(crate) fn outcome(
        &self,
        verdict: Verdict,
        words: &str,
        because: Stopping,
        code: Option<i32>,
    ) -> Result<Outcome, Error> {
        match verdict {
            Verdict::Pass => Ok(Outcome::Pass),
            Verdict::Fail => Ok(Outcome::Fail),
            Verdict::Unresolved => Ok(Outcome::Unresolved),
            // A part of a patch can crash the program. In searches that compare failures, a crash is a different failure.
            Verdict::Stop if self.signed && self.patched.is_some() && because == Stopping::Signal => {
                Ok(Outcome::Unresolved)
            }
            Verdict::Retry => Err(self.retry(words)),
            Verdict::Stop => Err(Error::CommandStopped {
                revision: self.revision.to_owned(),
                code,
                reason: self.numbered(words),
                because,
                output: self.log.display().to_string(),
            }),
        }
    }

    /// Returns the doubt for output, of which a part may be left out, without the pattern that this verdict requires.
    fn unmatched(&self, verdict: Verdict, is_cut: bool) -> Option<Doubt> {
        let (option, pattern) = match verdict {
            Verdict::Fail => ("fail_pattern", self.rules.signature.as_ref()?),
            _ => ("pass_pattern", self.rules.passed.as_ref()?),
        };
        Some(doubts::unmatched(option, pattern.as_str(), is_cut))
    }

    /// Returns the meaning of how the test ended.
    fn meant(&self, test: &Finished, printed: &log::Part) -> Result<Meant, Error> {
        let options = self.options;
        let status = match &test.ended {
            Ended::Interrupted => return Err(Error::Interrupted),
            Ended::TimedOut => {
                let words = late(self.limit.test.unwrap_or(test.took));
                let doubt = (options.on_timeout == Verdict::Unresolved).then(|| doubts::late(&words));
                return Ok(Meant { verdict: options.on_timeout, words, because: Stopping::Timeout, doubt });
            }
            Ended::Exited(status) => *status,
        };
        let (code, words) = code(status);
        let meant = |verdict, words, because| Meant { verdict, words, because, doubt: None };
        let because = Stopping::Signal;
        Ok(match (options.exit_codes.get(&code), &self.rules.runner) {
            (Some(&verdict), _) => {
                let is_not_there = matches!(code, 126 | 127) && verdict == Verdict::Unresolved;
                let program = self.command.first().map(String::as_str).unwrap_or_default();
                let doubt = is_not_there.then(|| doubts::not_started(program));
                Meant { doubt, ..meant(verdict, words, Stopping::ExitCode) }
            }
            (None, Some(runner)) if status.code().is_some() => match runner.meaning(code, &self.output(printed)?) {
                Meaning::Usual => meant(self.usual(code)?, words, because),
                Meaning::Known(verdict) => meant(verdict, words, because),
                Meaning::Untested(why) => {
                    let words = format!("{words}, but {why}");
                    let doubt = Some(doubts::untested(code, &words, runner.preset()));
                    Meant { doubt, ..meant(Verdict::Unresolved, words, because) }
                }
            },
            (None, _) => meant(self.usual(code)?, words, because),
        })
    }

    /// Returns the observation for how a stage other than the test ended, or `None` if it exited with 0.
    ///
    /// # Errors
    /// [`Error::CommandNotFound`], [`Error::Retry`], [`Error::Interrupted`], and [`Error::Io`] if the output cannot be read.
    pub(crate) fn judge_stage(
        &self,
        stage: Stage,
        command: &[String],
        finished: &Finished,
        printed: &log::Part,
    ) -> Result<Option<Observation>, Error> {
        self.judge_part(stage, stage.as_str(), command, finished, printed)
    }

    /// Judges a command that is one part of a stage, like [`Run::judge_stage`]. `what` is its name.
    ///
    /// # Errors
    /// The errors of [`Run::judge_stage`].
    pub(crate) fn judge_part(
        &self,
        stage: Stage,
        what: &str,
        command: &[String],
        finished: &Finished,
        printed: &log::Part,
    ) -> Result<Option<Observation>, Error> {
        let words = match &finished.ended {
            Ended::Interrupted => return Err(Error::Interrupted),
            Ended::TimedOut => late(self.limit.stage.unwrap_or(finished.took)),
            Ended::Exited(status) => match code(*status) {
                (0, _) => return Ok(None),
                (code, words) if self.options.exit_codes.get(&code) == Some(&Verdict::Retry) => {
                    return Err(self.retry(&format!("{what}: {words}")));
                }
                (code @ (126 | 127), _) => return Err(self.not_found(command, code)),
                (_, words) => words,
            },
        };
        let signature = self.signature(&finished.ended, printed)?;
        let words = format!("{what} failed: {words}");
        let is_limited = self.options.stage_timeout.is_some() && matches!(finished.ended, Ended::TimedOut);
        let doubt = is_limited.then(|| doubts::late_stage(&words));
        Ok(Some(doubts::with(self.not_tested(stage, &words, signature), doubt)))
    }

    /// Returns the error for a failure of the machine.
    fn retry(&self, words: &str) -> Error {
        Error::Retry {
            revision: self.revision.to_owned(),
            reason: self.numbered(words),
            output: self.log.display().to_string(),
        }
    }

    /// Returns an unresolved observation for a test that could not run.
    pub(crate) fn not_tested(&self, stage: Stage, words: &str, signature: String) -> Observation {
        Observation { stage: Some(stage), signature: Some(signature), ..self.seen(Outcome::Unresolved, words) }
    }

    /// Returns the signature of the failure.
    pub(crate) fn signature(&self, ended: &Ended, printed: &log::Part) -> Result<String, Error> {
        Ok(match ended {
            Ended::TimedOut | Ended::Interrupted => ending(ended),
            Ended::Exited(_) => self.rules.signatures.sign(&ending(ended), &self.output(printed)?, self.tree),
        })
    }

    pub(crate) fn output(&self, printed: &log::Part) -> Result<Vec<u8>, Error> {
        printed.read(self.log).map_err(|error| git::io(format!("reading {}", self.log.display()), &error))
    }

    /// Returns an observation with a note.
    pub(crate) fn seen(&self, outcome: Outcome, words: &str) -> Observation {
        let mut observation = Observation::new(outcome);
        // Messages of Git can have several lines.
        let words = self.numbered(words);
        let words = words.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
        // Names of files and submodules can contain control characters.
        observation.note = Some(printable(&format!("{words}; output in {}", self.log.display())));
        observation.output = Some(self.log.display().to_string());
        observation
    }

    fn numbered(&self, words: &str) -> String {
        self.patched.map_or(words.to_owned(), |number| format!("{words}, patch {number}"))
    }

    fn usual(&self, code: i32) -> Result<Verdict, Error> {
        match code {
            0 => Ok(Verdict::Pass),
            125 => Ok(Verdict::Unresolved),
            126 | 127 => Err(self.not_found(self.command, code)),
            1..=124 => Ok(Verdict::Fail),
            _ => Ok(self.options.on_signal),
        }
    }

    /// The error for a command that could not be run.
    pub(crate) fn not_found(&self, command: &[String], code: i32) -> Error {
        Error::CommandNotFound {
            command: command.join(" "),
            code,
            revision: self.revision.to_owned(),
            output: self.log.display().to_string(),
        }
    }
}

/// The signature of a command that exceeded its time limit.
pub(crate) const LATE: &str = "timeout";

/// Returns a stable description of how a command ended.
pub(crate) fn ending(ended: &Ended) -> String {
    match ended {
        Ended::TimedOut => LATE.to_owned(),
        Ended::Interrupted => "interrupted".to_owned(),
        Ended::Exited(status) => code(*status).1,
    }
}

/// Returns the words for a command that exceeded its time limit.
fn late(timeout: Duration) -> String {
    // Measured limits have nine digits.
    format!("still running after {} s", (timeout.as_secs_f64() * 1000.0).round() / 1000.0)
}

/// Returns the exit code, or the code that shells use for a signal, and its description.
pub(crate) fn code(status: ExitStatus) -> (i32, String) {
    match (status.code(), programs::signal(status)) {
        (Some(code), _) => (code, format!("exit code {code}")),
        (None, Some(signal)) => (128 + signal, format!("killed by signal {signal}")),
        (None, None) => (255, status.to_string()),
    }
}
