//! The options of the test command and of a run.

use std::ops::Deref;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use firstbad::Budget;
use firstbad_oracle::Verdict;

use super::help::{ADVANCED, BUILD, LIMITS, OUTCOMES, OUTPUT, REVISIONS, SAVING, TEST};
use super::search::CachedArgs;
use super::values::{Treatment, jobs, time, treatment};
use super::{KeptBuildsArgs, MetricArgs, OutputArgs, SearchArgs};

#[derive(Debug, Clone, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) list: ListArgs,
    #[command(flatten)]
    pub(crate) cached: CachedArgs,
    #[command(flatten)]
    pub(crate) metric: MetricArgs,
    #[command(flatten)]
    pub(crate) kept: KeptBuildsArgs,
    #[command(flatten)]
    pub(crate) test: TestArgs,
    #[command(flatten)]
    pub(crate) drive: DriveArgs,
    #[command(flatten)]
    pub(crate) resume: ResumeArgs,
    #[command(flatten)]
    pub(crate) share: ShareArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Also find the lines of the culprit that matter
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) explain: bool,
    /// If the culprit updates a submodule, continue inside it
    #[arg(long, hide_short_help = true, help_heading = REVISIONS)]
    pub(crate) into_submodules: bool,
}

#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ListArgs {
    /// Search a list of builds or versions instead of commits
    ///
    /// FILE has one id per line, oldest first. `-` reads standard input. firstbad replaces {} in COMMAND with the id and sets
    /// $FIRSTBAD_REVISION. COMMAND runs in the current folder.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fetch", "path", "first_parent", "prior", "explain"],
        help_heading = REVISIONS)]
    pub(crate) list: Option<PathBuf>,
}

/// A test command whose exit code and output decide about the outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub(crate) struct TestArgs {
    #[command(flatten)]
    pub(crate) base: CommandArgs,
    /// Read exit codes as this test runner [default: auto]
    ///
    /// pytest, jest, vitest, mocha, node, cargo, go, ctest, auto, or none. `auto` uses the runner that COMMAND names. If the runner cannot
    /// build or runs no test, the revision is unresolved. With `none`, firstbad reads exit codes as `git bisect run` does: 0 passes,
    /// 125 is unresolved, and other codes up to 124 fail. 126, 127 (command not found), and higher codes (a crash) stop the run.
    #[arg(long, value_name = "RUNNER", help_heading = TEST)]
    pub(crate) preset: Option<String>,
    /// Count only failures whose output matches REGEX
    ///
    /// Other failures are unresolved.
    #[arg(long, value_name = "REGEX", help_heading = OUTCOMES)]
    pub(crate) fail_pattern: Option<String>,
    /// Count only passes whose output matches REGEX
    ///
    /// Other passes are unresolved.
    #[arg(long, value_name = "REGEX", hide_short_help = true, help_heading = OUTCOMES)]
    pub(crate) pass_pattern: Option<String>,
    /// Run a shell command after a failure to check the machine
    ///
    /// If COMMAND also fails, the revision is unresolved. A pass with a part of a patch then does not count on the way back.
    #[arg(long, hide = true, value_name = "COMMAND", hide_short_help = true, help_heading = OUTCOMES)]
    pub(crate) control: Option<String>,
}

impl Deref for TestArgs {
    type Target = CommandArgs;

    fn deref(&self) -> &CommandArgs {
        &self.base
    }
}

/// A command, and how it runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub(crate) struct CommandArgs {
    /// The test: a program and its arguments
    ///
    /// COMMAND runs at the top of a worktree of each revision.
    #[arg(last = true, value_name = "COMMAND", help_heading = TEST)]
    pub(crate) command: Vec<String>,
    /// Stop the test after TIME
    ///
    /// TIME is a number of seconds, or a duration such as 90s or 20m. The revision is unresolved, unless --treat timeout=OUTCOME is given.
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = TEST)]
    pub(crate) timeout: Option<Duration>,
    /// Copy PATH into revisions that lack it (repeatable)
    ///
    /// PATH is relative to the top of the repository. By default, firstbad copies the untracked files that COMMAND names. `--copy none`
    /// copies nothing.
    #[arg(long = "copy", value_name = "PATH", help_heading = TEST)]
    pub(crate) copy_files: Vec<String>,
    /// Apply a patch to revisions that lack it (repeatable)
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = TEST)]
    pub(crate) apply: Vec<PathBuf>,
    /// Set the outcome of an exit code (repeatable)
    ///
    /// RESULT is an exit code, `signal` (a crash, or an exit code of 128 or above), or `timeout`. OUTCOME is pass, fail, unresolved,
    /// retry (run again, because the machine failed), or stop. For example, `--treat 139=fail --treat timeout=fail`. By default, a
    /// signal stops the run. When a file is reduced, a signal is a failure.
    #[arg(long, value_name = "RESULT=OUTCOME", value_parser = treatment, help_heading = OUTCOMES)]
    pub(crate) treat: Vec<Treatment>,
    /// Run a shell command before the build
    ///
    /// If COMMAND fails, the revision is unresolved.
    #[arg(long, value_name = "COMMAND", help_heading = BUILD)]
    pub(crate) setup: Option<String>,
    /// Build each revision with a shell command
    ///
    /// If COMMAND fails, the revision is unresolved.
    #[arg(long, value_name = "COMMAND", help_heading = BUILD)]
    pub(crate) build: Option<String>,
    /// Keep build folders and other ignored files between runs
    #[arg(long, hide_short_help = true, help_heading = BUILD)]
    pub(crate) keep_build: bool,
    /// Install dependencies once per lock file
    ///
    /// venv (requirements.txt), uv (uv.lock), npm (package-lock.json), or pnpm (pnpm-lock.yaml). Revisions with the same lock file share
    /// an environment.
    #[arg(long, value_name = "NAME", hide_short_help = true, help_heading = BUILD)]
    pub(crate) environment: Option<String>,
    /// Write the output of the runs to DIR
    #[arg(long, value_name = "DIR", hide_short_help = true, help_heading = OUTPUT)]
    pub(crate) output_dir: Option<PathBuf>,
    /// Run the Git filters of .git/config and .git/info/attributes
    #[arg(long, hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) allow_filters: bool,
    /// Ignore firstbad.toml
    #[arg(long, hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) no_config: bool,
    /// firstbad.toml: a shell command between setup and build.
    #[arg(long, hide = true, value_name = "COMMAND", help_heading = BUILD)]
    pub(crate) configure: Option<String>,
    /// firstbad.toml: the time limit of each of setup, configure, build, control, and the environment.
    #[arg(long, hide = true, value_name = "TIME", value_parser = time, help_heading = BUILD)]
    pub(crate) stage_timeout: Option<Duration>,
    /// firstbad.toml: fill submodules.
    #[arg(long, hide = true, help_heading = BUILD)]
    pub(crate) submodules: bool,
    /// firstbad.toml: fetch the files of Git LFS with git-lfs.
    #[arg(long, hide = true, help_heading = BUILD)]
    pub(crate) lfs: bool,
    /// firstbad.toml: the number of bytes to keep of the output of each stage: its start and its end.
    #[arg(long, hide = true, value_name = "BYTES", help_heading = BUILD)]
    pub(crate) output_limit: Option<u64>,
    /// firstbad.toml: a shell command that fills the folder $FIRSTBAD_ENVIRONMENT.
    #[arg(long, hide = true, value_name = "COMMAND", help_heading = BUILD)]
    pub(crate) environment_command: Option<String>,
    /// firstbad.toml: the files, or patterns of files, that determine the environment.
    #[arg(long, hide = true, value_name = "FILE", help_heading = BUILD)]
    pub(crate) environment_files: Vec<String>,
    /// firstbad.toml: the paths that move from the worktree into the environment and become links.
    #[arg(long, hide = true, value_name = "PATH", help_heading = BUILD)]
    pub(crate) environment_link: Vec<String>,
    /// firstbad.toml: a shell command that prints what else determines the environment, such as an interpreter's version.
    #[arg(long, hide = true, value_name = "COMMAND", help_heading = BUILD)]
    pub(crate) environment_version: Option<String>,
}

impl CommandArgs {
    /// Returns the outcome of a crash, if given.
    pub(crate) fn on_signal(&self) -> Option<Verdict> {
        self.treat.iter().rev().find_map(|one| if let Treatment::Signal(verdict) = one { Some(*verdict) } else { None })
    }

    /// Returns the outcome of a timeout, if given.
    pub(crate) fn on_timeout(&self) -> Option<Verdict> {
        self.treat
            .iter()
            .rev()
            .find_map(|one| if let Treatment::Timeout(verdict) = one { Some(*verdict) } else { None })
    }

    /// Returns whether `--copy none` is given.
    pub(crate) fn copies_nothing(&self) -> bool {
        self.copy_files.iter().any(|path| path == "none")
    }
}

#[derive(Debug, Clone, Default, Args)]
pub(crate) struct DriveArgs {
    /// Number of tests to run in parallel [default: 1]
    #[arg(long, short, value_name = "N", value_parser = jobs, help_heading = LIMITS)]
    pub(crate) jobs: Option<usize>,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    /// Save the search in FILE, or resume it from there
    ///
    /// An existing journal has all other options. By default, firstbad saves each run in its cache folder. `--resume`, `report`, and
    /// other commands find the last run there.
    #[arg(long, value_name = "FILE", help_heading = SAVING)]
    pub(crate) journal: Option<PathBuf>,
    /// Import known outcomes
    ///
    /// FILE is a journal, a `git bisect log`, JSON, or JSON lines. FILE@REF is a test report of a suite at REF.
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = SAVING)]
    pub(crate) import: Option<PathBuf>,
}

#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ShareArgs {
    /// Share outcomes with other runs of this test through FILE
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = SAVING)]
    pub(crate) store: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}

#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct TrustArgs {
    /// Run the command of a journal that was started elsewhere
    ///
    /// A journal contains the command to run. By default, firstbad runs it only if you started the journal in this folder on this machine.
    #[arg(long, hide_short_help = true, help_heading = SAVING)]
    pub(crate) trust_journal: bool,
}

#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct BudgetArgs {
    /// Stop after N runs, including those before a resume
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    max_runs: Option<u64>,
    /// Stop after TIME, such as 5h 30m
    #[arg(long, value_name = "TIME", value_parser = time, hide_short_help = true, help_heading = LIMITS)]
    max_time: Option<Duration>,
}

impl BudgetArgs {
    /// Returns the limit of runs.
    pub(crate) fn of_runs(self) -> Budget {
        Budget { runs: self.max_runs, ..Budget::default() }
    }

    /// Returns the option that stopped a search after this number of runs.
    pub(crate) fn reached(self, runs: u64) -> &'static str {
        if self.max_runs.is_some_and(|most| runs >= most) { "--max-runs" } else { "--max-time" }
    }

    /// Returns the time at which a run must stop that began at `began`.
    pub(crate) fn deadline(self, began: Instant) -> Option<Instant> {
        self.max_time.and_then(|time| began.checked_add(time))
    }
}

#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct ResumeArgs {
    /// Resume the last run in this repository
    #[arg(long, conflicts_with = "journal", help_heading = SAVING)]
    pub(crate) resume: bool,
}
