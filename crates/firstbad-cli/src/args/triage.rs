//! `firstbad triage`.

use std::path::PathBuf;

use clap::Args;
use firstbad::{Error, KeepBuilds};
use firstbad_oracle::SuiteOptions;
use firstbad_results::Runner;

use super::help::{ADVANCED, BUILD, LIMITS, OUTCOMES, REVISIONS, SUITE, TEST};
use super::test::{DriveArgs, ResumeArgs, TrustArgs};
use super::values::keep_builds;
use super::{CommandArgs, FetchArgs, NotifyArgs, OutputArgs, RepositoryArgs};

#[derive(Debug, Clone, Args)]
pub(crate) struct TriageArgs {
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
    /// Revision at which the suite passed
    #[arg(long, value_name = "REF", help_heading = REVISIONS)]
    pub(crate) good: Option<String>,
    /// Revision at which tests fail [default: HEAD]
    #[arg(long, value_name = "REF", help_heading = REVISIONS)]
    pub(crate) bad: Option<String>,
    /// Follow only the first parent of merges
    #[arg(long, hide_short_help = true, help_heading = REVISIONS)]
    pub(crate) first_parent: bool,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    #[command(flatten)]
    pub(crate) night: NightArgs,
    #[command(flatten)]
    pub(crate) suite: SuiteArgs,
    /// Run the tests of each culprit once more with the culprit reverted
    ///
    /// The runs are at --bad. A test that still fails there is a warning of the report.
    #[arg(long, hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) verify_revert: bool,
    /// Required probability of each verdict [default: 0.95]
    ///
    /// P is above 0.5 and below 1. With 0.99, a triage needs 15% to 20% more test runs.
    #[arg(long, value_name = "P", hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) confidence: Option<f64>,
    /// Initial probabilities of the commits [default: changes]
    ///
    /// `changes` uses the files that each commit touches and the names of the tests. `uniform` treats all commits alike.
    #[arg(long, value_name = "WHAT", value_parser = ["changes", "uniform"], hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) prior: Option<String>,
    /// Stop after N builds
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = LIMITS)]
    pub(crate) max_builds: Option<u64>,
    #[command(flatten)]
    pub(crate) test: CommandArgs,
    #[command(flatten)]
    pub(crate) drive: DriveArgs,
    #[command(flatten)]
    pub(crate) resume: ResumeArgs,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) notify: NotifyArgs,
}

/// The tests of a triage, and what is known about them.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct NightArgs {
    /// Test reports of the last green run, at --good
    ///
    /// FILE is JUnit XML, TAP, JSON of Jest, Vitest, or Mocha, or the output of go or cargo. firstbad recognizes the format.
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = SUITE)]
    pub(crate) good_results: Vec<PathBuf>,
    /// Test reports of the red run, at --bad
    ///
    /// The tests that fail there are searched. Without reports and --tests, the whole suite runs once at each endpoint.
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = SUITE)]
    pub(crate) bad_results: Vec<PathBuf>,
    /// Search only these tests
    ///
    /// FILE has one test id per line. `-` reads standard input.
    #[arg(long, value_name = "FILE", help_heading = SUITE)]
    pub(crate) tests: Option<PathBuf>,
    /// List these tests, and never search them
    ///
    /// FILE has one test id per line.
    #[arg(long, value_name = "FILE", help_heading = SUITE)]
    pub(crate) quarantine: Option<PathBuf>,
    /// Most tests to search [default: 500]
    ///
    /// If more tests fail, firstbad searches one test of each kind of failure first.
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = LIMITS)]
    pub(crate) max_tests: Option<u32>,
    /// Most tests in one run [default: no limit]
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = LIMITS)]
    pub(crate) batch: Option<u32>,
    /// Cost of a build and of a test, such as 60:1 [default: measured]
    #[arg(long, value_name = "BUILD:TEST", value_parser = costs, hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) costs: Option<(f64, f64)>,
}

impl NightArgs {
    /// Refuses options of a triage for another search.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for such an option.
    pub(crate) fn refuse(&self) -> Result<(), Error> {
        let given = [
            ("--good-results", !self.good_results.is_empty()),
            ("--bad-results", !self.bad_results.is_empty()),
            ("--tests", self.tests.is_some()),
            ("--quarantine", self.quarantine.is_some()),
            ("--max-tests", self.max_tests.is_some()),
            ("--batch", self.batch.is_some()),
            ("--costs", self.costs.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(Error::invalid(*option, "without --triage", "--triage as well")),
            None => Ok(()),
        }
    }
}

/// How a suite runs chosen tests.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SuiteArgs {
    /// Test runner [default: the one that COMMAND names]
    ///
    /// pytest, jest, vitest, mocha, node, cargo, nextest, go, ctest, bazel, or custom. A custom runner needs --results.
    #[arg(long, value_name = "NAME", value_parser = Runner::NAMES, hide_possible_values = true, help_heading = TEST)]
    pub(crate) runner: Option<String>,
    /// Place of a custom runner's results
    ///
    /// PLACE is FORMAT:PATH, such as junit:out.xml. FORMAT is junit, tap, jest, mocha, go, libtest, or jsonl. PATH is relative to the worktree, or `-` for the output. `exit` runs one
    /// test at a time and reads its exit code. {tests} in COMMAND becomes the test ids, and {tests_file} becomes a file with one id
    /// per line, as $FIRSTBAD_TESTS_FILE does.
    #[arg(long, value_name = "PLACE", help_heading = TEST)]
    pub(crate) results: Option<String>,
    /// Ignore failures of the machine (repeatable)
    ///
    /// A test whose failure message matches REGEX has no outcome. Full disks, lost connections, missing memory, and failing GPU
    /// drivers are recognized without this option.
    #[arg(long, value_name = "REGEX", help_heading = OUTCOMES)]
    pub(crate) infra: Vec<String>,
    /// Number of builds to keep, or `all` [default: 2]
    ///
    /// Tests that run in a kept build see the files that earlier tests left.
    #[arg(long, value_name = "N", value_parser = keep_builds, hide_short_help = true, help_heading = BUILD)]
    pub(crate) keep_builds: Option<KeepBuilds>,
}

impl SuiteArgs {
    /// Returns the options. Missing options come from `before`.
    pub(crate) fn over(&self, before: SuiteOptions) -> SuiteOptions {
        SuiteOptions {
            runner: self.runner.clone().or(before.runner),
            results: self.results.clone().or(before.results),
            infra: if self.infra.is_empty() { before.infra } else { self.infra.clone() },
            keep_builds: self.keep_builds.unwrap_or(before.keep_builds),
        }
    }
}

/// Parses `BUILD:TEST`.
fn costs(text: &str) -> Result<(f64, f64), String> {
    let costs = text.split_once(':').and_then(|(build, test)| Some((build.parse().ok()?, test.parse().ok()?)));
    let is_valid = |&(build, test): &(f64, f64)| build.is_finite() && build >= 0.0 && test.is_finite() && test > 0.0;
    costs.filter(is_valid).ok_or_else(|| "expected the cost of a build and of a test, such as 60:1".to_owned())
}
