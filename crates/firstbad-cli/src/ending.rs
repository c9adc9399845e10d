//! What the exit code of a test says that ran elsewhere.

use firstbad::{Error, Observation, Outcome};
use firstbad_git::{CommandOptions, TestRecord, Verdict};
use firstbad_journal::Header;

/// How exit codes are read: as in `git bisect run`, or as a test runner means them.
pub(crate) struct Reading {
    options: CommandOptions,
}

impl Reading {
    /// As the option says, else as the journal's own test is read.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a runner that is not known, or a test that the journal has in words of another version.
    pub(crate) fn of(preset: Option<&str>, header: Option<&Header>) -> Result<Reading, Error> {
        let kept = header.map(|header| TestRecord::read(&header.test)).transpose()?.unwrap_or_default();
        let preset = preset.map(str::parse).transpose()?.or(kept.preset);
        let TestRecord { signature, exit_codes, on_signal, .. } = kept;
        Ok(Reading {
            options: CommandOptions { preset, signature, exit_codes, on_signal, ..CommandOptions::default() },
        })
    }

    /// What was seen, by the exit code and, where it is at hand, by what the test printed.
    ///
    /// # Errors
    /// [`Error::CommandStopped`] where no revision is to be blamed for the ending.
    pub(crate) fn observation(&self, code: i32, output: Option<&[u8]>, revision: &str) -> Result<Observation, Error> {
        let (verdict, words) = self.options.verdict(code, output)?;
        let outcome = match verdict {
            Verdict::Pass => Outcome::Pass,
            Verdict::Fail => Outcome::Fail,
            Verdict::Unresolved => Outcome::Unresolved,
            Verdict::Stop | Verdict::Retry => {
                let advice = "no revision is to blame for that: tell \"abandon\" to have it asked again";
                return Err(Error::CommandStopped {
                    revision: revision.to_owned(),
                    code: Some(code),
                    reason: format!("{words}; {advice}"),
                    output: "with whoever ran it".to_owned(),
                });
            }
        };
        let mut observation = Observation::new(outcome);
        observation.note = Some(words);
        Ok(observation)
    }
}
