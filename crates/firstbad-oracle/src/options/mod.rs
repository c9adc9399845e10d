//! Options of commands: how they run, and the meaning of their exit codes.

pub(crate) mod carried;
pub(crate) mod environment;
pub(crate) mod measure;
mod patches;
pub(crate) mod preset;
mod runner_rows;
mod seconds;
pub(crate) mod suite;
#[cfg(test)]
mod table;
mod variables;
pub(crate) mod verdict;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use firstbad::{Error, Stage, json, option};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::carried::CopyFiles;
use self::preset::PresetChoice;
use self::verdict::Verdict;
use crate::options::environment::Environment;

/// Options of [`CommandOracle`](crate::CommandOracle): how its command runs, and the meaning of exit codes. The Python and Node
/// APIs pass these options as one JSON object.
///
/// By default, exit codes have the meaning that `git bisect run` gives them. 0 passes, 1 to 124 fail, and 125 is unresolved. 126
/// and 127 are [`Error::CommandNotFound`], and any other code stops the search.
///
/// A test can have stages, which run in this order: `setup`, `configure`, `build`, the test, and, after a failing test,
/// `control`. All stages run in the same worktree and write to the same output file. If a stage other than the test does not exit
/// with 0, the revision is unresolved, and the observation has the [`Stage`] and a signature (Artho, "Iterative Delta Debugging",
/// Section 5.1).
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CommandOptions {
    /// The time limit of the test in seconds, at least 0. The time to prepare the worktree does not count. By default there is no
    /// limit.
    #[serde(with = "seconds::optional")]
    #[cfg_attr(test, schemars(with = "Option<f64>", range(min = 0)))]
    pub timeout: Option<Duration>,
    /// The outcome of a test that exceeds `timeout`. Values other than the default require `timeout`. By default `"unresolved"`.
    #[cfg_attr(test, schemars(with = "String", extend("enum" = Verdict::NAMES)))]
    pub on_timeout: Verdict,
    /// The outcome of a test that a signal kills or that exits with code 128 or above. `"stop"` ends the search with an error.
    /// `"retry"` runs the revision again, for crashes that the machine causes. By default `"stop"`.
    #[cfg_attr(test, schemars(with = "String", extend("enum" = Verdict::NAMES)))]
    pub on_signal: Verdict,
    /// The outcomes of individual exit codes, which take precedence over all other rules. A test that signal n kills has the code
    /// 128 + n. `"retry"` also applies to the other stages. By default there are none.
    #[cfg_attr(test, schemars(with = "BTreeMap<i32, String>", extend("kind" = "ExitCodes")))]
    pub exit_codes: BTreeMap<i32, Verdict>,
    /// The test runner of the command. If the runner cannot build or runs no test, the revision is unresolved, whatever the exit
    /// code. `"none"` uses exit codes alone, as `git bisect run` does. `"auto"` detects the runner in the command, such as
    /// `["pytest", "-x"]`. By default `"auto"`.
    #[cfg_attr(test, schemars(with = "String", extend("enum" = PresetChoice::all())))]
    pub preset: PresetChoice,
    /// A regular expression that the output of a failing test must match, in the syntax of Rust's `regex` crate. `^` and `$`
    /// match at every line. If the output does not match, the revision is unresolved. By default every failure counts.
    pub fail_pattern: Option<String>,
    /// A regular expression that the output of a passing test must match, such as "all 12 tests passed". If the output does not
    /// match, the revision is unresolved. By default every pass counts.
    pub pass_pattern: Option<String>,
    /// Whether to record a signature of every failure, as firstbad always does for unresolved runs. Searches for regressions then
    /// count failures with another signature as unresolved. A signature says how the command ended and has the part of the output
    /// that `signature` matches (its first group, if any). Without `signature`, it has the last line that looks like an error,
    /// with `#` for numbers and without folders, addresses, and colors. By default false.
    pub distinguish_failures: bool,
    /// A command (a program and its arguments) that runs first, after all patches are applied, for example to install
    /// dependencies. By default there is none.
    #[cfg_attr(test, schemars(extend("kind" = "Command")))]
    pub setup: Option<Vec<String>>,
    /// A command that runs after `setup` to configure the build. By default there is none.
    #[cfg_attr(test, schemars(extend("kind" = "Command")))]
    pub configure: Option<Vec<String>>,
    /// A command that runs after `configure` to build the program under test. By default there is none.
    #[cfg_attr(test, schemars(extend("kind" = "Command")))]
    pub build: Option<Vec<String>>,
    /// A command that runs after a failing test to check that nothing else is broken. The failure counts only if this command
    /// exits with 0 (Section 5.2). Iterative delta debugging also runs it after a test passes with a patch. By default every
    /// failure counts.
    #[cfg_attr(test, schemars(extend("kind" = "Command")))]
    pub control: Option<Vec<String>>,
    /// The time limit in seconds, at least 0, of each of `setup`, `configure`, `build`, and `control`, and of creating the
    /// environment. By default there is no limit.
    #[serde(with = "seconds::optional")]
    #[cfg_attr(test, schemars(with = "Option<f64>", range(min = 0)))]
    pub stage_timeout: Option<Duration>,
    /// The environment of the test: `"venv"` (requirements.txt), `"uv"` (uv.lock), `"npm"` (package-lock.json), `"pnpm"`
    /// (pnpm-lock.yaml), or a description with files and a command. firstbad creates the environment before `setup`, once for all
    /// revisions with the same files, and keeps it for later runs. Stages find its folder in `FIRSTBAD_ENVIRONMENT` and its
    /// programs first in `PATH`. If it cannot be created, the revision is unresolved at the stage `setup`. By default the test
    /// uses the programs of the machine.
    #[cfg_attr(test, schemars(with = "Value", extend("kind" = "Environment")))]
    pub environment: Option<Environment>,
    /// Patches to apply to every revision, in this order, each as a patch or its text. firstbad skips a patch that the revision
    /// already contains. If a patch does not apply, the revision is unresolved. By default there are none.
    #[serde(with = "patches")]
    #[cfg_attr(test, schemars(with = "Vec<String>", extend("kind" = "Patches")))]
    pub apply_patches: Vec<Vec<u8>>,
    /// The files of your checkout to copy into every worktree whose revision does not have them. Give paths of files or folders
    /// relative to the top of the checkout, tracked or not, or false to copy no files. Ignored files in folders are left out. `"auto"` selects the untracked files that the commands name
    /// (`["./check.sh"]`), except possible build output such as binaries and files in ignored folders. firstbad copies the
    /// contents that the files have at the start, and journals keep them. By default `"auto"`.
    #[cfg_attr(test, schemars(with = "Vec<String>", extend("kind" = "CopyFiles")))]
    pub copy_files: CopyFiles,
    /// Whether to fill submodules, from the repository if it has their commits, or else from their URLs. If a submodule cannot be
    /// filled, the revision is unresolved. If the network is the cause, firstbad runs the revision again. By default false, so
    /// submodules are empty.
    pub submodules: bool,
    /// Whether to fetch Git LFS files that the repository does not have, with `git-lfs`, which must be installed. By default
    /// false, so only the filters of your own configuration apply.
    pub lfs: bool,
    /// Whether checkouts run the filters defined in `.git/config` and apply `.git/info/attributes`. By default false, so a
    /// repository cannot make firstbad run a program.
    pub allow_filters: bool,
    /// Whether a worktree keeps ignored files (`.gitignore`) between runs, so incremental builds are fast. Before firstbad
    /// accepts an unresolved outcome, it repeats the run in a fresh worktree and says so in the note. By default false.
    pub keep_build: bool,
    /// Additional environment variables of all stages. firstbad also sets `FIRSTBAD_REVISION` (the full commit id),
    /// `FIRSTBAD_WORKTREE`, `FIRSTBAD_OUTPUT`, `FIRSTBAD_REPOSITORY`, `FIRSTBAD_JOB` (the lowest number from 0 that no other
    /// current run of this process has, for ports and databases), `FIRSTBAD_NEW_WORKTREE` (1 until the first stage passes in the
    /// worktree, then 0), `FIRSTBAD_PATCH` (a file with the patch, if there is one), and `FIRSTBAD_RUN`. Only the test has
    /// `FIRSTBAD_SIGNALS`, a file for a JSON object that becomes the `signals` of the observation. By default there are none.
    #[serde(with = "variables")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, String>", extend("kind" = "Variables")))]
    pub env: Vec<(String, String)>,
    /// The folder for the output of each run, `<sha>.log`. firstbad never removes the folder. By default a new folder in the
    /// cache folder.
    #[cfg_attr(test, schemars(extend("kind" = "Path")))]
    pub output_dir: Option<PathBuf>,
    /// The number of bytes of output to keep for each stage, at least 4096. Of longer output, firstbad keeps the beginning and
    /// the end, in equal parts. `fail_pattern`, `pass_pattern`, and `preset` see only the output that is kept. By default 16 MiB.
    #[cfg_attr(test, schemars(range(min = 4096)))]
    pub output_limit: u64,
    /// The seconds between SIGTERM and SIGKILL, at least 0. After an interruption, firstbad waits at most 0.5 seconds. By default
    /// 2.
    #[serde(with = "seconds")]
    #[cfg_attr(test, schemars(with = "f64", range(min = 0)))]
    pub kill_after: Duration,
    /// The folder for worktrees, outside the worktree of the repository. By default the cache folder (`$XDG_CACHE_HOME` or
    /// `~/.cache`).
    #[cfg_attr(test, schemars(extend("kind" = "Path")))]
    pub worktrees: Option<PathBuf>,
    /// The folder for environments, outside the worktree of the repository. By default the cache folder.
    #[cfg_attr(test, schemars(extend("kind" = "Path")))]
    pub environments: Option<PathBuf>,
}

impl Default for CommandOptions {
    fn default() -> Self {
        CommandOptions {
            timeout: None,
            on_timeout: Verdict::Unresolved,
            on_signal: Verdict::Stop,
            preset: PresetChoice::Auto,
            fail_pattern: None,
            exit_codes: BTreeMap::new(),
            pass_pattern: None,
            distinguish_failures: false,
            setup: None,
            configure: None,
            build: None,
            control: None,
            stage_timeout: None,
            environment: None,
            apply_patches: Vec::new(),
            copy_files: CopyFiles::Auto,
            submodules: false,
            lfs: false,
            allow_filters: false,
            keep_build: false,
            env: Vec::new(),
            output_dir: None,
            output_limit: 16 << 20,
            kill_after: Duration::from_secs(2),
            worktrees: None,
            environments: None,
        }
    }
}

impl CommandOptions {
    /// The options that describe the host and not the test. Journals do not keep them.
    pub(crate) const OF_HOST: [&'static str; 5] = ["env", "output_dir", "kill_after", "worktrees", "environments"];

    /// Returns these options with the defaults for all [options of the host](Self::OF_HOST).
    pub(crate) fn of_test(self) -> CommandOptions {
        let CommandOptions { env, output_dir, kill_after, worktrees, environments, .. } = CommandOptions::default();
        CommandOptions { env, output_dir, kill_after, worktrees, environments, ..self }
    }

    /// Reads options from a JSON object.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if an option is unknown or invalid. The error has its name, its value, and the valid values.
    pub fn read(value: &Value) -> Result<CommandOptions, Error> {
        let mut options = value.clone();
        let environment = options.as_object_mut().and_then(|options| options.remove("environment"));
        let environment = environment.filter(|given| !given.is_null());
        Ok(CommandOptions {
            environment: environment.map(|given| Environment::read(&given)).transpose()?,
            ..json::options(&options)?
        })
    }

    /// Returns the commands that run before the test, in order.
    pub(crate) fn before(&self) -> impl Iterator<Item = (Stage, &Vec<String>)> {
        let stages = [(Stage::Setup, &self.setup), (Stage::Configure, &self.configure), (Stage::Build, &self.build)];
        stages.into_iter().filter_map(|(stage, command)| Some((stage, command.as_ref()?)))
    }

    /// Returns whether the test is the only stage and has no environment.
    pub(crate) fn is_test_alone(&self) -> bool {
        self.before().next().is_none() && self.control.is_none() && self.environment.is_none()
    }

    /// Checks that `on_timeout` has a time limit to apply to.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `on_timeout` if `timeout` is missing.
    pub(crate) fn check_time_limit(&self) -> Result<(), Error> {
        if self.on_timeout == Verdict::Unresolved || self.timeout.is_some() {
            return Ok(());
        }
        let expected = concat!("a value only with a time limit (", option!(timeout), ")");
        Err(Error::invalid_value("on_timeout", format!("{:?}", self.on_timeout).to_lowercase(), expected))
    }

    /// Refuses the options that judge a single outcome.
    pub(crate) fn refuse_judging(&self, expected: &str) -> Result<(), Error> {
        let patterns = [("fail_pattern", &self.fail_pattern), ("pass_pattern", &self.pass_pattern)];
        for (name, pattern) in patterns {
            if let Some(pattern) = pattern {
                return Err(Error::invalid(name, pattern, expected));
            }
        }
        self.control.as_ref().map_or(Ok(()), |control| Err(Error::invalid("control", control, expected)))
    }

    /// # Errors
    /// [`Error::InvalidArgument`] if the command of a stage is empty or the environment is invalid.
    pub(crate) fn check_stages(&self) -> Result<(), Error> {
        self.environment.as_ref().map_or(Ok(()), Environment::check)?;
        let control = self.control.as_ref().map(|command| (Stage::Control, command));
        match self.before().chain(control).find(|(_, command)| command.first().is_none_or(String::is_empty)) {
            Some((stage, command)) => {
                Err(Error::invalid(stage.as_str(), command, "a program and its arguments, or nothing at all"))
            }
            None => Ok(()),
        }
    }
}
