//! Doubts about outcomes that may have another cause than the code, and how to resolve them.

use firstbad::search::Doubt;
use firstbad::{Observation, Outcome, Spelling, option};
use firstbad_results::is_limited;
use regex::bytes::{Regex, RegexBuilder};

use crate::options::CommandOptions;
use crate::options::preset::{Meaning, Preset, PresetChoice, Runner};

/// The exit code of `timeout` for a command that takes too long.
const TIMED_OUT: i32 = 124;

/// The output of pytest if it ran no test, and if a test failed anyway.
const NO_TEST: &str = r"^(=+ )?no tests (ran|collected)\b|ERROR collecting |^ERROR: (file or directory )?not found: |No module named '?pytest'?$";
const FAILED: &str = r"\b\d+ failed\b|ERROR at (setup|teardown) of ";

/// The signs of a failure that has another cause than the code.
#[derive(Debug)]
pub(crate) struct Suspicions {
    is_limited: bool,
    /// The runner that the command names, if no preset is used.
    runner: Option<(Preset, Runner)>,
    no_test: Option<Regex>,
    failed: Option<Regex>,
}

impl Suspicions {
    pub(crate) fn of(command: &[String], options: &CommandOptions) -> Suspicions {
        let is_plain = options.preset.settled().is_none();
        let named = PresetChoice::Auto.of(command).filter(|_| is_plain);
        let runner = named.and_then(|preset| Some((preset, Runner::of(preset).ok()?)));
        let looks = |pattern: &str| {
            let made = || RegexBuilder::new(pattern).multi_line(true).crlf(true).build().ok();
            (is_plain && runner.is_none()).then(made).flatten()
        };
        let (no_test, failed) = (looks(NO_TEST), looks(FAILED));
        Suspicions { is_limited: is_limited(command), runner, no_test, failed }
    }

    /// Returns a doubt about a failure if `exit_codes` does not list its exit code.
    pub(crate) fn of_failure(
        &self,
        code: i32,
        output: impl FnOnce() -> Vec<u8>,
        options: &CommandOptions,
    ) -> Option<Doubt> {
        if options.exit_codes.contains_key(&code) {
            return None;
        }
        if code == TIMED_OUT && self.is_limited {
            return Some(Doubt {
                reason: "exit code 124 is how timeout ends a command that takes too long".to_owned(),
                help: format!(
                    "use {} instead, or {} to make such revisions unresolved",
                    option!(timeout),
                    Spelling::token_entry("exit_codes", &code.to_string(), "unresolved")
                ),
                unmatched: false,
            });
        }
        let (name, why) = match &self.runner {
            Some((preset, runner)) => match runner.meaning(code, &output()) {
                Meaning::Untested(why) => (preset.as_str(), why),
                Meaning::Usual | Meaning::Known(_) => return None,
            },
            None => {
                let output = output();
                let found = self.no_test.as_ref()?.is_match(&output) && !self.failed.as_ref()?.is_match(&output);
                let name = found.then_some(Preset::Pytest.as_str())?;
                (name, format!("{name} ran no test"))
            }
        };
        let reason = format!("exit code {code}, but {why}");
        let help = format!("use {} to make such revisions unresolved", Spelling::token_with("preset", name));
        Some(Doubt { reason, help, unmatched: false })
    }
}

/// Returns the doubt for a test that took too long.
pub(crate) fn late(words: &str) -> Doubt {
    let help = concat!(
        "allow more time with ",
        option!(timeout),
        ", or use ",
        option!(on_timeout = "fail"),
        " if that is the failure"
    );
    Doubt { reason: words.to_owned(), help: help.to_owned(), unmatched: false }
}

/// Returns the doubt for a stage before the test that took too long.
pub(crate) fn late_stage(words: &str) -> Doubt {
    let help = concat!("allow more time with ", option!(stage_timeout));
    Doubt { reason: words.to_owned(), help: help.to_owned(), unmatched: false }
}

/// Returns the doubt for output, of which a part may be left out, that does not match the pattern of this option.
pub(crate) fn unmatched(option: &str, pattern: &str, is_cut: bool) -> Doubt {
    let (what, is_failure) = if option == "fail_pattern" { ("failure", true) } else { ("pass", false) };
    let keep_all = if is_cut { concat!(", keep more output with ", option!(output_limit)) } else { "" };
    Doubt {
        reason: format!("its output does not match {}", Spelling::token_with(option, &format!("{pattern:?}"))),
        help: format!("fix the pattern{keep_all}, or omit it to count every {what}"),
        unmatched: is_failure,
    }
}

/// Returns the doubt for a runner that ran no test.
pub(crate) fn untested(code: i32, words: &str, preset: Preset) -> Doubt {
    let help = format!(
        "check the command, or use {} if that is the failure ({} reads no exit code as {} does)",
        Spelling::token_entry("exit_codes", &code.to_string(), "fail"),
        option!(preset = "none"),
        preset.as_str()
    );
    Doubt { reason: words.to_owned(), help, unmatched: false }
}

/// Returns the doubt for a command that could not be started.
pub(crate) fn not_started(program: &str) -> Doubt {
    let reason = format!("command not found or not executable: {program}");
    let help = "check its name. Paths are relative to the top of the repository".to_owned();
    Doubt { reason, help, unmatched: false }
}

/// Adds a doubt to an observation unless the test passed.
pub(crate) fn with(observation: Observation, doubt: Option<Doubt>) -> Observation {
    match doubt {
        Some(doubt) if observation.outcome != Outcome::Pass => observation.doubted(&doubt),
        _ => observation,
    }
}
