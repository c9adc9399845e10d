//! Records of tests, which journals store and compare.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use firstbad::Error;
use firstbad::digest::sha256_hex;
use firstbad_platform::files;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::checkout::carry::files_named;
use crate::options::CommandOptions;
use crate::options::carried::{CarriedFile, CopyFiles};
use crate::options::measure::MeasureOptions;
use crate::options::preset::PresetChoice;
use crate::options::suite::SuiteOptions;

/// The maximum size of a file to compare by its contents. Larger files are probably data.
const LONGEST: u64 = 64 << 20;
/// The maximum size of a script or program to compare. Larger files are interpreters, and every search reads these files at its
/// start.
const LONGEST_SCRIPT: u64 = 4 << 20;

/// The extensions of scripts that need not be executable.
const SCRIPTS: [&str; 16] =
    ["bat", "cjs", "cmd", "exe", "js", "jsx", "lua", "mjs", "mts", "php", "pl", "ps1", "py", "rb", "sh", "ts"];

/// Everything that the outcome of a test can depend on: the command, and the [`CommandOptions`] that define the test. Options of
/// the host have their defaults.
///
/// As JSON, the record omits fields with their defaults: `{"command": ["make", "test"], "timeout": 90.0}`.
#[derive(Debug, Clone, PartialEq)]
pub struct TestRecord {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The options. `preset` is the runner of the command, and `copy_files` is replaced by `kept.carried`.
    pub options: CommandOptions,
    /// The options of a [`SuiteOracle`](crate::SuiteOracle), or `None` for another oracle.
    pub suite: Option<SuiteOptions>,
    /// The options of a [`MeasureOracle`](crate::MeasureOracle), or `None` for another oracle.
    pub measure: Option<MeasureOptions>,
    /// The state of the test that is not an option.
    pub kept: Kept,
}

/// The part of a [`TestRecord`] that is not an option.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Kept {
    /// The files that [`CommandOptions::copy_files`] selected, by their paths.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub carried: BTreeMap<String, CarriedFile>,
    /// The first 16 hexadecimal digits of the SHA-256 of each script and program of at most 4 MiB that a command names by an
    /// absolute path: a changed script is another test. With [`TestRecord::with_files`], also of other files, which tests may
    /// write to.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// The SHA-256 of each environment variable's value, as hexadecimal digits. Values can be secrets, and journals are
    /// passed on.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
}

impl Default for TestRecord {
    fn default() -> Self {
        let options = CommandOptions { preset: PresetChoice::Off, ..CommandOptions::default() };
        TestRecord { command: Vec::new(), options, suite: None, measure: None, kept: Kept::default() }
    }
}

impl TestRecord {
    /// Creates the record of a command, with digests of the scripts that the command names by absolute paths.
    #[must_use]
    pub fn of(command: &[String], options: &CommandOptions) -> TestRecord {
        let kept = Kept {
            carried: match &options.copy_files {
                CopyFiles::Files(files) => files.clone(),
                CopyFiles::Auto | CopyFiles::Paths(_) => BTreeMap::new(),
            },
            files: BTreeMap::new(),
            env: options.env.iter().map(|(name, value)| (name.clone(), sha256_hex(value.as_bytes()))).collect(),
        };
        let options = CommandOptions {
            preset: options.preset.of(command).into(),
            copy_files: CopyFiles::Auto,
            ..options.clone().of_test()
        };
        TestRecord { command: command.to_vec(), options, suite: None, measure: None, kept }.with_scripts()
    }

    /// Updates the digests of the scripts and programs that the commands name by absolute paths.
    #[must_use]
    pub fn with_scripts(self) -> TestRecord {
        self.with_those(|path| is_script(path).then_some(LONGEST_SCRIPT))
    }

    /// Updates the digests of all files that the commands name by absolute paths.
    #[must_use]
    pub fn with_files(self) -> TestRecord {
        self.with_those(|_| Some(LONGEST))
    }

    /// Updates the digests of files for which `longest` returns a maximum size.
    fn with_those(mut self, longest: impl Fn(&Path) -> Option<u64>) -> TestRecord {
        let CommandOptions { setup, configure, build, control, .. } = &self.options;
        let stages = [setup, configure, build, control].into_iter().flatten();
        let named = files_named([&self.command].into_iter().chain(stages).map(Vec::as_slice));
        let digest = |path: &Path| {
            let bytes = files::read_file(File::open(path).ok()?, longest(path)?).ok()?;
            Some((path.to_string_lossy().into_owned(), sha256_hex(&bytes)[..16].to_owned()))
        };
        self.kept.files = named.into_iter().filter(|path| path.is_absolute()).filter_map(digest).collect();
        self
    }

    /// Returns the record as JSON.
    ///
    /// # Errors
    /// [`Error::Io`] if the record cannot be expressed as JSON.
    pub fn value(&self) -> Result<Value, Error> {
        let (mut fields, usual) = (self.options_written()?, TestRecord::default().options_written()?);
        fields.retain(|name, value| usual.get(name) != Some(value));
        let Value::Object(kept) = written(&self.kept)? else { return Err(no_form("not an object")) };
        fields.extend(kept);
        if !self.command.is_empty() {
            fields.insert("command".to_owned(), json!(self.command));
        }
        if let Some(suite) = &self.suite {
            fields.insert("suite".to_owned(), written(suite)?);
        }
        if let Some(measure) = &self.measure {
            fields.insert("measure".to_owned(), written(measure)?);
        }
        Ok(Value::Object(fields))
    }

    fn options_written(&self) -> Result<Map<String, Value>, Error> {
        match written(&self.options)? {
            Value::Object(fields) => Ok(fields),
            _ => Err(no_form("not an object")),
        }
    }

    /// Reads a record from JSON. `null` is the record of an empty command.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the value is not a record, or has fields that this version does not know.
    pub fn read(value: &Value) -> Result<TestRecord, Error> {
        let usual = TestRecord::default();
        if value.is_null() {
            return Ok(usual);
        }
        let wrong = |error: &dyn std::fmt::Display| Error::invalid("test", error.to_string(), "the record of a test");
        let Value::Object(given) = value else { return Err(wrong(value)) };
        let mut fields = given.clone();
        let command =
            fields.remove("command").map_or(Ok(Vec::new()), Vec::deserialize).map_err(|error| wrong(&error))?;
        let suite = fields.remove("suite").map(SuiteOptions::deserialize).transpose().map_err(|error| wrong(&error))?;
        let measure =
            fields.remove("measure").map(MeasureOptions::deserialize).transpose().map_err(|error| wrong(&error))?;
        let kept = ["carried", "files", "env"].into_iter().filter_map(|name| fields.remove_entry(name));
        let kept = Kept::deserialize(Value::Object(kept.collect())).map_err(|error| wrong(&error))?;
        if let Some(name) = CommandOptions::OF_HOST.iter().find(|name| fields.contains_key(**name)) {
            return Err(wrong(name));
        }
        let mut options = usual.options_written()?;
        options.extend(fields);
        let options = CommandOptions::deserialize(Value::Object(options)).map_err(|error| wrong(&error))?;
        Ok(TestRecord { command, options, suite, measure, kept })
    }

    /// Returns the options to run the same test again.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the test had environment variables, because records do not contain their values.
    pub fn options(&self) -> Result<CommandOptions, Error> {
        if !self.kept.env.is_empty() {
            let names: Vec<&str> = self.kept.env.keys().map(String::as_str).collect();
            let expected = "the program that started it, because a journal does not have their values";
            return Err(Error::invalid("the test's environment variables", names.join(", "), expected));
        }
        Ok(CommandOptions { copy_files: CopyFiles::Files(self.kept.carried.clone()), ..self.options.clone() })
    }
}

fn written(value: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(value).map_err(|error| no_form(&error.to_string()))
}

fn no_form(message: &str) -> Error {
    Error::Io { action: "recording the test".to_owned(), message: message.to_owned() }
}

/// Returns whether a file can be run: it is executable, or it starts or is named like a script.
fn is_script(path: &Path) -> bool {
    let is_called_so =
        path.extension().is_some_and(|end| SCRIPTS.iter().any(|script| end.eq_ignore_ascii_case(script)));
    is_called_so
        || File::open(path).is_ok_and(|mut file| {
            let is_executable = file.metadata().is_ok_and(|found| files::is_executable(&found));
            let mut start = [0; 2];
            is_executable || file.read_exact(&mut start).is_ok() && start == *b"#!"
        })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use firstbad::Content;

    use super::*;
    use crate::options::environment::Environment;
    use crate::options::preset::Preset;
    use crate::options::verdict::Verdict;

    #[test]
    fn records_omit_options_of_the_host() {
        let options = CommandOptions {
            env: vec![("A".to_owned(), "1".to_owned())],
            output_dir: Some("output".into()),
            kill_after: Duration::ZERO,
            worktrees: Some("trees".into()),
            environments: Some("environments".into()),
            ..CommandOptions::default()
        };
        let fields = |options: &CommandOptions| written(options).unwrap();
        for name in CommandOptions::OF_HOST {
            assert_ne!(fields(&options)[name], fields(&CommandOptions::default())[name], "{name} has its default here");
        }
        assert_eq!(options.of_test(), CommandOptions::default());
    }

    #[test]
    fn records_are_restored_without_values_of_variables() {
        let options = CommandOptions {
            preset: PresetChoice::Is(Preset::Pytest),
            exit_codes: BTreeMap::from([(3, Verdict::Stop)]),
            timeout: Some(Duration::from_millis(1500)),
            apply_patches: vec![b"caf\xe9".to_vec()],
            copy_files: CopyFiles::Files(BTreeMap::from([(
                "chk.sh".to_owned(),
                CarriedFile { content: Content::new(b"caf\xe9").unwrap(), executable: true },
            )])),
            keep_build: true,
            pass_pattern: Some("ok".into()),
            distinguish_failures: true,
            setup: Some(vec!["s".into()]),
            configure: Some(vec!["c".into()]),
            build: Some(vec!["b".into(), "all".into()]),
            control: Some(vec!["d".into()]),
            stage_timeout: Some(Duration::from_secs(2)),
            environment: Some(Environment {
                files: vec!["lock".into()],
                command: vec!["i".into()],
                link: Vec::new(),
                version: None,
            }),
            ..CommandOptions::default()
        };
        let command = ["make".to_owned(), "test".to_owned()];
        let record = TestRecord::of(&command, &options);
        let value = record.value().unwrap();
        let expected = serde_json::json!({
            "command": ["make", "test"], "preset": "pytest", "exit_codes": {"3": "stop"}, "timeout": 1.5,
            "apply_patches": ["Y2Fm6Q=="], "carried": {"chk.sh": {"content": "Y2Fm6Q==", "executable": true}},
            "keep_build": true, "pass_pattern": "ok", "distinguish_failures": true, "setup": ["s"],
            "configure": ["c"], "build": ["b", "all"], "control": ["d"], "stage_timeout": 2.0,
            "environment": {"files": ["lock"], "command": ["i"]},
        });
        assert_eq!(value, expected);
        assert_eq!(TestRecord::read(&value), Ok(record.clone()));
        assert_eq!(record.options(), Ok(options.clone()));
        assert_eq!(TestRecord::read(&Value::Null), Ok(TestRecord::default()));
        assert!(TestRecord::read(&serde_json::json!({"speed": 1})).is_err());

        let secret = CommandOptions { env: vec![("TOKEN".to_owned(), "hunter2".to_owned())], ..options };
        let record = TestRecord::of(&command, &secret);
        assert!(!record.value().unwrap().to_string().contains("hunter2"));
        assert!(record.options().unwrap_err().to_string().contains("TOKEN"));
    }

    #[test]
    fn the_record_of_a_measurement_has_its_metrics() {
        let measure = MeasureOptions { metric: vec!["seconds".into()], warmup: Some(2), ..MeasureOptions::default() };
        let record = TestRecord { measure: Some(measure), ..TestRecord::default() };
        let value = record.value().unwrap();
        assert_eq!(value["measure"]["metric"], json!(["seconds"]));
        assert_eq!(TestRecord::read(&value), Ok(record));
        assert!(TestRecord::read(&json!({"measure": {"speed": 1}})).is_err());
    }
}
