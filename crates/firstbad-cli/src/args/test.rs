//! The command under test, and how a run is driven.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::search::CachedArgs;
use super::{OutputArgs, SearchArgs};

/// `firstbad run`.
#[derive(Debug, Clone, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) cached: CachedArgs,
    #[command(flatten)]
    pub(crate) test: TestArgs,
    #[command(flatten)]
    pub(crate) drive: DriveArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Run the command of a journal that was begun elsewhere: by somebody else, on another machine, or in another folder
    #[arg(long)]
    pub(crate) trust_journal: bool,
    /// Go on from the commits found to the lines that matter
    #[arg(long)]
    pub(crate) explain: bool,
}

/// The command under test, and what its ending means.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Test")]
pub(crate) struct TestArgs {
    /// What the exit codes of a test runner mean: pytest, jest, vitest, mocha, node, cargo, go, ctest. Without it as in
    /// `git bisect run`: 0 passes, 125 cannot be tested, 1 to 127 fail, above stops
    #[arg(long, value_name = "RUNNER")]
    pub(crate) preset: Option<String>,
    /// A failure counts only where the output matches this regular expression
    #[arg(long, value_name = "REGEX")]
    pub(crate) signature: Option<String>,
    /// A pass counts only where the output matches this regular expression
    #[arg(long, value_name = "REGEX")]
    pub(crate) passed: Option<String>,
    /// Say of each failure which one it was: its exit code, and what --signature finds or the last line that looks like
    /// an error. Another failure than that of the bad revision then cannot be tested
    #[arg(long)]
    pub(crate) signatures: bool,
    /// How long one run may take, like 90s or 20m; a longer one cannot be tested
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(crate) timeout: Option<Duration>,
    /// A shell command to run in the work tree before each test, to install things; where it fails the revision cannot be
    /// tested
    #[arg(long, value_name = "COMMAND")]
    pub(crate) setup: Option<String>,
    /// A shell command to run after that, to configure the build
    #[arg(long, value_name = "COMMAND")]
    pub(crate) configure: Option<String>,
    /// A shell command to run after that, to build
    #[arg(long, value_name = "COMMAND")]
    pub(crate) build: Option<String>,
    /// A shell command to run after a test that failed; where it fails too the revision cannot be tested (port: nor
    /// does a pass with a part of a patch count on the way back)
    #[arg(long, value_name = "COMMAND")]
    pub(crate) control: Option<String>,
    /// How long each of --setup, --configure, --build and --control may take, and making the environment, like 90s or 20m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(crate) stage_timeout: Option<Duration>,
    /// What stays in a work tree from one revision to the next: nothing (fresh), or ignored files such as build
    /// directories (warm); among revisions that tell as much the one is then asked to which fewest files change, and what is
    /// unresolved with what earlier builds left is built anew once [default: fresh]
    #[arg(long, value_name = "HOW")]
    pub(crate) build_folders: Option<String>,
    /// What the test needs installed, made once for all revisions whose lock files are the same: venv (requirements.txt), uv
    /// (uv.lock), npm (package-lock.json) or pnpm (pnpm-lock.yaml)
    #[arg(long, value_name = "NAME", conflicts_with = "environment_command")]
    pub(crate) environment: Option<String>,
    /// In place of --environment: a shell command that fills the folder $FIRSTBAD_ENVIRONMENT
    #[arg(long, value_name = "COMMAND", requires = "environment_file")]
    pub(crate) environment_command: Option<String>,
    /// A file, or a pattern of files, that says what belongs into the environment; may be given several times
    #[arg(long, value_name = "FILE", requires = "environment_command")]
    pub(crate) environment_file: Vec<String>,
    /// What --environment-command leaves in the work tree at this path is moved into the environment, and work trees have a
    /// link there; may be given several times
    #[arg(long, value_name = "PATH", requires = "environment_command")]
    pub(crate) environment_link: Vec<String>,
    /// A shell command that prints what else the environment depends on, such as the version of an interpreter
    #[arg(long, value_name = "COMMAND", requires = "environment_command")]
    pub(crate) environment_version: Option<String>,
    /// A patch to apply at every revision where it is missing; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) fixup: Vec<PathBuf>,
    /// Fill submodules
    #[arg(long)]
    pub(crate) submodules: bool,
    /// The folder for the output of the runs
    #[arg(long, value_name = "FOLDER")]
    pub(crate) output_dir: Option<PathBuf>,
    /// How many bytes of what each stage of the test prints are kept: the beginning and the end
    /// [default: 16777216]
    #[arg(long, value_name = "BYTES")]
    pub(crate) output_limit: Option<u64>,
    /// The test: a program and its arguments, run in a work tree of each revision
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

/// How a run is driven.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct DriveArgs {
    /// How many tests to run side by side [default: 1]
    #[arg(long, short, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<usize>,
    /// Stop after this many runs
    #[arg(long, value_name = "N")]
    pub(crate) budget_runs: Option<u64>,
    /// Stop after this time, like 5h 30m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(crate) budget_time: Option<Duration>,
    /// Outcomes that exist already: JSON, JSON lines, or a `git bisect log`
    #[arg(long, value_name = "FILE")]
    pub(crate) known: Option<PathBuf>,
    /// Keep the run in this file, and go on with it where it exists; all other options may then be left out
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Share outcomes with other runs of the same test through this file
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

/// A number of tests that run side by side.
pub(super) fn jobs(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&jobs| jobs > 0).ok_or_else(|| "expected a number, 1 or above".to_owned())
}
