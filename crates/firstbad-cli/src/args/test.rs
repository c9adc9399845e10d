//! The command under test, and how a run is driven.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use firstbad::Budget;
use firstbad_oracle::Verdict;

use super::search::CachedArgs;
use super::values::{exit_code, jobs, time, verdict};
use super::{OutputArgs, SearchArgs};

/// `firstbad run`.
#[derive(Debug, Clone, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) list: ListArgs,
    #[command(flatten)]
    pub(crate) cached: CachedArgs,
    #[command(flatten)]
    pub(crate) test: TestArgs,
    #[command(flatten)]
    pub(crate) drive: DriveArgs,
    #[command(flatten)]
    pub(crate) resume: ResumeArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Run the command of a journal that was begun elsewhere: by somebody else, on another machine, or in another folder
    #[arg(long)]
    pub(crate) trust_journal: bool,
    /// Go on from the commits found to the lines that matter
    #[arg(long)]
    pub(crate) explain: bool,
    /// If the culprit updates a submodule, continue the search inside it
    #[arg(long, requires = "submodules")]
    pub(crate) into_submodules: bool,
}

/// A list instead of a repository.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct ListArgs {
    /// Search this list of builds, versions, or tags instead of a repository
    ///
    /// The file has one id per line, oldest first. firstbad replaces {} in COMMAND with the id and sets $FIRSTBAD_REVISION. COMMAND runs
    /// in the current folder. Exit with 125 if an id cannot be tested. `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["repository", "fetch", "path", "first_parent", "prior", "cached", "explain"])]
    pub(crate) list: Option<PathBuf>,
}

/// The command under test, and what its ending means.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Test")]
pub(crate) struct TestArgs {
    /// Read exit codes as this test runner does [default: auto, the runner in COMMAND]
    ///
    /// pytest, jest, vitest, mocha, node, cargo, go, ctest, auto, or none. If the runner could not build or ran no test, the revision is
    /// unresolved. With none, firstbad reads exit codes as `git bisect run` does: 0 is a pass, 125 is unresolved, and other codes up to
    /// 124 are failures. 126, 127 (command not found), and higher codes (a crash) stop the run
    #[arg(long, value_name = "RUNNER")]
    pub(crate) preset: Option<String>,
    /// What it means that the test crashed, that is, that a signal ended it or that it exited with 128 or above: fail (the
    /// crash is what is looked for), unresolved, pass, retry (the machine failed: ask again) or stop [default:
    /// stop; of a part of a file: fail]
    #[arg(long, value_name = "VERDICT", value_parser = verdict)]
    pub(crate) on_signal: Option<Verdict>,
    /// What it means that the test took longer than --timeout, as --on-signal [default: unresolved]
    #[arg(long, value_name = "VERDICT", value_parser = verdict)]
    pub(crate) on_timeout: Option<Verdict>,
    /// What an exit code means, whatever the rest says, like 139=fail (a signal is 128 + its number); may be given several
    /// times
    #[arg(long, value_name = "CODE=VERDICT", value_parser = exit_code)]
    pub(crate) exit_code: Vec<(i32, Verdict)>,
    /// A failure counts only where the output matches this regular expression
    #[arg(long, value_name = "REGEX")]
    pub(crate) fail_pattern: Option<String>,
    /// A pass counts only where the output matches this regular expression
    #[arg(long, value_name = "REGEX")]
    pub(crate) pass_pattern: Option<String>,
    /// How long one run may take, in seconds or like 90s or 20m; a longer one cannot be tested, unless --on-timeout says
    /// otherwise
    #[arg(long, value_name = "TIME", value_parser = time)]
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
    /// How long each of --setup, --configure, --build and --control may take, and making the environment, in
    /// seconds or like 90s or 20m
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) stage_timeout: Option<Duration>,
    /// Keep ignored files, such as build folders, in worktrees from one run to the next
    #[arg(long)]
    pub(crate) keep_build: bool,
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
    pub(crate) apply: Vec<PathBuf>,
    /// A file of the checkout to lie in every work tree whose revision has none of that path, tracked or not, as a path from the
    /// top; may be given several times. In place of the default: the untracked files that the commands name, as ./check.sh does
    #[arg(long = "copy", value_name = "PATH", conflicts_with = "no_copy")]
    pub(crate) copy_files: Vec<String>,
    /// Test each revision with its own files alone: no untracked file is carried into work trees
    #[arg(long)]
    pub(crate) no_copy: bool,
    /// Fill submodules
    #[arg(long)]
    pub(crate) submodules: bool,
    /// Fetch the files that Git LFS keeps elsewhere, by git-lfs
    #[arg(long)]
    pub(crate) lfs: bool,
    /// Run the filters in .git/config and apply .git/info/attributes
    #[arg(long)]
    pub(crate) allow_filters: bool,
    /// The folder for the output of the runs
    #[arg(long, value_name = "FOLDER")]
    pub(crate) output_dir: Option<PathBuf>,
    /// How many bytes of what each stage of the test prints are kept: the beginning and the end
    /// [default: 16777216]
    #[arg(long, value_name = "BYTES")]
    pub(crate) output_limit: Option<u64>,
    /// Do not look at firstbad.toml, where the checkout has one: it says how the test is run where the command line does not
    #[arg(long)]
    pub(crate) no_config: bool,
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
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    /// Outcomes that exist already: JSON, JSON lines, or a `git bisect log`
    #[arg(long, value_name = "FILE")]
    pub(crate) known: Option<PathBuf>,
    /// Keep the run in this file, and go on with it where it exists; all other options may then be left out [default: a
    /// new file in the cache folder, where firstbad report and others find it]
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Share outcomes with other runs of the same test through this file
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

/// How much may be spent. What was found until then is the answer.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct BudgetArgs {
    /// Stop after this many runs in all, those of earlier calls included
    #[arg(long, value_name = "N")]
    budget_runs: Option<u64>,
    /// Stop after this time, like 5h 30m
    #[arg(long, value_name = "TIME", value_parser = time)]
    budget_time: Option<Duration>,
}

impl BudgetArgs {
    /// The runs.
    pub(crate) fn of_runs(self) -> Budget {
        Budget { runs: self.budget_runs, cost: None }
    }

    /// When the time is up of what began then.
    pub(crate) fn deadline(self, began: Instant) -> Option<Instant> {
        self.budget_time.and_then(|time| began.checked_add(time))
    }
}

/// Whether the last run is gone on with.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct ResumeArgs {
    /// Go on with the last run in this repository
    #[arg(long, conflicts_with = "journal")]
    pub(crate) resume: bool,
}
