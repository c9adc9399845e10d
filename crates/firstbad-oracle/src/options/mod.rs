//! How a command is run, and what its ending means.

pub(crate) mod carried;
pub(crate) mod environment;
pub(crate) mod preset;
mod runner_rows;
pub(crate) mod verdict;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use firstbad::{Error, Spelling, Stage, option};
use serde::{Deserialize, Serialize};

use self::carried::Carry;
use self::preset::PresetChoice;
use self::verdict::Verdict;
use crate::options::environment::Environment;

/// What stays in a work tree from one run to the next. As JSON, its name in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuildFolders {
    /// Nothing: everything that is not tracked is removed before each run.
    #[default]
    Fresh,
    /// What the revision ignores (`.gitignore`), so that build folders keep; other files that are not tracked are
    /// removed. Quicker where builds are incremental, and only as right as they are: what is unresolved with what earlier
    /// builds left, unless it took too long, is run once more without it before it counts, and its note says so.
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

/// How [`CommandOracle`](crate::CommandOracle) runs its command. The default means what `git bisect run` means: 0
/// passes, 1 to 124 fail, 125 is unresolved, 126 and 127 are
/// [`Error::CommandNotFound`], anything else stops.
///
/// A test may have stages, each a command that is run in the same work tree and whose output goes to the same file:
/// `setup`, `configure`, `build`, the test, and `control` after a test that failed. Where one other than the test does
/// not end with 0 the revision is unresolved, and the observation says at which [`Stage`] it ended and, as its
/// signature, how (Artho, "Iterative Delta Debugging", Section 5.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandOptions {
    /// How long the command may run, without the time to make the work tree. None: for ever.
    pub timeout: Option<Duration>,
    /// What it means that the command took longer than `timeout`. Default: unresolved.
    pub on_timeout: Verdict,
    /// What it means that the command died by a signal or exited with 128 or above. Default: stop.
    pub on_signal: Verdict,
    /// The test runner whose exit codes and output the command produces. Default: the runner that the command names.
    pub preset: PresetChoice,
    /// A regular expression (crate `regex`; `^` and `$` match at every line) for what the command prints. A failure is
    /// one only if this is found, and unresolved otherwise. None: every failure is.
    pub signature: Option<String>,
    /// What single exit codes mean, whatever `preset`, `on_signal` and the rest say. A death by signal `n` counts as code `128 + n` here.
    pub exit_codes: BTreeMap<i32, Verdict>,
    /// A regular expression (as `signature`) that the output must match for a pass to be one, such as "all 12 tests
    /// passed": where it is not found the revision is unresolved. None: every pass is.
    pub passed: Option<String>,
    /// Whether the observation of a test that fails has a signature too: which failure it was. Searches for regressions
    /// take another signature than the one searched for as unresolved. Default: only unresolved ones have one.
    ///
    /// A signature is made of how the command ended, and of what `signature` finds in the output (its first group, or
    /// else all that it matches) or, without it, of the last line that looks like an error; an assertion with its
    /// values and the name of its test. There numbers are `#`, and folders, addresses and colours are left out: it is
    /// the same for the same failure elsewhere. Where failures have none, it is in their `signals` as `failure`, which
    /// decides nothing: reports warn where what they name fails otherwise than the bad end.
    pub signatures: bool,
    /// A command (a program and its arguments) that is run first, after all patches: what installs things. None: no
    /// such stage.
    pub setup: Option<Vec<String>>,
    /// A command that is run after `setup`, and configures the build. None: no such stage.
    pub configure: Option<Vec<String>>,
    /// A command that is run after `configure`, and builds what is tested. None: no such stage.
    pub build: Option<Vec<String>>,
    /// A command that is run after a test that failed, and must end with 0 for the failure to count: it shows that
    /// nothing else is broken (Section 5.2). [`CommandOracle::run_with_signature`](crate::CommandOracle::run_with_signature)
    /// runs it after a pass with a patch, too; if it fails the observation still passes, and has `control` in its signals.
    /// None: every failure counts.
    pub control: Option<Vec<String>>,
    /// How long each of `setup`, `configure`, `build` and `control` may run, and how long it may take to make the
    /// environment, or to wait for another run that makes it. None: for ever.
    pub stage_timeout: Option<Duration>,
    /// What the test needs installed, made once for all revisions whose lock files are the same, before `setup`. None: what
    /// the machine has.
    pub environment: Option<Environment>,
    /// Patches that are applied to every revision before anything else, in this order: without them it would not
    /// build today. One that a revision has already is left out there; if one does not apply, the revision is
    /// unresolved.
    pub fixups: Vec<Vec<u8>>,
    /// Which files of the user's checkout lie in every work tree whose revision has none of that path, with the contents that they
    /// have when the oracle is made. Their names are no secret, nor is what they hold: journals keep it. Default: the untracked
    /// files that the commands name.
    pub carry: Carry,
    /// Whether submodules are filled, those within submodules too: from what the user's repository has, else from the
    /// URL that the revision declares. If that cannot be done the revision is unresolved. Default: they are empty.
    pub submodules: bool,
    /// Whether files that Git LFS keeps elsewhere are there, by `git-lfs`, which has to be installed: from what the user's
    /// repository has of them, else from where its remote, or the revision itself, says. Default: only what the filters of the
    /// user's own configuration do.
    pub lfs: bool,
    /// Whether checkouts run the filters defined in `.git/config` and apply `.git/info/attributes`. Default: no, so a repository cannot
    /// make firstbad run a program.
    pub allow_filters: bool,
    /// What stays in a work tree from one run to the next. Default: nothing.
    pub build_folders: BuildFolders,
    /// Further environment variables of all stages. These are always set: `FIRSTBAD_REVISION` to the
    /// full sha, `FIRSTBAD_WORKTREE` to the work tree's folder, `FIRSTBAD_OUTPUT` to the file that takes the output,
    /// `FIRSTBAD_REPOSITORY` to the folder of the repository, `FIRSTBAD_JOB` to the least number from 0 that no other run of this
    /// process has meanwhile (1024 beyond 1,024 runs), `FIRSTBAD_NEW_WORKTREE` to 1 until the first stage has been through in this
    /// work tree and to 0 from then on, `FIRSTBAD_PATCH` to a file with the patch if there is one, `FIRSTBAD_ENVIRONMENT` to the
    /// folder of the environment if there is one, and `FIRSTBAD_RUN` to what the run's processes are known by. The test alone has
    /// `FIRSTBAD_SIGNALS`: a file that it may write, see [`CommandOracle::run`](crate::CommandOracle::run).
    pub env: Vec<(String, String)>,
    /// Where the output goes, one file for each run: `<sha>.log`, then `<sha>.2.log`; `<sha>.patch-1.log` and so on
    /// for runs with a patch. None: a new folder under the cache folder. Never removed.
    pub output_dir: Option<PathBuf>,
    /// How many bytes of what each stage prints are kept in the file: of more, the first half and the last half of
    /// these, with a line between them that says how much is left out. `signature`, `passed` and `preset` see what is
    /// kept. At least 4,096. Default: 16 MiB.
    pub output_limit: u64,
    /// How long processes have between SIGTERM and SIGKILL. Default: 2 seconds. After an interruption it is at most
    /// half a second.
    pub grace: Duration,
    /// Where the work trees live while the oracle does; must not be inside the repository's own work tree. None: the
    /// cache folder (`$XDG_CACHE_HOME`, `~/.cache`, or else the folder for temporary files).
    pub worktrees: Option<PathBuf>,
    /// Where environments are kept; must not be inside the repository's own work tree. None: the cache folder.
    pub environments: Option<PathBuf>,
    /// The style of option names in messages.
    pub spelling: Spelling,
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
            spelling: Spelling::default(),
        }
    }
}

impl CommandOptions {
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
