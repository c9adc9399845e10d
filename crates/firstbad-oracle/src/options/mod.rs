//! How a command is run, and what its ending means.

pub(crate) mod carried;
pub(crate) mod environment;
mod patches;
pub(crate) mod preset;
mod runner_rows;
mod seconds;
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

use self::carried::Carry;
use self::preset::PresetChoice;
use self::verdict::Verdict;
use crate::options::environment::Environment;

/// The files that a worktree keeps from one run to the next.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuildFolders {
    /// Only tracked files.
    #[default]
    Fresh,
    /// Also files that the revision ignores (`.gitignore`), so incremental builds are fast. An unresolved result is
    /// confirmed in a fresh worktree, and its note says so.
    Warm,
}

impl std::str::FromStr for BuildFolders {
    type Err = Error;

    /// # Errors
    /// [`Error::InvalidArgument`] that names `build_folders`.
    fn from_str(name: &str) -> Result<BuildFolders, Error> {
        match name {
            "fresh" => Ok(BuildFolders::Fresh),
            "warm" => Ok(BuildFolders::Warm),
            _ => Err(Error::invalid("build_folders", name, "\"fresh\" or \"warm\"")),
        }
    }
}

/// How [`CommandOracle`](crate::CommandOracle) runs its command. Both bindings pass these options as one JSON object.
///
/// By default an exit code means what it means to `git bisect run`: 0 passes, 1 to 124 fail, 125 is unresolved, 126 and 127
/// are [`Error::CommandNotFound`], and any other code stops the search.
///
/// A test can have stages: `setup`, `configure`, `build`, the test, and, after a test that failed, `control`. All stages run
/// in the same worktree and write to the same output file. If a stage other than the test does not exit with 0, the revision
/// is unresolved, and the observation has the [`Stage`] and a signature (Artho, "Iterative Delta Debugging", Section 5.1).
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CommandOptions {
    /// The maximum duration of the command in seconds, without the time to prepare the worktree. By default no limit.
    #[serde(with = "seconds::optional")]
    #[cfg_attr(test, schemars(with = "Option<f64>", range(min = 0)))]
    pub timeout: Option<Duration>,
    /// The outcome of a command that exceeds `timeout`. By default `"unresolved"`.
    #[cfg_attr(test, schemars(with = "String", extend("enum" = Verdict::NAMES)))]
    pub on_timeout: Verdict,
    /// The outcome of a command that dies by a signal or exits with 128 or above. `"stop"`, the default, ends the search
    /// with an error. With `"retry"`, the machine failed rather than the revision, so the revision is run again.
    #[cfg_attr(test, schemars(with = "String", extend("enum" = Verdict::NAMES)))]
    pub on_signal: Verdict,
    /// The outcomes of single exit codes, which take precedence over all other rules. A death by signal n has the code
    /// 128 + n. `"retry"` also counts at other stages. By default there are none.
    #[cfg_attr(test, schemars(with = "BTreeMap<i32, String>", extend("kind" = "ExitCodes")))]
    pub exit_codes: BTreeMap<i32, Verdict>,
    /// The test runner of the command. If the runner cannot build or runs no test, the revision is unresolved, whatever
    /// the exit code is. `"none"`: exit codes mean what they mean to `git bisect run`. By default `"auto"`: the runner that
    /// the command names, such as `["pytest", "-x"]`.
    #[cfg_attr(test, schemars(with = "String", extend("enum" = PresetChoice::all())))]
    pub preset: PresetChoice,
    /// A regular expression (syntax of Rust's crate `regex`; `^` and `$` match at every line) that the output of a failure
    /// must match. If it does not match, the revision is unresolved. By default every failure counts.
    pub signature: Option<String>,
    /// A regular expression that the output of a pass must match, such as "all 12 tests passed". If it does not match, the
    /// revision is unresolved. By default every pass counts.
    pub passed: Option<String>,
    /// Whether the observation of a failure also has a signature, as an unresolved one always has: how the command
    /// ended, and the part of the output that `signature` matches (its first group, if any). Without `signature`, it is
    /// the last line that looks like an error, with `#` for numbers and without folders, addresses, and colors. Searches
    /// for regressions count failures with another signature as unresolved. By default false.
    pub signatures: bool,
    /// A command (a program and its arguments) that runs first, after all patches, and installs things. By default none.
    #[cfg_attr(test, schemars(extend("kind" = "Command")))]
    pub setup: Option<Vec<String>>,
    /// A command that runs after `setup` and configures the build. By default none.
    #[cfg_attr(test, schemars(extend("kind" = "Command")))]
    pub configure: Option<Vec<String>>,
    /// A command that runs after `configure` and builds the program under test. By default none.
    #[cfg_attr(test, schemars(extend("kind" = "Command")))]
    pub build: Option<Vec<String>>,
    /// A command that runs after a test that failed, and must exit with 0 for the failure to count: it shows that nothing
    /// else is broken (Section 5.2). Iterative delta debugging also runs it after a pass with a patch. By default every
    /// failure counts.
    #[cfg_attr(test, schemars(extend("kind" = "Command")))]
    pub control: Option<Vec<String>>,
    /// The maximum duration in seconds of each of `setup`, `configure`, `build`, and `control`, and of the creation of the
    /// environment. By default no limit.
    #[serde(with = "seconds::optional")]
    #[cfg_attr(test, schemars(with = "Option<f64>", range(min = 0)))]
    pub stage_timeout: Option<Duration>,
    /// The environment of the test: `"venv"` (requirements.txt), `"uv"` (uv.lock), `"npm"` (package-lock.json), `"pnpm"`
    /// (pnpm-lock.yaml), or an environment with its files and its command. It is created before `setup`, once for all
    /// revisions with the same files, and kept for later runs. Stages find its folder in `FIRSTBAD_ENVIRONMENT` and its
    /// programs first in `PATH`. If it cannot be created, the revision is unresolved at the stage `setup`. By default the
    /// test uses the programs of the machine.
    #[cfg_attr(test, schemars(with = "Value", extend("kind" = "Environment")))]
    pub environment: Option<Environment>,
    /// Patches that are applied to every revision, in this order: a patch, or the text of one. A patch that a revision
    /// already has is left out there. If a patch does not apply, the revision is unresolved. By default there are none.
    #[serde(with = "patches")]
    #[cfg_attr(test, schemars(with = "Vec<String>", extend("kind" = "Patches")))]
    pub fixups: Vec<Vec<u8>>,
    /// The files of your checkout that are copied into every worktree whose revision does not have them, as they are now:
    /// false for none, or paths relative to the top of the checkout, tracked or not. By default `"auto"`: the untracked
    /// files that the commands name (`["./check.sh"]`), without files that a build may have left, such as binaries and
    /// files in ignored folders. Journals keep the contents.
    #[cfg_attr(test, schemars(with = "Vec<String>", extend("kind" = "Carry")))]
    pub carry: Carry,
    /// Whether to fill submodules, from what the repository has of them or else from their URLs. If that fails, the
    /// revision is unresolved; if the network is the reason, it is run again. By default they are empty.
    pub submodules: bool,
    /// Whether to fetch the files of Git LFS with `git-lfs`, which must be installed, from what the repository has of
    /// them or else from its remote. By default only the filters of your own configuration apply.
    pub lfs: bool,
    /// Whether checkouts run the filters defined in `.git/config` and apply `.git/info/attributes`. By default no, so a
    /// repository cannot make firstbad run a program.
    pub allow_filters: bool,
    /// The files that a worktree keeps from one run to the next. By default `"fresh"`.
    pub build_folders: BuildFolders,
    /// Additional environment variables of all stages. firstbad also sets `FIRSTBAD_REVISION` (the full sha),
    /// `FIRSTBAD_WORKTREE`, `FIRSTBAD_OUTPUT`, `FIRSTBAD_REPOSITORY`, `FIRSTBAD_JOB` (the smallest number from 0 that no
    /// other current run of this process has, for ports and databases), `FIRSTBAD_NEW_WORKTREE` (1 until the first stage
    /// has passed in the worktree, then 0), `FIRSTBAD_PATCH` (a file with the patch, if there is one), `FIRSTBAD_RUN`, and,
    /// for the test alone, `FIRSTBAD_SIGNALS` (a file into which it can write a JSON object, the `signals` of its
    /// observation). By default there are none.
    #[serde(with = "variables")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, String>", extend("kind" = "Variables")))]
    pub env: Vec<(String, String)>,
    /// The folder for the output of each run, `<sha>.log`. It is never removed. By default a new folder in the cache
    /// folder.
    #[cfg_attr(test, schemars(extend("kind" = "Path")))]
    pub output_dir: Option<PathBuf>,
    /// The number of bytes to keep of the output of each stage, at least 4096: if there are more, the first half and the
    /// last half. `signature`, `passed`, and `preset` see these. By default 16 MiB.
    #[cfg_attr(test, schemars(range(min = 4096)))]
    pub output_limit: u64,
    /// The seconds between SIGTERM and SIGKILL; after an interruption at most 0.5. By default 2.
    #[serde(with = "seconds")]
    #[cfg_attr(test, schemars(with = "f64", range(min = 0)))]
    pub grace: Duration,
    /// The folder for the worktrees, outside the worktree of the repository. By default the cache folder
    /// (`$XDG_CACHE_HOME` or `~/.cache`).
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
            signature: None,
            exit_codes: BTreeMap::new(),
            passed: None,
            signatures: false,
            setup: None,
            configure: None,
            build: None,
            control: None,
            stage_timeout: None,
            environment: None,
            fixups: Vec::new(),
            carry: Carry::Auto,
            submodules: false,
            lfs: false,
            allow_filters: false,
            build_folders: BuildFolders::Fresh,
            env: Vec::new(),
            output_dir: None,
            output_limit: 16 << 20,
            grace: Duration::from_secs(2),
            worktrees: None,
            environments: None,
        }
    }
}

impl CommandOptions {
    /// The options that say where the command runs and not what it tests, so no journal keeps them.
    pub(crate) const OF_HOST: [&'static str; 5] = ["env", "output_dir", "grace", "worktrees", "environments"];

    /// Returns the options with defaults for those [of the host](Self::OF_HOST).
    pub(crate) fn of_test(self) -> CommandOptions {
        let CommandOptions { env, output_dir, grace, worktrees, environments, .. } = CommandOptions::default();
        CommandOptions { env, output_dir, grace, worktrees, environments, ..self }
    }

    /// Reads options from a JSON object.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] that names the option, its value, and what is valid.
    pub fn read(value: &Value) -> Result<CommandOptions, Error> {
        let mut options = value.clone();
        let environment = options.as_object_mut().and_then(|options| options.remove("environment"));
        let environment = environment.filter(|given| !given.is_null());
        Ok(CommandOptions {
            environment: environment.map(|given| Environment::read(&given)).transpose()?,
            ..json::options(&options)?
        })
    }

    /// The commands before the test, in their order.
    pub(crate) fn before(&self) -> impl Iterator<Item = (Stage, &Vec<String>)> {
        let stages = [(Stage::Setup, &self.setup), (Stage::Configure, &self.configure), (Stage::Build, &self.build)];
        stages.into_iter().filter_map(|(stage, command)| Some((stage, command.as_ref()?)))
    }

    /// Whether the test is all that is run.
    pub(crate) fn is_test_alone(&self) -> bool {
        self.before().next().is_none() && self.control.is_none() && self.environment.is_none()
    }

    /// Refuses what it means that a run takes too long where none can.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] that names `on_timeout`.
    pub(crate) fn check_time_limit(&self) -> Result<(), Error> {
        if self.on_timeout == Verdict::Unresolved || self.timeout.is_some() {
            return Ok(());
        }
        let expected = concat!("a time limit beside it (", option!(timeout), "): without one no run takes too long");
        Err(Error::invalid_value("on_timeout", format!("{:?}", self.on_timeout).to_lowercase(), expected))
    }

    /// # Errors
    /// [`Error::InvalidArgument`] that names the stage whose command is empty, or what is wrong with the environment.
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
