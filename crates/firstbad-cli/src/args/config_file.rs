//! `firstbad.toml`: the settings of a project.
//!
//! firstbad reads the file of the checkout, never of another revision. The settings become arguments, so clap checks their values.

use std::any::TypeId;
use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use firstbad::Error;
use firstbad_platform::files;
use toml::{Table, Value};

use super::help::{BUILD, OUTCOMES, TEST, has_page};

/// The name of the file.
pub(crate) const NAME: &str = "firstbad.toml";

/// The maximum size in bytes.
const LONGEST: u64 = 1 << 16;

/// The commands that read the file.
const COMMANDS: [&str; 6] = ["run", "triage", "init", "minimize", "port", "slice"];

/// The key of the test command, which has no option.
const COMMAND: &str = "command";

/// The keys that are not about the test command.
const DRIVING: [&str; 8] =
    ["jobs", "max-runs", "max-time", "flaky", "false-pass-rate", "confidence", "first-parent", "path"];

/// Options that a repository must not set.
const NEVER: [&str; 4] = ["output-dir", "apply", "allow-filters", "no-config"];

/// Returns whether an argument can only be set in the file.
fn is_file_only(argument: &Arg) -> bool {
    argument.is_hide_set() && argument.get_long().is_some() && !has_page(argument)
}

/// Returns the option or key of an argument.
fn key_of(argument: &Arg) -> &str {
    argument.get_long().unwrap_or(argument.get_id().as_str())
}

/// Refuses options that can only be set in the file.
///
/// # Errors
/// [`Error::InvalidArgument`] for such an option.
pub(super) fn check_given(program: &Command, given: &ArgMatches) -> Result<(), Error> {
    let Some((name, given)) = given.subcommand().filter(|(name, _)| COMMANDS.contains(name)) else { return Ok(()) };
    let arguments = program.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
    for argument in arguments.filter(|argument| is_file_only(argument)) {
        let id = argument.get_id().as_str();
        if given.value_source(id) == Some(ValueSource::CommandLine) {
            let key = key_of(argument);
            let expected = format!("--{key} is only in {NAME}\nhelp: set `{key} = ...` there");
            return Err(Error::invalid_value(format!("--{key}"), String::new(), expected));
        }
    }
    Ok(())
}

/// Returns the arguments that the file adds to the command line, or `None` if there is no file or it does not apply.
///
/// # Errors
/// [`Error::InvalidArgument`] for an unknown key or an invalid value, and [`Error::Io`] if the file cannot be read.
pub(super) fn added(program: &Command, given: &ArgMatches) -> Result<Option<Added>, Error> {
    added_in(Path::new("."), program, given)
}

fn added_in(folder: &Path, program: &Command, given: &ArgMatches) -> Result<Option<Added>, Error> {
    let Some((name, given)) = given.subcommand().filter(|(name, _)| COMMANDS.contains(name)) else { return Ok(None) };
    let path = |id: &str| given.try_get_one::<PathBuf>(id).ok().flatten();
    let flag = |id: &str| given.try_get_one::<bool>(id).ok().flatten().copied().unwrap_or_default();
    // A journal has all settings.
    let is_resumed =
        path("journal").is_some_and(|journal| std::fs::metadata(journal).is_ok_and(|found| found.len() > 0));
    if is_resumed || flag("resume") || flag("no_config") || name == "minimize" && path("files").is_some() {
        return Ok(None);
    }
    let Some(file) = find(folder) else { return Ok(None) };
    let settings = read(&file)?;
    let allowed: Vec<&str> =
        COMMANDS.iter().filter_map(|name| program.find_subcommand(name)).flat_map(settable).map(key_of).collect();
    let command: Vec<&Arg> =
        program.find_subcommand(name).map(|command| settable(command).collect()).unwrap_or_default();
    let mut added = Added::default();
    for (key, value) in &settings {
        let name = key.replace('_', "-");
        if !allowed.contains(&name.as_str()) {
            let near = firstbad::nearest(&name, allowed.iter().copied());
            let near = near.first().map(|near| format!(", such as {near}")).unwrap_or_default();
            return Err(wrong(&file, key, &format!("a setting of the test{near}")));
        }
        let Some(argument) = command.iter().find(|argument| key_of(argument) == name) else { continue };
        let id = argument.get_id().as_str();
        let is_given = given.try_contains_id(id).is_ok() && given.value_source(id) == Some(ValueSource::CommandLine);
        if !is_given {
            added.set(&file, argument, value)?;
        }
    }
    if added.options.is_empty() && added.command.is_empty() {
        return Ok(None);
    }
    added.check(program, name, &file)?;
    Ok(Some(added))
}

/// The arguments that the file adds to a command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Added {
    options: Vec<String>,
    command: Vec<String>,
}

impl Added {
    /// # Errors
    /// [`Error::InvalidArgument`] if the type of the value is wrong.
    fn set(&mut self, file: &Path, argument: &Arg, value: &Value) -> Result<(), Error> {
        let key = key_of(argument);
        let text = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Integer(number) => Some(number.to_string()),
            Value::Float(number) => Some(number.to_string()),
            _ => None,
        };
        let refused = |expected: &str| Err(wrong(file, &format!("{key} (of type {})", value.type_str()), expected));
        match value {
            Value::Array(values) => {
                let Some(values) = values.iter().map(text).collect::<Option<Vec<String>>>() else {
                    return refused("a list of strings");
                };
                match key {
                    COMMAND => self.command = values,
                    _ => self.options.extend(values.iter().map(|value| format!("--{key}={value}"))),
                }
            }
            _ if key == COMMAND => return refused("a program and its arguments, such as [\"pytest\", \"-x\"]"),
            Value::Boolean(true) => self.options.push(format!("--{key}")),
            Value::Boolean(false) => {
                let is_boolean = argument.get_value_parser().type_id() == TypeId::of::<bool>();
                if is_boolean && argument.get_action().takes_values() {
                    self.options.push(format!("--{key}=false"));
                }
            }
            other => match text(other) {
                Some(value) => self.options.push(format!("--{key}={value}")),
                None => return refused("a string, a number, true or false, or a list of strings"),
            },
        }
        Ok(())
    }

    /// Checks the values of the file alone, so that errors can name the file.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an invalid value.
    fn check(&self, program: &Command, subcommand: &str, file: &Path) -> Result<(), Error> {
        let words = ["firstbad", subcommand].map(str::to_owned);
        let Err(error) = program.clone().try_get_matches_from(words.into_iter().chain(self.options.iter().cloned()))
        else {
            return Ok(());
        };
        let text = |kind| match error.get(kind) {
            Some(ContextValue::String(text)) => text.clone(),
            Some(ContextValue::Strings(texts)) => texts.join(", "),
            _ => String::new(),
        };
        let expected = match error.kind() {
            ErrorKind::InvalidValue => format!("one of {}", text(ContextKind::ValidValue)),
            ErrorKind::ValueValidation => {
                let reason = error.source().map(ToString::to_string).unwrap_or_default();
                reason.strip_prefix("expected ").unwrap_or(&reason).to_owned()
            }
            ErrorKind::TooManyValues | ErrorKind::UnknownArgument => "true or false".to_owned(),
            ErrorKind::ArgumentConflict => "one value".to_owned(),
            // The options of the command line can be missing here.
            _ => return Ok(()),
        };
        let key = text(ContextKind::InvalidArg);
        let key = key.trim_start_matches('-').split([' ', '=', '[']).next().unwrap_or_default();
        let value = text(ContextKind::InvalidValue);
        Err(wrong(file, &if value.is_empty() { key.to_owned() } else { format!("{key} = {value:?}") }, &expected))
    }

    /// Returns the whole command line. The first of `words` is the program's name.
    pub(super) fn to(&self, words: &[OsString], subcommand: &str) -> Vec<OsString> {
        let at = words.iter().position(|word| word == OsStr::new(subcommand)).map_or(words.len(), |at| at + 1);
        let mut whole = words[..at].to_vec();
        whole.extend(self.options.iter().map(OsString::from));
        whole.extend_from_slice(&words[at..]);
        if !self.command.is_empty() {
            whole.push("--".into());
            whole.extend(self.command.iter().map(OsString::from));
        }
        whole
    }

    /// Returns a note about the settings.
    pub(super) fn words(&self) -> String {
        let mut words = self.options.clone();
        if !self.command.is_empty() {
            words.push("--".to_owned());
            words.extend(self.command.iter().cloned());
        }
        firstbad_report::plain(&format!("{NAME} adds {}", words.join(" ")))
    }
}

/// Returns the arguments of a command that the file can set.
fn settable(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|argument| {
        let key = key_of(argument);
        let is_about_test =
            argument.get_help_heading().is_some_and(|heading| [TEST, OUTCOMES, BUILD].contains(&heading));
        let has_key = argument.get_long().is_some() || key == COMMAND;
        has_key
            && (is_about_test || is_file_only(argument) || DRIVING.contains(&key))
            && !NEVER.contains(&key)
            && key != "keep"
    })
}

/// Returns the file in a folder or above it, up to the top of the worktree, or `None` if there is no file.
fn find(folder: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).ok()?;
    for above in folder.ancestors() {
        let file = above.join(NAME);
        if file.is_file() {
            return Some(file);
        }
        if above.join(".git").exists() {
            return None;
        }
    }
    None
}

/// # Errors
/// [`Error::InvalidArgument`] if the file is not TOML, and [`Error::Io`] if it cannot be read.
fn read(file: &Path) -> Result<Table, Error> {
    let failed = |message: String| Error::Io { action: format!("reading {}", file.display()), message };
    let bytes = files::open_regular(file).and_then(|opened| files::read_file(opened, LONGEST));
    let bytes = bytes.map_err(|error| failed(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| failed(error.utf8_error().to_string()))?;
    text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
        wrong(file, &format!("line {line}"), &format!("TOML ({})", error.message()))
    })
}

fn wrong(file: &Path, value: &str, expected: &str) -> Error {
    let argument = firstbad_report::plain(&file.display().to_string());
    Error::InvalidArgument { argument, value: firstbad_report::plain(value), expected: expected.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;

    /// Returns the arguments that a file with this text adds to the options of `firstbad run`.
    fn with(text: &str, words: &[&str]) -> Result<Option<Added>, Error> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        std::fs::write(folder.path().join(NAME), text).unwrap();
        let program = Cli::program();
        let given = program.clone().try_get_matches_from(["firstbad"].iter().chain(words)).unwrap();
        check_given(&program, &given)?;
        added_in(folder.path(), &program, &given)
    }

    fn words(text: &str, given: &[&str]) -> String {
        with(text, given).unwrap().map_or(String::new(), |added| added.words())
    }

    const PROJECT: &str =
        "command = [\"pytest\", \"-x\"]\npreset = \"pytest\"\njobs = 4\ntimeout = \"10m\"\nsubmodules = true\n";

    #[test]
    fn options_of_the_command_line_override_the_file() {
        let all = "firstbad.toml adds --jobs=4 --preset=pytest --submodules --timeout=10m -- pytest -x";
        assert_eq!(words(PROJECT, &["run"]), all);
        let some = "firstbad.toml adds --preset=pytest --submodules --timeout=10m";
        assert_eq!(words(PROJECT, &["run", "-j2", "--", "make"]), some);
        assert_eq!(words(PROJECT, &["run", "--no-config"]), "");
        assert_eq!(words(PROJECT, &["run", "--resume"]), "");
        assert_eq!(words("jobs = 2", &["init", "j.jsonl"]), "", "init has no jobs");
        assert_eq!(words("path = [\"src\", \"lib\"]", &["run"]), "firstbad.toml adds --path=src --path=lib");
        assert_eq!(words("check-parents = false\nlfs = false", &["run"]), "firstbad.toml adds --check-parents=false");
        assert_eq!(
            words("treat = [\"139=fail\"]\ncopy = \"none\"", &["run"]),
            "firstbad.toml adds --copy=none --treat=139=fail"
        );
        assert_eq!(words(PROJECT, &["minimize", "a.c", "--", "cc"]), "", "the file is about worktrees");
    }

    #[test]
    fn the_merged_command_line_is_valid() {
        let added = with(PROJECT, &["run"]).unwrap().unwrap();
        let line = added.to(&["firstbad", "run", "--bad", "main"].map(OsString::from), "run");
        let last: Vec<&str> = line.iter().map(|word| word.to_str().unwrap()).collect();
        assert_eq!(last[..3], ["firstbad", "run", "--jobs=4"]);
        assert_eq!(last[last.len() - 5..], ["--bad", "main", "--", "pytest", "-x"]);
        assert!(Cli::program().try_get_matches_from(line).is_ok());
    }

    #[test]
    fn errors_name_the_key_and_the_file() {
        let said = |text: &str| with(text, &["run"]).unwrap_err().to_string();
        assert!(said("prest = \"pytest\"").contains("prest is not valid") && said("prest = 1").contains("preset"));
        for never in
            ["output-dir = \"/tmp\"", "bad = \"main\"", "journal = \"x\"", "trust-journal = true", "apply = []"]
        {
            assert!(said(never).contains("a setting of the test"), "{never}");
        }
        assert!(said("command = \"pytest -x\"").contains("a program and its arguments"));
        assert!(said("jobs = {}").contains("jobs (of type table) is not valid"));
        let line = said("jobs = 4\n\ncommand = [");
        assert!(line.contains("line 3 is not valid; expected TOML"), "{line}");
        assert!(said(&"#".repeat(1 << 17)).contains("more than 65536 bytes"));
        for (text, expected) in [
            ("stage-timeout = \"soon\"", "stage-timeout = \"soon\" is not valid; expected"),
            ("prefer = \"oldest\"", "prefer = \"oldest\" is not valid; expected one of fewest, latest"),
            ("jobs = 0", "jobs = \"0\" is not valid; expected a number"),
            ("cached-cost = \"low\"", "cached-cost = \"low\" is not valid"),
        ] {
            let said = said(text);
            assert!(said.contains(expected) && said.contains(NAME), "{text}: {said}");
        }
    }

    #[test]
    fn options_of_the_file_are_refused_on_the_command_line() {
        for option in ["--stage-timeout=5", "--lfs", "--check-parents", "--cached=true", "--control=true"] {
            let said = with("", &["run", option]).unwrap_err().to_string();
            assert!(said.contains("firstbad.toml"), "{option}: {said}");
        }
        assert!(with("", &["port", "--control=true"]).is_ok());
    }
}
