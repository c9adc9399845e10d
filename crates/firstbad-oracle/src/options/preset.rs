//! Presets: well-known test runners, and the meaning of their exit codes and output.

use firstbad::Error;
use regex::bytes::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::runner_rows::{self, Row};
use super::verdict::Verdict;

/// A test runner whose exit codes and output firstbad understands. If the runner could not build or ran no test, the revision is
/// unresolved, whatever the exit code. In JSON, its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "&str", try_from = "String")]
pub enum Preset {
    /// `pytest`.
    Pytest,
    /// `jest`.
    Jest,
    /// `vitest run`.
    Vitest,
    /// `mocha`.
    Mocha,
    /// `node --test`.
    Node,
    /// `cargo test`, `cargo nextest run`.
    Cargo,
    /// `go test`.
    Go,
    /// `ctest`.
    Ctest,
}

impl Preset {
    /// The names of all presets.
    pub const NAMES: [&'static str; 8] = ["pytest", "jest", "vitest", "mocha", "node", "cargo", "go", "ctest"];

    const ALL: [Preset; 8] = [
        Preset::Pytest,
        Preset::Jest,
        Preset::Vitest,
        Preset::Mocha,
        Preset::Node,
        Preset::Cargo,
        Preset::Go,
        Preset::Ctest,
    ];

    /// Returns the name of the preset, one of [`Preset::NAMES`].
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Preset::NAMES[self as usize]
    }

    /// Returns the preset for the exit codes of a runner, or `None` if firstbad does not know them.
    pub(crate) fn of_runner(runner: firstbad_results::Runner) -> Option<Preset> {
        use firstbad_results::Runner;
        match runner {
            Runner::Pytest => Some(Preset::Pytest),
            Runner::Jest => Some(Preset::Jest),
            Runner::Vitest => Some(Preset::Vitest),
            Runner::Mocha => Some(Preset::Mocha),
            Runner::Node => Some(Preset::Node),
            Runner::Cargo | Runner::Nextest => Some(Preset::Cargo),
            Runner::Go => Some(Preset::Go),
            Runner::Ctest => Some(Preset::Ctest),
            Runner::Bazel | Runner::Custom => None,
        }
    }

    fn row(self) -> Row {
        match self {
            Preset::Pytest => runner_rows::PYTEST,
            Preset::Jest => runner_rows::JEST,
            Preset::Vitest => runner_rows::VITEST,
            Preset::Mocha => runner_rows::MOCHA,
            Preset::Node => runner_rows::NODE,
            Preset::Cargo => runner_rows::CARGO,
            Preset::Go => runner_rows::GO,
            Preset::Ctest => runner_rows::CTEST,
        }
    }
}

impl std::str::FromStr for Preset {
    type Err = Error;

    /// # Errors
    /// [`Error::InvalidArgument`] for `preset` if the name is unknown.
    fn from_str(name: &str) -> Result<Preset, Error> {
        let place = Preset::NAMES.iter().position(|known| *known == name);
        place.map(|place| Preset::ALL[place]).ok_or_else(|| {
            let names = Preset::NAMES.map(|name| format!("{name:?}"));
            Error::invalid("preset", name, format!("one of {}", names.join(", ")))
        })
    }
}

/// The choice of a test runner for a command. In JSON, its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(into = "&str", try_from = "String")]
pub enum PresetChoice {
    /// The runner that the command names, such as `npx jest`.
    #[default]
    Auto,
    /// No runner. Exit codes have their usual meaning.
    Off,
    /// This runner.
    Is(Preset),
}

impl PresetChoice {
    /// The names of [`PresetChoice::Auto`] and [`PresetChoice::Off`].
    pub const NAMES: [&'static str; 2] = ["auto", "none"];

    /// Returns the names of all choices.
    #[must_use]
    pub fn all() -> Vec<&'static str> {
        PresetChoice::NAMES.into_iter().chain(Preset::NAMES).collect()
    }

    /// Returns the test runner to use for a command.
    #[must_use]
    pub fn of(self, command: &[String]) -> Option<Preset> {
        match self {
            PresetChoice::Auto => firstbad_results::Runner::recognize(command).and_then(Preset::of_runner),
            PresetChoice::Off => None,
            PresetChoice::Is(preset) => Some(preset),
        }
    }

    /// Returns the runner of a choice that is not `auto`.
    pub(crate) fn settled(self) -> Option<Preset> {
        self.of(&[])
    }
}

impl From<Option<Preset>> for PresetChoice {
    fn from(preset: Option<Preset>) -> Self {
        preset.map_or(PresetChoice::Off, PresetChoice::Is)
    }
}

impl std::str::FromStr for PresetChoice {
    type Err = Error;

    /// # Errors
    /// [`Error::InvalidArgument`] for `preset` if the name is unknown.
    fn from_str(name: &str) -> Result<PresetChoice, Error> {
        match name {
            "auto" => Ok(PresetChoice::Auto),
            "none" => Ok(PresetChoice::Off),
            name => name.parse().map(PresetChoice::Is).map_err(|_: Error| {
                let names = PresetChoice::NAMES.iter().chain(&Preset::NAMES).map(|name| format!("{name:?}"));
                Error::invalid("preset", name, format!("one of {}", names.collect::<Vec<_>>().join(", ")))
            }),
        }
    }
}

impl From<PresetChoice> for &str {
    fn from(choice: PresetChoice) -> Self {
        match choice {
            PresetChoice::Auto => "auto",
            PresetChoice::Off => "none",
            PresetChoice::Is(preset) => preset.as_str(),
        }
    }
}

impl TryFrom<String> for PresetChoice {
    type Error = String;

    fn try_from(name: String) -> Result<PresetChoice, String> {
        name.parse().map_err(|_: Error| {
            let names = PresetChoice::all().iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
            format!("unknown runner, expected one of {names}")
        })
    }
}

impl From<Preset> for &str {
    fn from(preset: Preset) -> Self {
        preset.as_str()
    }
}

impl TryFrom<String> for Preset {
    type Error = Error;

    fn try_from(name: String) -> Result<Preset, Error> {
        name.parse()
    }
}

/// The meaning of an exit code and an output for a runner.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The same meaning as for any program.
    Usual,
    Known(Verdict),
    /// No test ran, for this reason.
    Untested(String),
}

/// A preset with its compiled expressions.
#[derive(Debug)]
pub(crate) struct Runner {
    preset: Preset,
    unresolved: &'static [i32],
    counts: bool,
    colours: Regex,
    broken: Option<Regex>,
    failed: Option<Regex>,
    nothing: Option<Regex>,
    passed: Option<Regex>,
}

impl Runner {
    pub(crate) fn of(preset: Preset) -> Result<Runner, Error> {
        let Row { unresolved, counts, broken, failed, nothing, passed } = preset.row();
        let compiled = |pattern: &str| {
            let made = RegexBuilder::new(pattern).multi_line(true).crlf(true).build();
            made.map_err(|error| Error::invalid("preset", preset.as_str(), error.to_string()))
        };
        let some = |pattern: &str| (!pattern.is_empty()).then(|| compiled(pattern)).transpose();
        Ok(Runner {
            preset,
            unresolved,
            counts,
            colours: compiled("\x1b\\[[0-9;]*m")?,
            broken: some(broken)?,
            failed: some(failed)?,
            nothing: some(nothing)?,
            passed: some(passed)?,
        })
    }

    pub(crate) fn preset(&self) -> Preset {
        self.preset
    }

    /// Returns why the runner could not start its tests, or `None` if it could or if there are no such tests.
    pub(crate) fn obstacle(&self, code: i32, output: &[u8]) -> Option<String> {
        let text = self.colours.replace_all(output, &b""[..]);
        if code == 0 || self.nothing.as_ref().is_some_and(|nothing| nothing.is_match(&text)) {
            return None;
        }
        match self.meaning(code, output) {
            Meaning::Untested(why) => Some(why),
            Meaning::Usual | Meaning::Known(_) => None,
        }
    }

    pub(crate) fn meaning(&self, code: i32, output: &[u8]) -> Meaning {
        let name = self.preset.as_str();
        if self.unresolved.contains(&code) {
            return Meaning::Untested(format!("{name} uses this exit code for other problems than a failing test"));
        }
        let text = self.colours.replace_all(output, &b""[..]);
        let has = |regex: &Option<Regex>| regex.as_ref().is_some_and(|regex| regex.is_match(&text));
        let without = |regex: &Option<Regex>, but: &Option<Regex>| {
            let found = regex.as_ref()?.find(&text).filter(|_| !has(but))?;
            // The message has the whole line.
            let start = text[..found.start()].iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
            let line = text[start..].split(|&byte| byte == b'\n').next().unwrap_or_default();
            Some(String::from_utf8_lossy(line).trim().chars().take(120).collect::<String>())
        };
        if code == 0 {
            return match without(&self.nothing, &self.passed) {
                Some(line) => Meaning::Untested(format!("{name} tested nothing: {line:?}")),
                None => Meaning::Usual,
            };
        }
        if self.counts && has(&self.failed) {
            return Meaning::Known(Verdict::Fail);
        }
        match without(&self.broken, &self.failed) {
            // Other code reports missing programs (126 and 127).
            Some(line) if code < 125 => Meaning::Untested(format!("{name} could not test: {line:?}")),
            _ => Meaning::Usual,
        }
    }
}

#[cfg(test)]
mod tests;
