//! Reads the exit codes of tests that ran elsewhere.

use firstbad::{Error, Observation, Outcome, Stopping};
use firstbad_journal::Header;
use firstbad_oracle::{CommandOptions, TestRecord, Verdict};

use crate::args::Treatment;
use crate::test;

/// The meaning of exit codes.
pub(crate) struct Reading {
    options: CommandOptions,
}

impl Reading {
    /// Combines the options of the command line with those of the journal.
    pub(crate) fn of(preset: Option<&str>, treat: &[Treatment], header: Option<&Header>) -> Result<Reading, Error> {
        let kept = header.map(|header| TestRecord::read(&header.test)).transpose()?.unwrap_or_default();
        let preset = match preset {
            Some(name) => test::preset(name)?,
            None => kept.options.preset,
        };
        let preset = preset.of(&kept.command).into();
        let CommandOptions { fail_pattern, mut exit_codes, mut on_signal, .. } = kept.options;
        for treatment in treat {
            match *treatment {
                Treatment::Code(code, verdict) => _ = exit_codes.insert(code, verdict),
                Treatment::Signal(verdict) => on_signal = verdict,
                Treatment::Timeout(_) => {}
            }
        }
        Ok(Reading {
            options: CommandOptions { preset, fail_pattern, exit_codes, on_signal, ..CommandOptions::default() },
        })
    }

    /// Returns the observation of an exit code, or `None` if the machine failed.
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
                    reason: format!("{words}; tell `abandon` to ask again"),
                    because: Stopping::ExitCode,
                    output: "on the machine that ran the test".to_owned(),
                });
            }
        };
        let mut observation = Observation::new(outcome);
        observation.note = Some(words);
        Ok(Some(observation))
    }
}
