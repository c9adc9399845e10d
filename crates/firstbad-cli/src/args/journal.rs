//! The arguments of commands that use a journal.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::help::{ADVANCED, OUTPUT, SAVING, SUITE};
use super::values::{Treatment, reported_treatment, time};
use super::{
    CachedArgs, FetchArgs, MetricArgs, NightArgs, NotifyArgs, OutputArgs, PlainFormat, RepositoryArgs, SearchArgs,
    SuiteArgs, TestArgs,
};

#[derive(Debug, Clone, Args)]
pub(crate) struct ReadArgs {
    /// Journal to read [default: the last run in this repository]
    #[arg(value_name = "JOURNAL")]
    journal: Option<PathBuf>,
    /// The journal, as in `firstbad run`.
    #[arg(long = "journal", value_name = "JOURNAL", hide = true, conflicts_with = "journal")]
    as_option: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
}

impl ReadArgs {
    /// Returns the given journal, or `None` for the journal of the last run.
    pub(crate) fn journal(&self) -> Option<&Path> {
        self.journal.as_deref().or(self.as_option.as_deref())
    }
}

#[derive(Debug, Clone, Args)]
pub(crate) struct JournalArgs {
    #[command(flatten)]
    pub(crate) at: ReadArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) notify: NotifyArgs,
    /// With --format junit: report to add the verdicts to
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = OUTPUT)]
    pub(crate) bad_results: Option<PathBuf>,
    /// Write a plot of a change in numbers to FILE, as SVG
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = OUTPUT)]
    pub(crate) plot: Option<PathBuf>,
    /// List each version and each reduction of a search by `firstbad port`
    #[arg(long, hide_short_help = true, help_heading = OUTPUT)]
    pub(crate) details: bool,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    pub(crate) at: ReadArgs,
    #[command(flatten)]
    pub(crate) output: PlainOutputArgs,
}

/// The format of a status, or of the steps of a search.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct PlainOutputArgs {
    /// Print text or JSON
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = OUTPUT)]
    format: Option<PlainFormat>,
    /// Print JSON, short for --format json
    #[arg(long, conflicts_with = "format", help_heading = OUTPUT)]
    json: bool,
}

impl PlainOutputArgs {
    /// Returns whether the format is JSON.
    pub(crate) fn is_json(self) -> bool {
        self.json || self.format == Some(PlainFormat::Json)
    }
}

#[derive(Debug, Clone, Args)]
pub(crate) struct WriteArgs {
    /// Journal of the search
    #[arg(value_name = "JOURNAL")]
    pub(crate) journal: PathBuf,
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
    /// Time to wait for another process that writes to JOURNAL
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "30s", hide_default_value = true, help_heading = ADVANCED)]
    pub(crate) wait: Duration,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct InitArgs {
    /// Journal to create
    #[arg(value_name = "JOURNAL")]
    pub(crate) journal: PathBuf,
    /// Search many tests, as `firstbad triage` does
    #[arg(long, help_heading = SUITE)]
    pub(crate) triage: bool,
    #[command(flatten)]
    pub(crate) night: NightArgs,
    #[command(flatten)]
    pub(crate) suite: SuiteArgs,
    #[command(flatten)]
    pub(crate) metric: MetricArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) cached: CachedArgs,
    /// Import known outcomes
    ///
    /// FILE is a journal, a `git bisect log`, JSON, or JSON lines. FILE@REF is a test report of a suite at REF.
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = SAVING)]
    pub(crate) import: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) test: TestArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct AskArgs {
    #[command(flatten)]
    pub(crate) at: WriteArgs,
    /// Ask for at most N probes
    #[arg(short, value_name = "N", default_value_t = 1)]
    pub(crate) k: usize,
    /// Ask again if a probe has no outcome after TIME, such as 2h
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) lease: Option<Duration>,
    /// Test this suspect first (repeatable)
    #[arg(long, value_name = "REF")]
    pub(crate) first: Vec<String>,
    /// Abandon the probes that have no outcome yet
    #[arg(long)]
    pub(crate) abandon: bool,
}

/// The meaning of PROBE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Naming {
    /// The id of a probe
    Id,
    /// A revision
    Revision,
}

/// An outcome on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToldOutcome {
    /// The test passed
    Pass,
    /// The test failed
    Fail,
    /// The test gave no outcome
    Unresolved,
    /// The machine failed: ask again
    Abandon,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct TellArgs {
    #[command(flatten)]
    pub(crate) at: WriteArgs,
    /// Id of the probe, or the tested revision
    #[arg(value_name = "PROBE")]
    pub(crate) probe: Option<String>,
    /// Outcome of the test
    ///
    /// pass, fail, unresolved, or abandon (the machine failed, ask again).
    #[arg(value_name = "OUTCOME", hide_possible_values = true)]
    pub(crate) outcome: Option<ToldOutcome>,
    /// Read a number in PROBE as an id or as a revision
    ///
    /// id or revision.
    #[arg(long = "as", value_name = "KIND", value_enum, hide_possible_values = true)]
    pub(crate) naming: Option<Naming>,
    /// Exit code of the test, instead of OUTCOME
    ///
    /// firstbad reads the code as `git bisect run` does, or according to --preset. Codes that would stop a run (126, 127, and crashes)
    /// are unresolved.
    #[arg(long, value_name = "CODE", conflicts_with = "outcome")]
    pub(crate) exit_code: Option<i32>,
    /// Read the exit code as this test runner
    ///
    /// pytest, jest, vitest, mocha, node, cargo, go, ctest, auto (the runner in the journal's command), or none.
    #[arg(long, value_name = "RUNNER")]
    pub(crate) preset: Option<String>,
    /// Set the outcome of an exit code (repeatable)
    ///
    /// RESULT is an exit code or `signal`. OUTCOME is pass, fail, unresolved, or retry. By default, firstbad uses the settings of the journal's test.
    #[arg(long, value_name = "RESULT=OUTCOME", value_parser = reported_treatment)]
    pub(crate) treat: Vec<Treatment>,
    /// Signature of the failure
    #[arg(long, value_name = "TEXT")]
    pub(crate) signature: Option<String>,
    /// Note for people, such as the place of the log
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
    /// Duration of the test in seconds
    #[arg(long, value_name = "SECONDS")]
    pub(crate) seconds: Option<f64>,
    /// File with the output of the test
    ///
    /// With --exit-code, the output can change the outcome, as in `firstbad run`.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Test reports of the probe, instead of OUTCOME
    ///
    /// For a journal of `firstbad init --triage`. The format is recognized. Tests without a result are unresolved.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["outcome", "exit_code", "from"])]
    pub(crate) results: Vec<PathBuf>,
    /// Measured number, instead of OUTCOME
    ///
    /// For a journal of `firstbad init --metric`.
    #[arg(long, value_name = "N", conflicts_with_all = ["outcome", "exit_code", "results", "from"])]
    pub(crate) number: Option<f64>,
    /// Number of the good revision in the same run
    ///
    /// For a journal of `firstbad init --metric --paired`.
    #[arg(long, value_name = "N", requires = "number")]
    pub(crate) control_number: Option<f64>,
    /// The number is only a limit, such as a timeout
    ///
    /// The real number is at least as large.
    #[arg(long, requires = "number")]
    pub(crate) censored: bool,
    /// Read outcomes from files of JSON or JSON lines
    ///
    /// Each outcome is an object such as {"id": 0, "outcome": "pass"} or {"id": 0, "metric": 12.5}. `-` reads standard input.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["probe", "outcome", "exit_code"])]
    pub(crate) from: Vec<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct UndoArgs {
    #[command(flatten)]
    pub(crate) at: WriteArgs,
    /// Number of outcomes to remove
    #[arg(short, value_name = "N", default_value_t = 1)]
    pub(crate) n: u32,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ReplayArgs {
    /// Journal or `git bisect log` [default: the last run]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    /// Create a journal from a `git bisect log`
    #[arg(long, value_name = "FILE", help_heading = SAVING)]
    pub(crate) journal: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: PlainOutputArgs,
}
