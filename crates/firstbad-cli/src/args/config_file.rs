//! `firstbad.toml`: what a project says of its test, so that nobody has to type it.
//!
//! It is that of the checkout that the user stands in, as a Makefile there is; those of other revisions are never read. Its
//! settings become arguments where the command line does not have them, so that clap checks them as it checks those.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use firstbad::Error;
use firstbad_platform::files;
use toml::{Table, Value};

/// What it is called.
pub(crate) const NAME: &str = "firstbad.toml";

/// How many bytes it may have.
const LONGEST: u64 = 1 << 16;

/// The commands that go by it.
const COMMANDS: [&str; 4] = ["run", "init", "port", "slice"];

/// The command under test, which has no option of its own.
const COMMAND: &str = "command";

/// What it may say beside how the test is run.
const DRIVING: [&str; 8] =
    ["jobs", "budget_runs", "budget_time", "flaky", "false_pass_rate", "confidence", "first_parent", "path"];

/// What it may not say of how the test is run: where something is written, or read from elsewhere.
/// A cloned repository could allow its own filters, so `firstbad.toml` has no `allow_filters`.
const ELSEWHERE: [&str; 4] = ["output_dir", "fixup", "no_config", "allow_filters"];

/// The arguments that the file adds to those that were given, in front of them; `None` if there is no file, or if it is not to
/// be looked at.
///
/// # Errors
/// [`Error::InvalidArgument`] that names the file and what cannot be meant there; [`Error::Io`].
pub(super) fn added(program: &Command, given: &ArgMatches) -> Result<Option<Added>, Error> {
    let Some((name, given)) = given.subcommand().filter(|(name, _)| COMMANDS.contains(name)) else { return Ok(None) };
    // A search that is gone on with has it all.
    let path = |id: &str| given.try_get_one::<PathBuf>(id).ok().flatten();
    let flag = |id: &str| given.try_get_one::<bool>(id).ok().flatten().copied().unwrap_or_default();
    let goes_on = path("journal").is_some_and(|journal| std::fs::metadata(journal).is_ok_and(|found| found.len() > 0));
    if goes_on || flag("resume") || flag("no_config") {
        return Ok(None);
    }
    let Some(file) = find(path("repository").map_or(Path::new("."), PathBuf::as_path)) else { return Ok(None) };
    let settings = read(&file)?;
    let allowed: Vec<&str> =
        COMMANDS.iter().filter_map(|name| program.find_subcommand(name)).flat_map(settable).collect();
    let command =
        program.find_subcommand(name).map(|command| settable(command).collect::<Vec<_>>()).unwrap_or_default();
    let mut added = Added::default();
    for (key, value) in &settings {
        let id = key.replace('-', "_");
        if !allowed.contains(&id.as_str()) {
            let known: Vec<String> = allowed.iter().map(|id| id.replace('_', "-")).collect();
            let near = firstbad::nearest(key, known.iter().map(String::as_str));
            let near = near.first().map(|near| format!(", such as {near}")).unwrap_or_default();
            return Err(wrong(
                &file,
                key,
                &format!("an option of firstbad run about the test, without its dashes{near}"),
            ));
        }
        let is_given = given.try_contains_id(&id).is_ok() && given.value_source(&id) == Some(ValueSource::CommandLine);
        if !is_given && command.contains(&id.as_str()) {
            added.set(&file, key, value)?;
        }
    }
    Ok((!added.options.is_empty() || !added.command.is_empty()).then_some(added))
}

/// What a file adds to a command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Added {
    options: Vec<String>,
    command: Vec<String>,
}

impl Added {
    /// # Errors
    /// [`Error::InvalidArgument`] for a value that no option has.
    fn set(&mut self, file: &Path, key: &str, value: &Value) -> Result<(), Error> {
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
                    return refused("a list of texts");
                };
                match key {
                    COMMAND => self.command = values,
                    _ => self.options.extend(values.iter().map(|value| format!("--{key}={value}"))),
                }
            }
            _ if key == COMMAND => return refused("a list: a program and its arguments, as [\"pytest\", \"-x\"]"),
            Value::Boolean(true) => self.options.push(format!("--{key}")),
            Value::Boolean(false) => {}
            other => match text(other) {
                Some(value) => self.options.push(format!("--{key}={value}")),
                None => return refused("a text, a number, true or false, or a list of these"),
            },
        }
        Ok(())
    }

    /// The whole command line; `words` begin with the program's name and have a subcommand.
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

    /// What the file says, in one line.
    pub(super) fn words(&self) -> String {
        let mut words = self.options.clone();
        if !self.command.is_empty() {
            words.push("--".to_owned());
            words.extend(self.command.iter().cloned());
        }
        firstbad_report::plain(&format!("{NAME} adds {}", words.join(" ")))
    }
}

/// The arguments of a command that the file may set.
fn settable(command: &Command) -> impl Iterator<Item = &str> {
    let is_settable = |argument: &&clap::Arg| {
        let id = argument.get_id().as_str();
        let is_about_test = argument.get_help_heading() == Some("Test") && !ELSEWHERE.contains(&id);
        is_about_test || DRIVING.contains(&id)
    };
    command.get_arguments().filter(is_settable).map(|argument| argument.get_id().as_str())
}

/// The file in this folder, or in one above it, up to the top of the work tree; `None` if there is none.
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
/// [`Error::InvalidArgument`] that says where it is not TOML, or that it is too long; [`Error::Io`].
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

    /// The arguments that a file with this text adds to a command line, in a repository of its own.
    fn with(text: &str, words: &[&str]) -> Result<Option<Added>, Error> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        std::fs::create_dir(folder.path().join("below")).unwrap();
        std::fs::write(folder.path().join(NAME), text).unwrap();
        let program = Cli::program();
        let repository = folder.path().join("below").display().to_string();
        let line = ["firstbad", words[0], "--repository", &repository].into_iter().chain(words[1..].iter().copied());
        let given = program.clone().try_get_matches_from(line).unwrap();
        added(&program, &given)
    }

    fn words(text: &str, given: &[&str]) -> String {
        with(text, given).unwrap().map_or(String::new(), |added| added.words())
    }

    const PROJECT: &str =
        "command = [\"pytest\", \"-x\"]\npreset = \"pytest\"\njobs = 4\ntimeout = \"10m\"\nsubmodules = true\n";

    #[test]
    fn what_the_command_line_does_not_say_comes_from_the_file() {
        let all = "firstbad.toml adds --jobs=4 --preset=pytest --submodules --timeout=10m -- pytest -x";
        assert_eq!(words(PROJECT, &["run"]), all);
        let some = "firstbad.toml adds --preset=pytest --submodules --timeout=10m";
        assert_eq!(words(PROJECT, &["run", "-j2", "--", "make"]), some);
        assert_eq!(words(PROJECT, &["run", "--no-config"]), "");
        assert_eq!(words(PROJECT, &["run", "--resume"]), "");
        // A search to be driven by hand has no jobs.
        assert_eq!(words("jobs = 2", &["init", "j.jsonl"]), "");
        assert_eq!(words("path = [\"src\", \"lib\"]", &["run"]), "firstbad.toml adds --path=src --path=lib");
    }

    #[test]
    fn the_whole_line_is_checked_as_any_other() {
        let added = with(PROJECT, &["run"]).unwrap().unwrap();
        let line = added.to(&["firstbad", "run", "--bad", "main"].map(OsString::from), "run");
        let last: Vec<&str> = line.iter().map(|word| word.to_str().unwrap()).collect();
        assert_eq!(last[..3], ["firstbad", "run", "--jobs=4"]);
        assert_eq!(last[last.len() - 5..], ["--bad", "main", "--", "pytest", "-x"]);
        assert!(Cli::program().try_get_matches_from(line).is_ok());
    }

    #[test]
    fn what_cannot_be_meant_is_named() {
        let said = |text: &str| with(text, &["run"]).unwrap_err().to_string();
        assert!(said("prest = \"pytest\"").contains("prest is not valid") && said("prest = 1").contains("preset"));
        for elsewhere in ["output-dir = \"/tmp\"", "bad = \"main\"", "journal = \"x\"", "trust-journal = true"] {
            assert!(said(elsewhere).contains("an option of firstbad run about the test"), "{elsewhere}");
        }
        assert!(said("command = \"pytest -x\"").contains("a program and its arguments"));
        assert!(said("jobs = {}").contains("jobs (of type table) is not valid"));
        assert!(
            said("jobs = 4\n\ncommand = [").contains("line 3 is not valid; expected TOML"),
            "{}",
            said("jobs = 4\n\ncommand = [")
        );
        assert!(said(&"#".repeat(1 << 17)).contains("more than 65536 bytes"));
    }
}
