//! A command as an oracle.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use firstbad::{Error, Spelling, json};
use firstbad_journal::Test;
use firstbad_oracle::{BuildFolders, Carry, CommandOptions, CommandOracle, Environment, Notice, RunKind, Verdict};
use napi::Env;
use napi::bindgen_prelude::{Object, Uint8Array};
use napi_derive::napi;
use serde::Deserialize;
use serde_json::Value;

use crate::error::thrown;
use crate::promise::promised;

/// [`CommandOptions`] as JavaScript writes them; times in seconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Options {
    timeout: Option<f64>,
    on_timeout: Option<Verdict>,
    on_signal: Option<Verdict>,
    #[serde(default)]
    exit_codes: Vec<(i32, Verdict)>,
    #[serde(default)]
    env: Vec<(String, String)>,
    output_dir: Option<String>,
    output_limit: Option<f64>,
    grace: Option<f64>,
    worktrees: Option<String>,
    environments: Option<String>,
    environment: Option<Value>,
    build_folders: Option<String>,
    setup: Option<Vec<String>>,
    configure: Option<Vec<String>>,
    build: Option<Vec<String>>,
    control: Option<Vec<String>>,
    stage_timeout: Option<f64>,
    carry: Option<Vec<String>>,
    #[serde(default)]
    submodules: bool,
    #[serde(default)]
    lfs: bool,
    #[serde(default)]
    allow_filters: bool,
    signature: Option<String>,
    passed: Option<String>,
    #[serde(default)]
    signatures: bool,
    preset: Option<String>,
}

fn duration(argument: &str, seconds: f64) -> Result<Duration, Error> {
    Duration::try_from_secs_f64(seconds).map_err(|_| Error::invalid(argument, seconds, "seconds, 0 or above"))
}

/// A number of bytes that are kept.
fn bytes(number: f64) -> Result<u64, Error> {
    /// `Number.MAX_SAFE_INTEGER`.
    const MOST: f64 = 9_007_199_254_740_991.0;
    if number.fract() == 0.0 && (4096.0..=MOST).contains(&number) {
        return Ok(number as u64);
    }
    Err(Error::invalid("outputLimit", number, "a whole number of bytes, at least 4096"))
}

/// What stays in a work tree; the error has the option's name in JavaScript.
fn build_folders(name: &str) -> Result<BuildFolders, Error> {
    name.parse().map_err(|error| match error {
        Error::InvalidArgument { value, expected, .. } => {
            Error::InvalidArgument { argument: "buildFolders".to_owned(), value, expected }
        }
        other => other,
    })
}

impl Options {
    /// What is not given keeps its default.
    pub(crate) fn converted(self, fixups: Vec<Vec<u8>>) -> Result<CommandOptions, Error> {
        let default = CommandOptions::default();
        Ok(CommandOptions {
            timeout: self.timeout.map(|seconds| duration("timeout", seconds)).transpose()?,
            on_timeout: self.on_timeout.unwrap_or(default.on_timeout),
            on_signal: self.on_signal.unwrap_or(default.on_signal),
            exit_codes: self.exit_codes.into_iter().collect::<BTreeMap<_, _>>(),
            env: self.env,
            output_dir: self.output_dir.map(Into::into),
            output_limit: self.output_limit.map_or(Ok(default.output_limit), bytes)?,
            grace: self.grace.map_or(Ok(default.grace), |seconds| duration("grace", seconds))?,
            worktrees: self.worktrees.map(Into::into),
            environments: self.environments.map(Into::into),
            environment: self.environment.map(|value| Environment::read(&value)).transpose()?,
            build_folders: self.build_folders.map_or(Ok(default.build_folders), |name| build_folders(&name))?,
            setup: self.setup,
            configure: self.configure,
            build: self.build,
            control: self.control,
            stage_timeout: self.stage_timeout.map(|seconds| duration("stageTimeout", seconds)).transpose()?,
            fixups,
            carry: Carry::given(self.carry),
            submodules: self.submodules,
            lfs: self.lfs,
            allow_filters: self.allow_filters,
            signature: self.signature,
            passed: self.passed,
            signatures: self.signatures,
            preset: self.preset.map_or(Ok(default.preset), |name| name.parse())?,
            spelling: Spelling::Node,
        })
    }
}

/// Ends one run, from JavaScript's thread.
#[napi]
#[derive(Default)]
pub struct BindingCancel {
    cancelled: Arc<AtomicBool>,
}

#[napi]
impl BindingCancel {
    #[napi(constructor)]
    pub fn new() -> Self {
        BindingCancel::default()
    }

    #[napi(catch_unwind)]
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

/// Runs a command for a revision, any number of them side by side.
#[napi]
pub struct BindingOracle {
    oracle: Arc<CommandOracle>,
}

impl BindingOracle {
    pub(crate) fn new(oracle: CommandOracle) -> Self {
        BindingOracle { oracle: Arc::new(oracle) }
    }

    pub(crate) fn shared(&self) -> Arc<CommandOracle> {
        Arc::clone(&self.oracle)
    }

    /// What journals compare.
    pub(crate) fn test(&self) -> napi::Result<Test> {
        let value = self.oracle.record().and_then(|record| record.value());
        value.map(Test::Command).map_err(thrown)
    }
}

impl Drop for BindingOracle {
    /// JavaScript has lost it, as when its worker is terminated: threads that run it would keep it alive.
    fn drop(&mut self) {
        self.oracle.interrupt();
    }
}

#[napi]
impl BindingOracle {
    /// Runs the command, with a patch if given. Resolves with the observation as JSON. With `signed`, a failure always has a
    /// signature. With `fresh`, the run builds from a clean worktree.
    #[napi(catch_unwind, ts_return_type = "Promise<string>")]
    pub fn run<'env>(
        &self,
        env: &'env Env,
        revision: String,
        cancel: &BindingCancel,
        patch: Option<Uint8Array>,
        signed: bool,
        fresh: bool,
    ) -> napi::Result<Object<'env>> {
        let (oracle, cancelled) = (self.oracle.clone(), cancel.cancelled.clone());
        let patch = patch.map(|patch| patch.to_vec());
        promised(env, move || {
            let mut keep_going = || !cancelled.load(Ordering::Relaxed);
            let kind = RunKind { signed, fresh };
            let observation = oracle.run_as(&revision, patch.as_deref(), kind, &mut keep_going)?;
            json::text(&observation)
        })
    }

    /// Whether it runs a control after a test that fails.
    #[napi(getter)]
    pub fn controlled(&self) -> bool {
        self.oracle.is_controlled()
    }

    /// The names of the tests in its command.
    #[napi(catch_unwind)]
    pub fn tests(&self) -> napi::Result<Vec<String>> {
        Ok(firstbad::suspicion::tests_of_command(&self.oracle.record().map_err(thrown)?.command))
    }

    /// Returns the new warnings about the test.
    #[napi(catch_unwind)]
    pub fn take_warnings(&self) -> Vec<String> {
        let notices = self.oracle.take_notices().into_iter();
        let warnings = notices.filter(|notice| matches!(notice, Notice::Warning(_)));
        warnings.map(|notice| notice.text().to_owned()).collect()
    }

    #[napi(getter)]
    pub fn carried(&self) -> Vec<String> {
        self.oracle.carried().map(str::to_owned).collect()
    }

    #[napi(getter)]
    pub fn output_dir(&self) -> String {
        self.oracle.output_dir().to_string_lossy().into_owned()
    }

    /// For how many milliseconds all runs have been at their commands.
    #[napi(getter, catch_unwind)]
    pub fn testing_for(&self) -> Option<f64> {
        self.oracle.testing_for().map(|time| time.as_secs_f64() * 1000.0)
    }

    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn check_out<'env>(&self, env: &'env Env, revision: String) -> napi::Result<Object<'env>> {
        let oracle = self.oracle.clone();
        promised(env, move || oracle.check_out(&revision))
    }

    #[napi(catch_unwind)]
    pub fn interrupt(&self) {
        self.oracle.interrupt();
    }

    #[napi(catch_unwind)]
    pub fn resume(&self) {
        self.oracle.resume();
    }

    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn close<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let oracle = self.oracle.clone();
        promised(env, move || oracle.close())
    }

    #[napi(catch_unwind)]
    pub fn close_sync(&self) -> napi::Result<()> {
        self.oracle.close().map_err(thrown)
    }
}
