//! Verdicts for tests that ran outside of an oracle.

use firstbad::Error;

use super::judge::Rules;
use crate::options::CommandOptions;
use crate::options::preset::Meaning;
use crate::options::verdict::Verdict;

impl CommandOptions {
    /// Returns the verdict for a run outside of an oracle, and the reason in words.
    ///
    /// The command exited with `code` and printed `output`. If `output` is `None`, the code alone decides. The verdict is the
    /// same as in [`CommandOracle::run`](crate::CommandOracle::run), with one exception. If the run would stop the search because
    /// of code 126 or 127, or because of a crash while `on_signal` is [`Verdict::Stop`], the verdict is [`Verdict::Unresolved`].
    /// [`Verdict::Stop`] only comes from `exit_codes`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `fail_pattern` or `pass_pattern` if it is not a valid regular expression.
    pub fn verdict(&self, code: i32, output: Option<&[u8]>) -> Result<(Verdict, String), Error> {
        let rules = Rules::of(self)?;
        let words = format!("exit code {code}");
        let (usual, why) = match code {
            0 => (Verdict::Pass, ""),
            125 => (Verdict::Unresolved, ""),
            1..=124 => (Verdict::Fail, ""),
            126 | 127 => (Verdict::Unresolved, ", which means that the command was not found or not executable"),
            _ if self.on_signal == Verdict::Stop => (Verdict::Unresolved, ", which means a crash or a signal"),
            _ => (self.on_signal, ", which means a crash or a signal"),
        };
        let usually = format!("{words}{why}");
        let (verdict, words) = match (self.exit_codes.get(&code), &rules.runner) {
            (Some(&verdict), _) => (verdict, words),
            (None, Some(runner)) => match runner.meaning(code, output.unwrap_or_default()) {
                Meaning::Usual => (usual, usually),
                Meaning::Known(verdict) => (verdict, words),
                Meaning::Untested(why) => (Verdict::Unresolved, format!("{words}, but {why}")),
            },
            (None, None) => (usual, usually),
        };
        let Some(output) = output else { return Ok((verdict, words)) };
        let (verdict, why) = rules.proven(verdict, output);
        Ok((verdict, why.map_or(words.clone(), |why| format!("{words}, but {why}"))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Preset, PresetChoice};

    #[test]
    fn external_exit_codes_have_the_meaning_of_oracles() {
        let plain = CommandOptions::default();
        let verdict = |options: &CommandOptions, code, output| options.verdict(code, output).unwrap().0;
        for (code, expected) in [(0, Verdict::Pass), (1, Verdict::Fail), (125, Verdict::Unresolved)] {
            assert_eq!(verdict(&plain, code, None), expected);
        }
        assert!([126, 127, 137].iter().all(|&code| verdict(&plain, code, None) == Verdict::Unresolved));
        assert_eq!(plain.verdict(137, None).unwrap().1, "exit code 137, which means a crash or a signal");
        let crashes = CommandOptions { on_signal: Verdict::Fail, ..CommandOptions::default() };
        assert_eq!((verdict(&crashes, 139, None), verdict(&crashes, 127, None)), (Verdict::Fail, Verdict::Unresolved));
        let stops = CommandOptions { exit_codes: [(139, Verdict::Stop)].into(), ..CommandOptions::default() };
        assert_eq!(verdict(&stops, 139, None), Verdict::Stop);
        let pytest = CommandOptions { preset: PresetChoice::Is(Preset::Pytest), ..CommandOptions::default() };
        assert_eq!((verdict(&pytest, 5, None), verdict(&pytest, 1, None)), (Verdict::Unresolved, Verdict::Fail));
        let cargo = CommandOptions { preset: PresetChoice::Is(Preset::Cargo), ..CommandOptions::default() };
        assert_eq!(verdict(&cargo, 101, Some(b"error[E0425]: cannot find value\n")), Verdict::Unresolved);
        assert_eq!(verdict(&cargo, 101, Some(b"test result: FAILED. 0 passed; 1 failed\n")), Verdict::Fail);
        let signed = CommandOptions { fail_pattern: Some("10.20".into()), ..CommandOptions::default() };
        assert_eq!(verdict(&signed, 1, Some(b"total 10.10\n")), Verdict::Unresolved);
        let proven = CommandOptions { pass_pattern: Some("^all passed$".into()), ..CommandOptions::default() };
        assert_eq!(verdict(&proven, 0, Some(b"nothing\n")), Verdict::Unresolved);
        assert_eq!(
            (verdict(&proven, 0, Some(b"all passed\n")), verdict(&proven, 0, None)),
            (Verdict::Pass, Verdict::Pass)
        );
        assert_eq!((verdict(&signed, 1, None), verdict(&signed, 0, Some(b""))), (Verdict::Fail, Verdict::Pass));
    }
}
