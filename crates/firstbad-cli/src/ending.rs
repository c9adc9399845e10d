//! What the exit code of a test says that ran elsewhere.

use firstbad::{Error, Observation, Outcome, Stopping};
use firstbad_journal::Header;
use firstbad_oracle::{CommandOptions, TestRecord, Verdict};

use crate::test;

/// How exit codes are read: as in `git bisect run`, or as a test runner means them.
pub(crate) struct Reading {
    options: CommandOptions,
}

impl Reading {
    /// As the options say, else as the journal's own test is read.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a runner that is not known, or a test that the journal has in words of another version.
    pub(crate) fn of(
        preset: Option<&str>,
        on_signal: Option<Verdict>,
        header: Option<&Header>,
    ) -> Result<Reading, Error> {
        let kept = header.map(|header| TestRecord::read(&header.test)).transpose()?.unwrap_or_default();
        let preset = match preset {
            Some(name) => test::preset(name)?,
            None => kept.options.preset,
        };
        let preset = preset.of(&kept.command).into();
        let on_signal = on_signal.unwrap_or(kept.options.on_signal);
        let CommandOptions { fail_pattern, exit_codes, .. } = kept.options;
        Ok(Reading {
            options: CommandOptions { preset, fail_pattern, exit_codes, on_signal, ..CommandOptions::default() },
        })
    }

    /// What was seen, by the exit code and, where it is at hand, by what the test printed; `None` where the machine failed and
    /// not the code.
    ///
    /// # Errors
    /// [`Error::CommandStopped`] for a code that the journal's test says stops.
    pub(crate) fn observation(
        &self,
        code: i32,
        output: Option<&[u8]>,
        revision: &str,
    ) -> Result<Option<Observation>, Error> {
        let (verdict, words) = self.options.verdict(code, output)?;
        let outcome = match verdict {
            Verdict::Pass => Outcome::Pass,
            Verdict::Fail => Outcome::Fail,
            Verdict::Unresolved => Outcome::Unresolved,
            Verdict::Retry => return Ok(None),
            Verdict::Stop => {
                return Err(Error::CommandStopped {
                    revision: revision.to_owned(),
                    code: Some(code),
                    reason: format!("{words}; tell \"abandon\" to have it asked again"),
                    because: Stopping::ExitCode,
                    output: "with whoever ran it".to_owned(),
                });
            }
        };
        let mut observation = Observation::new(outcome);
        observation.note = Some(words);
        Ok(Some(observation))
    }
}
