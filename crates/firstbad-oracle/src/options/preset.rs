//! Test runners by name, and what their exit codes and output mean.

use firstbad::Error;
use regex::bytes::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::runner_rows::{self, Row};
use super::verdict::Verdict;

pub(crate) mod of_command;

/// A test runner whose exit codes and output [`CommandOracle`](crate::CommandOracle) understands: if nothing could
/// be built or nothing was tested, the revision is unresolved, whatever the exit code says. As JSON, its name.
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

    /// The name, one of [`Preset::NAMES`].
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Preset::NAMES[self as usize]
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
    /// [`Error::InvalidArgument`] that names `preset`.
    fn from_str(name: &str) -> Result<Preset, Error> {
        let place = Preset::NAMES.iter().position(|known| *known == name);
        place.map(|place| Preset::ALL[place]).ok_or_else(|| {
            let names = Preset::NAMES.map(|name| format!("{name:?}"));
            Error::invalid("preset", name, format!("one of {}", names.join(", ")))
        })
    }
}

/// The choice of a test runner for a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PresetChoice {
    /// The runner that the command names, as `npx jest` does.
    #[default]
    Auto,
    /// No runner: exit codes have their usual meaning.
    Off,
    /// This runner.
    Is(Preset),
}

impl PresetChoice {
    /// The names of [`PresetChoice::Auto`] and [`PresetChoice::Off`].
    pub const NAMES: [&'static str; 2] = ["auto", "none"];

    /// Returns the runner for a command.
    #[must_use]
    pub fn of(self, command: &[String]) -> Option<Preset> {
        match self {
            PresetChoice::Auto => of_command::of_command(command)?.parse().ok(),
            PresetChoice::Off => None,
            PresetChoice::Is(preset) => Some(preset),
        }
    }

    /// Returns the runner after `auto` has been resolved.
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

/// What an ending means to a runner.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// What it means to any program.
    Usual,
    Known(Verdict),
    /// Nothing that blames or clears a revision, with the words for it.
    Untested(String),
}

/// A preset with its expressions, ready to be used.
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

    /// Returns the preset of this runner.
    pub(crate) fn preset(&self) -> Preset {
        self.preset
    }

    pub(crate) fn meaning(&self, code: i32, output: &[u8]) -> Meaning {
        let name = self.preset.as_str();
        if self.unresolved.contains(&code) {
            return Meaning::Untested(format!("to {name} that is no failing test"));
        }
        let text = self.colours.replace_all(output, &b""[..]);
        let has = |regex: &Option<Regex>| regex.as_ref().is_some_and(|regex| regex.is_match(&text));
        let without = |regex: &Option<Regex>, but: &Option<Regex>| {
            let found = regex.as_ref()?.find(&text).filter(|_| !has(but))?;
            // The whole line says more than the words that were looked for.
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
            // Programs that do not exist are for others to tell.
            Some(line) if code < 125 => Meaning::Untested(format!("{name} could not test: {line:?}")),
            _ => Meaning::Usual,
        }
    }
}

#[cfg(test)]
mod tests;
