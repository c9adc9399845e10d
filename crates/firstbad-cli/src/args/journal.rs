//! Commands over a journal.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use firstbad_oracle::Verdict;

use super::values::{reported_verdict, time};
use super::{CachedArgs, FetchArgs, OutputArgs, SearchArgs, TestArgs};

/// A journal to read.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReadArgs {
    /// The journal [default: that of the last run in this repository]
    #[arg(value_name = "JOURNAL")]
    journal: Option<PathBuf>,
    /// The same, as `run` has it
    #[arg(long = "journal", value_name = "JOURNAL", hide = true, conflicts_with = "journal")]
    as_option: Option<PathBuf>,
    /// The repository, where it is not where it was when the journal was made
    #[arg(long, value_name = "FOLDER")]
    pub(crate) repository: Option<PathBuf>,
}

impl ReadArgs {
    /// The journal that is named; `None` if that of the last run is meant.
    pub(crate) fn journal(&self) -> Option<&Path> {
        self.journal.as_deref().or(self.as_option.as_deref())
    }
}

/// A journal, and how to print what it says.
#[derive(Debug, Clone, Args)]
pub(crate) struct JournalArgs {
    #[command(flatten)]
    pub(crate) at: ReadArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// A journal to write to.
#[derive(Debug, Clone, Args)]
pub(crate) struct WriteArgs {
    /// The journal
    #[arg(value_name = "JOURNAL")]
    pub(crate) journal: PathBuf,
    /// The repository, where it is not where it was when the journal was made
    #[arg(long, value_name = "FOLDER")]
    pub(crate) repository: Option<PathBuf>,
    /// How long to wait for another process that writes to the journal
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "30s")]
    pub(crate) wait: Duration,
}

/// `firstbad init`.
#[derive(Debug, Clone, Args)]
pub(crate) struct InitArgs {
    /// The journal to make
    #[arg(value_name = "JOURNAL")]
    pub(crate) journal: PathBuf,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) cached: CachedArgs,
    /// Outcomes that exist already: JSON, JSON lines, or a `git bisect log`
    #[arg(long, value_name = "FILE")]
    pub(crate) known: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) test: TestArgs,
}

/// `firstbad ask`.
#[derive(Debug, Clone, Args)]
pub(crate) struct AskArgs {
    #[command(flatten)]
    pub(crate) at: WriteArgs,
    /// At most so many probes
    #[arg(long, short, value_name = "N", default_value_t = 1)]
    pub(crate) k: usize,
    /// Hand a probe out again when it was not answered in this time, like 2h
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) lease: Option<Duration>,
    /// Try this suspect first; may be given several times
    #[arg(long, value_name = "REVISION")]
    pub(crate) first: Vec<String>,
    /// Give up all that was asked before and not answered: nobody works on it any more, and it is asked again
    #[arg(long)]
    pub(crate) abandon: bool,
}

/// What a text stands for that could be both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Naming {
    Id,
    Revision,
}

/// What may be told of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToldOutcome {
    Pass,
    Fail,
    Unresolved,
    /// The machine failed and not the code: ask it again
    Abandon,
}

/// `firstbad tell`.
#[derive(Debug, Clone, Args)]
pub(crate) struct TellArgs {
    #[command(flatten)]
    pub(crate) at: WriteArgs,
    /// The probe's id, or the revision that was tested
    #[arg(value_name = "PROBE")]
    pub(crate) probe: Option<String>,
    /// What PROBE is, where a number could be either
    #[arg(long = "as", value_name = "WHAT", value_enum)]
    pub(crate) naming: Option<Naming>,
    /// What was seen
    #[arg(value_name = "OUTCOME")]
    pub(crate) outcome: Option<ToldOutcome>,
    /// The exit code of the test instead, as in `git bisect run` or by --preset; where that would end a run (126, 127, a
    /// crash) the revision cannot be tested, which the note says
    #[arg(long, value_name = "CODE", conflicts_with = "outcome")]
    pub(crate) exit_code: Option<i32>,
    /// Read exit codes as pytest, jest, vitest, mocha, node, cargo, go, or ctest does, auto for the runner in the command, or none
    #[arg(long, value_name = "RUNNER")]
    pub(crate) preset: Option<String>,
    /// What it means that the test crashed (exit code 128 or above): pass, fail, unresolved or retry [default: as the
    /// journal's test has it, else unresolved]
    #[arg(long, value_name = "VERDICT", value_parser = reported_verdict)]
    pub(crate) on_signal: Option<Verdict>,
    /// Which failure it was
    #[arg(long, value_name = "TEXT")]
    pub(crate) signature: Option<String>,
    /// Words for people: where the log is
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
    /// How long the test took, in seconds
    #[arg(long, value_name = "SECONDS")]
    pub(crate) seconds: Option<f64>,
    /// The file with what the test printed; with --preset it is read, too
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Answers from files of JSON or JSON lines, {"id": 0, "outcome": "pass", ...} each; - is standard input
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["probe", "outcome", "exit_code"])]
    pub(crate) from: Vec<PathBuf>,
}

/// `firstbad undo`.
#[derive(Debug, Clone, Args)]
pub(crate) struct UndoArgs {
    #[command(flatten)]
    pub(crate) at: WriteArgs,
    /// How many answers to take back
    #[arg(short, value_name = "N", default_value_t = 1)]
    pub(crate) n: u32,
}

/// `firstbad replay`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReplayArgs {
    /// A journal, or a `git bisect log` [default: the journal of the last run in this repository]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The repository; by default the journal's, or the one here
    #[arg(long, value_name = "FOLDER")]
    pub(crate) repository: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    /// From a `git bisect log`: begin this journal with what it holds
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Print the steps as JSON lines
    #[arg(long)]
    pub(crate) json: bool,
}
