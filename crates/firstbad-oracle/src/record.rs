//! What a test is, in a form that can be kept and compared.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use firstbad::digest::sha256_hex;
use firstbad::{Content, Error};
use firstbad_platform::files;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::checkout::carry::files_named;
use crate::options::carried::{CarriedFile, Carry};
use crate::options::environment::Environment;
use crate::options::preset::Preset;
use crate::options::verdict::Verdict;
use crate::options::{BuildFolders, CommandOptions};

/// The most bytes of a file whose content is told apart: longer ones are data rather than tests.
const LONGEST: u64 = 64 << 20;
/// The same of a script or a program: longer ones are interpreters, and each start of a search reads them.
const LONGEST_SCRIPT: u64 = 4 << 20;

/// How names of scripts end that need not be executable.
const SCRIPTS: [&str; 16] =
    ["bat", "cjs", "cmd", "exe", "js", "jsx", "lua", "mjs", "mts", "php", "pl", "ps1", "py", "rb", "sh", "ts"];

/// All that the outcome of a test by a command may depend on: the command, and what of its [`CommandOptions`] says how
/// it is run and what its ending means. Where work trees and output go is no part of it.
///
/// As JSON without what is at its default: `{"command": ["make", "test"], "timeout": 90.0}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TestRecord {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// [`CommandOptions::preset`].
    pub preset: Option<Preset>,
    /// [`CommandOptions::signature`].
    pub signature: Option<String>,
    /// [`CommandOptions::exit_codes`].
    pub exit_codes: BTreeMap<i32, Verdict>,
    /// [`CommandOptions::timeout`], in seconds.
    pub timeout: Option<f64>,
    /// [`CommandOptions::on_timeout`].
    pub on_timeout: Verdict,
    /// [`CommandOptions::on_signal`].
    pub on_signal: Verdict,
    /// [`CommandOptions::passed`].
    pub passed: Option<String>,
    /// [`CommandOptions::signatures`].
    pub signatures: bool,
    /// [`CommandOptions::setup`].
    pub setup: Option<Vec<String>>,
    /// [`CommandOptions::configure`].
    pub configure: Option<Vec<String>>,
    /// [`CommandOptions::build`].
    pub build: Option<Vec<String>>,
    /// [`CommandOptions::control`].
    pub control: Option<Vec<String>>,
    /// [`CommandOptions::stage_timeout`], in seconds.
    pub stage_timeout: Option<f64>,
    /// [`CommandOptions::environment`], a preset written out.
    pub environment: Option<Environment>,
    /// [`CommandOptions::fixups`].
    pub fixups: Vec<Content>,
    /// [`CommandOptions::carry`], by their paths. Those that it does not write out are no part of it.
    pub carried: BTreeMap<String, CarriedFile>,
    /// Of each script and program of at most 4 MiB that a command names by its whole path the SHA-256 of its content, as 16
    /// hexadecimal digits: whoever changes one has another test. Of other files, too, where somebody asked for that
    /// ([`TestRecord::with_files`]): tests may write to them.
    pub files: BTreeMap<String, String>,
    /// [`CommandOptions::submodules`].
    pub submodules: bool,
    /// [`CommandOptions::lfs`].
    pub lfs: bool,
    /// [`CommandOptions::allow_filters`].
    pub allow_filters: bool,
    /// [`CommandOptions::build_folders`].
    pub build_folders: BuildFolders,
    /// [`CommandOptions::output_limit`], in bytes: a signature is looked for in what is kept.
    pub output_limit: u64,
    /// [`CommandOptions::env`]: of each variable the SHA-256 of its value, as hexadecimal digits. Values may be secrets,
    /// and journals are passed on.
    pub env: BTreeMap<String, String>,
}

impl Default for TestRecord {
    fn default() -> Self {
        let CommandOptions { on_timeout, on_signal, build_folders, output_limit, .. } = CommandOptions::default();
        TestRecord {
            command: Vec::new(),
            preset: None,
            signature: None,
            exit_codes: BTreeMap::new(),
            timeout: None,
            on_timeout,
            on_signal,
            passed: None,
            signatures: false,
            setup: None,
            configure: None,
            build: None,
            control: None,
            stage_timeout: None,
            environment: None,
            fixups: Vec::new(),
            carried: BTreeMap::new(),
            files: BTreeMap::new(),
            submodules: false,
            lfs: false,
            allow_filters: false,
            build_folders,
            output_limit,
            env: BTreeMap::new(),
        }
    }
}

impl TestRecord {
    /// The record of a command, with what the scripts hold by now that it names by their whole paths.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a fix-up that is too long.
    pub fn of(command: &[String], options: &CommandOptions) -> Result<TestRecord, Error> {
        let fixups = options.fixups.iter().map(|patch| Content::new(patch)).collect::<Result<_, _>>()?;
        let record = TestRecord {
            command: command.to_vec(),
            preset: options.preset.of(command),
            signature: options.signature.clone(),
            exit_codes: options.exit_codes.clone(),
            timeout: options.timeout.map(|time| time.as_secs_f64()),
            on_timeout: options.on_timeout,
            on_signal: options.on_signal,
            passed: options.passed.clone(),
            signatures: options.signatures,
            setup: options.setup.clone(),
            configure: options.configure.clone(),
            build: options.build.clone(),
            control: options.control.clone(),
            stage_timeout: options.stage_timeout.map(|time| time.as_secs_f64()),
            environment: options.environment.clone(),
            fixups,
            carried: match &options.carry {
                Carry::Files(files) => files.clone(),
                Carry::Auto | Carry::Paths(_) => BTreeMap::new(),
            },
            files: BTreeMap::new(),
            submodules: options.submodules,
            lfs: options.lfs,
            allow_filters: options.allow_filters,
            build_folders: options.build_folders,
            output_limit: options.output_limit,
            env: options.env.iter().map(|(name, value)| (name.clone(), sha256_hex(value.as_bytes()))).collect(),
        };
        Ok(record.with_scripts())
    }

    /// The same with what the scripts and programs hold by now that its commands name by their whole paths.
    #[must_use]
    pub fn with_scripts(self) -> TestRecord {
        self.with_those(|path| is_script(path).then_some(LONGEST_SCRIPT))
    }

    /// The same with what all files hold by now that its commands name by their whole paths.
    #[must_use]
    pub fn with_files(self) -> TestRecord {
        self.with_those(|_| Some(LONGEST))
    }

    /// The same with those files that are to be read up to so many bytes.
    fn with_those(mut self, longest: impl Fn(&Path) -> Option<u64>) -> TestRecord {
        let stages = [&self.setup, &self.configure, &self.build, &self.control].into_iter().flatten();
        let named = files_named([&self.command].into_iter().chain(stages).map(Vec::as_slice));
        let digest = |path: &Path| {
            let bytes = files::read_file(File::open(path).ok()?, longest(path)?).ok()?;
            Some((path.to_string_lossy().into_owned(), sha256_hex(&bytes)[..16].to_owned()))
        };
        self.files = named.into_iter().filter(|path| path.is_absolute()).filter_map(digest).collect();
        self
    }

    /// As JSON.
    ///
    /// # Errors
    /// [`Error::Io`] should it have no such form.
    pub fn value(&self) -> Result<Value, Error> {
        let written = |record: &TestRecord| {
            serde_json::to_value(record)
                .map_err(|error| Error::Io { action: "writing the test down".to_owned(), message: error.to_string() })
        };
        let (mut value, usual) = (written(self)?, written(&TestRecord::default())?);
        if let Value::Object(fields) = &mut value {
            fields.retain(|name, value| usual.get(name) != Some(value));
        }
        Ok(value)
    }

    /// The record that JSON stands for; that of no command for `null`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for what is no record, or has words that this version does not know.
    pub fn read(value: &Value) -> Result<TestRecord, Error> {
        if value.is_null() {
            return Ok(TestRecord::default());
        }
        TestRecord::deserialize(value)
            .map_err(|error| Error::invalid("test", error.to_string(), "the record of a test"))
    }

    /// The options that make the same test again.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] where it had environment variables of its own, whose values are not kept, or for a
    /// time that is none.
    pub fn options(&self) -> Result<CommandOptions, Error> {
        if !self.env.is_empty() {
            let names: Vec<&str> = self.env.keys().map(String::as_str).collect();
            let expected = "the program that it was begun with: their values are not kept";
            return Err(Error::invalid("the test's environment variables", names.join(", "), expected));
        }
        let time = |name: &str, seconds: Option<f64>| {
            let time = seconds.map(|seconds| {
                Duration::try_from_secs_f64(seconds).map_err(|_| Error::invalid(name, seconds, "seconds, 0 or above"))
            });
            time.transpose()
        };
        Ok(CommandOptions {
            preset: self.preset.into(),
            signature: self.signature.clone(),
            exit_codes: self.exit_codes.clone(),
            timeout: time("timeout", self.timeout)?,
            on_timeout: self.on_timeout,
            on_signal: self.on_signal,
            passed: self.passed.clone(),
            signatures: self.signatures,
            setup: self.setup.clone(),
            configure: self.configure.clone(),
            build: self.build.clone(),
            control: self.control.clone(),
            stage_timeout: time("stage_timeout", self.stage_timeout)?,
            environment: self.environment.clone(),
            fixups: self.fixups.iter().map(|patch| patch.bytes().to_vec()).collect(),
            carry: Carry::Files(self.carried.clone()),
            submodules: self.submodules,
            lfs: self.lfs,
            allow_filters: self.allow_filters,
            build_folders: self.build_folders,
            output_limit: self.output_limit,
            ..CommandOptions::default()
        })
    }
}

/// Whether a file is one that is run: it can be executed, or begins or is called as a script does.
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
    use super::*;
    use crate::options::preset::PresetChoice;

    #[test]
    fn what_is_written_down_comes_back_without_the_values_of_variables() {
        let options = CommandOptions {
            preset: PresetChoice::Is(Preset::Pytest),
            exit_codes: BTreeMap::from([(3, Verdict::Stop)]),
            timeout: Some(Duration::from_millis(1500)),
            fixups: vec![b"caf\xe9".to_vec()],
            carry: Carry::Files(BTreeMap::from([(
                "chk.sh".to_owned(),
                CarriedFile { content: Content::new(b"caf\xe9").unwrap(), executable: true },
            )])),
            build_folders: BuildFolders::Warm,
            passed: Some("ok".into()),
            signatures: true,
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
        let record = TestRecord::of(&command, &options).unwrap();
        let value = record.value().unwrap();
        let expected = serde_json::json!({
            "command": ["make", "test"], "preset": "pytest", "exit_codes": {"3": "stop"}, "timeout": 1.5,
            "fixups": ["Y2Fm6Q=="], "carried": {"chk.sh": {"content": "Y2Fm6Q==", "executable": true}}, "build_folders": "warm", "passed": "ok", "signatures": true, "setup": ["s"],
            "configure": ["c"], "build": ["b", "all"], "control": ["d"], "stage_timeout": 2.0,
            "environment": {"files": ["lock"], "command": ["i"]},
        });
        assert_eq!(value, expected);
        assert_eq!(TestRecord::read(&value), Ok(record.clone()));
        assert_eq!(record.options(), Ok(options.clone()));
        assert_eq!(TestRecord::read(&Value::Null), Ok(TestRecord::default()));
        assert!(TestRecord::read(&serde_json::json!({"speed": 1})).is_err());

        let secret = CommandOptions { env: vec![("TOKEN".to_owned(), "hunter2".to_owned())], ..options };
        let record = TestRecord::of(&command, &secret).unwrap();
        assert!(!record.value().unwrap().to_string().contains("hunter2"));
        assert!(record.options().unwrap_err().to_string().contains("TOKEN"));
    }
}
