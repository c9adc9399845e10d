//! Runs many tests of a revision with one build.

mod infra;
mod plan;
mod reports;
mod session;
mod tests;

use std::sync::{Mutex, PoisonError};

use firstbad::{Error, KeepBuilds, Observation, Outcome, Patch};
use firstbad_git::Repository;
use firstbad_results::{Request, ResultsAt, Runner};

use self::infra::Infra;
use self::session::Session;
use self::tests::Tests;
use crate::command::CommandOracle;
use crate::command::execution::{Running, Testing};
use crate::options::CommandOptions;
use crate::options::preset::Preset;
use crate::options::suite::{self, SuiteOptions};
use crate::record::TestRecord;

/// An oracle that runs chosen tests of a revision. The revision is built once, and the runner of the tests reports each result.
///
/// The command has the arguments of the runner at `{tests}`, or at its end. `{tests_file}` is the path of a file with one id in each
/// line. The stages, worktrees, and limits are those of a [`CommandOracle`].
///
/// A test without a result is unresolved. If the runner crashes or exceeds its time limit, the results that it has written count, and
/// the other tests run again.
#[derive(Debug)]
pub struct SuiteOracle {
    oracle: CommandOracle,
    options: SuiteOptions,
    tests: Tests,
    keeps_builds: bool,
    /// A test that was asked for, which shows whether the runner can start at another revision.
    sample: Mutex<Option<String>>,
}

impl SuiteOracle {
    /// Creates an oracle for a command (a program and its arguments, no shell) that runs tests.
    ///
    /// # Errors
    /// - [`Error::InvalidArgument`] if the runner is unknown, if the command has no place for the tests, or if an option is invalid or
    ///   is about single outcomes (`control`, `fail_pattern`, `pass_pattern`).
    /// - The errors of [`CommandOracle::new`].
    pub fn new(
        repository: &Repository,
        command: Vec<String>,
        own: &SuiteOptions,
        options: CommandOptions,
    ) -> Result<Self, Error> {
        suite::check(&options)?;
        let results = own.results.as_deref().map(str::parse::<ResultsAt>).transpose()?;
        results.iter().try_for_each(plan::check_place)?;
        let runner = own.runner_of(&command)?;
        let sample = ["t".to_owned()];
        runner.plan(&Request { results: results.as_ref(), ..Request::new(&command, Some(&sample), "/") })?;
        let builds_itself = matches!(runner, Runner::Cargo | Runner::Nextest);
        let keeps_builds = own.keep_builds.count() > 0 && (builds_itself || options.before().next().is_some());
        let options = CommandOptions { preset: Preset::of_runner(runner).into(), ..options };
        let mut oracle = CommandOracle::new(repository, command, options)?;
        if keeps_builds {
            oracle.keep_builds(own.keep_builds.count());
        }
        let infra = Infra::new(&own.infra)?;
        let tests = Tests { runner, results, infra };
        Ok(SuiteOracle { oracle, options: own.clone(), tests, keeps_builds, sample: Mutex::default() })
    }

    /// Runs tests of a revision and waits until they end. `tests` are their ids, or `None` for the whole suite. Without any id, it only
    /// builds the revision and checks that the runner can start.
    ///
    /// The observation contains the result of each test that has one, and:
    ///
    /// - the outcome fail if a test failed, pass if a test passed and none failed, and unresolved otherwise
    /// - a `note` with the number of results and the place of the output
    /// - `seconds`, the wall time of the stages and the tests
    /// - the `stage` and a `signature` if the revision cannot be built. Without a stage for it, that is a runner that cannot start its
    ///   tests.
    /// - `reused` if the tests ran in the build of an earlier run
    ///
    /// # Errors
    /// The errors of [`CommandOracle::run`].
    pub fn run(&self, revision: &str, tests: Option<&[String]>) -> Result<Observation, Error> {
        self.run_until(revision, tests, &mut || true)
    }

    /// Runs tests like [`SuiteOracle::run`] until `keep_going` returns false, as in [`CommandOracle::run_until`].
    ///
    /// # Errors
    /// The errors of [`CommandOracle::run`].
    pub fn run_until(
        &self,
        revision: &str,
        tests: Option<&[String]>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        let sample = self.sample(tests);
        let (asked, is_build_only) = match tests {
            Some([]) => (sample.as_deref(), true),
            tests => (tests, false),
        };
        let mut seen =
            self.oracle.run_in_build(revision, false, keep_going, &mut |running, _| match (is_build_only, asked) {
                (true, None) => Ok(running.run.seen(Outcome::Pass, "built")),
                _ => Session::new(&self.tests, running).run(asked),
            })?;
        if is_build_only && seen.stage.is_none() {
            // The sample only shows that the runner can start.
            seen = Observation { results: Default::default(), outcome: Outcome::Pass, ..seen };
        }
        Ok(seen)
    }

    /// Runs tests of a revision with a patch applied to it. The stages run again, and the build is not kept for later runs.
    ///
    /// # Errors
    /// The errors of [`CommandOracle::run_patched`].
    pub fn run_patched(
        &self,
        revision: &str,
        patch: &[u8],
        tests: &[String],
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        let patch = Patch::parse(patch)?;
        self.oracle.within(revision, keep_going, &mut |work_tree, revision, how| {
            let prepared = self.oracle.prepare(work_tree, revision, Some(&patch), how)?;
            let run = &mut |running: &mut Running<'_, '_, '_>| Session::new(&self.tests, running).run(Some(tests));
            let testing = Testing { signed: true, is_built: false, is_one: false, test: run };
            let (seen, ran) = self.oracle.execute(work_tree, revision, testing, &prepared, how)?;
            work_tree.used |= ran;
            Ok(seen)
        })
    }

    /// Runs one test of a revision with a patch applied to it, as [`CommandOracle::run_with_signature`] does. The observation is about
    /// this test.
    ///
    /// # Errors
    /// The errors of [`CommandOracle::run_patched`].
    pub fn run_test(
        &self,
        revision: &str,
        patch: &[u8],
        test: &str,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        let mut seen = self.run_patched(revision, patch, &[test.to_owned()], keep_going)?;
        if let Some(result) = std::mem::take(&mut seen.results).remove(test) {
            seen.seconds = result.seconds;
            seen.signature = result.signature;
            seen.outcome = result.outcome;
        }
        Ok(seen)
    }

    /// Returns the sample test as a list, after updating it to the first of these tests.
    fn sample(&self, tests: Option<&[String]>) -> Option<Vec<String>> {
        let mut sample = self.sample.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(first) = tests.and_then(<[String]>::first) {
            *sample = Some(first.clone());
        }
        sample.clone().map(|test| vec![test])
    }

    /// Returns the record of the test for a journal.
    #[must_use]
    pub fn record(&self) -> TestRecord {
        TestRecord { suite: Some(self.options.clone()), ..self.oracle.record() }
    }

    /// Returns the oracle of the command, for its notices, its output, and its end. Its runs have no results of tests.
    #[must_use]
    pub fn command(&self) -> &CommandOracle {
        &self.oracle
    }

    /// Returns the number of builds that are kept, which is 0 if there is no stage before the test. A triage should have this option.
    #[must_use]
    pub fn keep_builds(&self) -> KeepBuilds {
        if self.keeps_builds { self.options.keep_builds } else { KeepBuilds::Last(0) }
    }

    /// Returns the runner of the tests.
    #[must_use]
    pub fn runner(&self) -> Runner {
        self.tests.runner
    }
}
