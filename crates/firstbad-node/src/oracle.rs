//! A command as an oracle.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use firstbad::{Spelling, json};
use firstbad_journal::Test;
use firstbad_oracle::{CommandOptions, CommandOracle, MeasureOracle, Notice, RunKind, SuiteOracle, TestRecord};
use napi::Env;
use napi::bindgen_prelude::{Object, Uint8Array};
use napi_derive::napi;

use crate::error::thrown;
use crate::promise::promised;

/// Reads the options of a command oracle from JSON.
pub(crate) fn options(written: &str) -> napi::Result<CommandOptions> {
    json::argument("options", written).and_then(|options| CommandOptions::read(&options)).map_err(thrown)
}

/// A handle that interrupts one run from JavaScript's thread.
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

/// The outcome of a command, the results of its tests, or its numbers.
pub(crate) enum Runs {
    Command(Box<CommandOracle>),
    Suite(Box<SuiteOracle>),
    Measure(Box<MeasureOracle>),
}

impl Deref for Runs {
    type Target = CommandOracle;

    fn deref(&self) -> &CommandOracle {
        match self {
            Runs::Command(oracle) => oracle,
            Runs::Suite(oracle) => oracle.command(),
            Runs::Measure(oracle) => oracle.command(),
        }
    }
}

/// An oracle that runs a command for revisions, in parallel if needed.
#[napi]
pub struct BindingOracle {
    oracle: Arc<Runs>,
}

impl BindingOracle {
    pub(crate) fn new(oracle: CommandOracle) -> Self {
        BindingOracle { oracle: Arc::new(Runs::Command(Box::new(oracle))) }
    }

    pub(crate) fn of_suite(oracle: SuiteOracle) -> Self {
        BindingOracle { oracle: Arc::new(Runs::Suite(Box::new(oracle))) }
    }

    pub(crate) fn of_numbers(oracle: MeasureOracle) -> Self {
        BindingOracle { oracle: Arc::new(Runs::Measure(Box::new(oracle))) }
    }

    pub(crate) fn shared(&self) -> Arc<Runs> {
        Arc::clone(&self.oracle)
    }

    fn record(&self) -> TestRecord {
        match &*self.oracle {
            Runs::Command(oracle) => oracle.record(),
            Runs::Suite(oracle) => oracle.record(),
            Runs::Measure(oracle) => oracle.record(),
        }
    }

    /// Returns the test for comparison with a journal.
    pub(crate) fn test(&self) -> napi::Result<Test> {
        self.record().value().map(Test::Command).map_err(thrown)
    }
}

impl Drop for BindingOracle {
    /// JavaScript has dropped the oracle, for example because a worker was terminated. Threads with a run would keep it alive.
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

    /// Runs tests by their ids, or the whole suite. Resolves with the observation as JSON.
    #[napi(catch_unwind, ts_return_type = "Promise<string>")]
    pub fn run_tests<'env>(
        &self,
        env: &'env Env,
        revision: String,
        tests: Option<Vec<String>>,
        cancel: &BindingCancel,
    ) -> napi::Result<Object<'env>> {
        let (oracle, cancelled) = (self.oracle.clone(), cancel.cancelled.clone());
        promised(env, move || {
            let mut keep_going = || !cancelled.load(Ordering::Relaxed);
            let observation = match &*oracle {
                Runs::Suite(suite) => suite.run_until(&revision, tests.as_deref(), &mut keep_going)?,
                _ => oracle.run_until(&revision, &mut keep_going)?,
            };
            json::text(&observation)
        })
    }

    /// Measures a revision, and then the good revision `control` if given. Resolves with the observation as JSON.
    #[napi(catch_unwind, ts_return_type = "Promise<string>")]
    pub fn measure<'env>(
        &self,
        env: &'env Env,
        revision: String,
        control: Option<String>,
        cancel: &BindingCancel,
    ) -> napi::Result<Object<'env>> {
        let (oracle, cancelled) = (self.oracle.clone(), cancel.cancelled.clone());
        promised(env, move || {
            let mut keep_going = || !cancelled.load(Ordering::Relaxed);
            let observation = match (&*oracle, &control) {
                (Runs::Measure(oracle), Some(control)) => oracle.run_paired(&revision, control, &mut keep_going)?,
                (Runs::Measure(oracle), None) => oracle.run_until(&revision, &mut keep_going)?,
                _ => oracle.run_until(&revision, &mut keep_going)?,
            };
            json::text(&observation)
        })
    }

    /// Returns the options of a search that the command implies, as JSON.
    #[napi(catch_unwind)]
    pub fn search_options(&self) -> String {
        match &*self.oracle {
            Runs::Measure(oracle) => oracle.search_options().to_string(),
            _ => "{}".to_owned(),
        }
    }

    /// Returns the number of kept builds or `"all"` as JSON, or null if the command has no results of tests.
    #[napi(catch_unwind)]
    pub fn keep_builds(&self) -> napi::Result<Option<String>> {
        match &*self.oracle {
            Runs::Suite(suite) => json::text(&suite.keep_builds()).map(Some).map_err(thrown),
            _ => Ok(None),
        }
    }

    /// Returns whether a control command runs after a failing test.
    #[napi(getter)]
    pub fn controlled(&self) -> bool {
        self.oracle.is_controlled()
    }

    /// The names of the tests in its command.
    #[napi(catch_unwind)]
    pub fn tests(&self) -> Vec<String> {
        firstbad::suspicion::tests_of_command(&self.record().command)
    }

    /// Returns the new warnings about the test.
    #[napi(catch_unwind)]
    pub fn take_warnings(&self) -> Vec<String> {
        let notices = self.oracle.take_notices().into_iter();
        let warnings = notices.filter(|notice| matches!(notice, Notice::Warning(_)));
        warnings.map(|notice| notice.text(Spelling::Node)).collect()
    }

    #[napi(getter)]
    pub fn carried(&self) -> Vec<String> {
        self.oracle.carried().map(str::to_owned).collect()
    }

    #[napi(getter)]
    pub fn output_dir(&self) -> String {
        self.oracle.output_dir().to_string_lossy().into_owned()
    }

    /// Returns how many milliseconds all runs have been executing their commands.
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
