//! How a command is run, and what its ending means.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::preset::Preset;
use super::verdict::Verdict;

/// What stays in a work tree from one run to the next. As JSON, its name in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Build {
    /// Nothing: everything that is not tracked is removed before each run.
    #[default]
    Fresh,
    /// What the revision ignores (`.gitignore`), so that build folders keep; other files that are not tracked are
    /// removed. Quicker where builds are incremental, and only as right as they are.
    Warm,
}

/// How [`CommandOracle`](crate::CommandOracle) runs its command. The default means what `git bisect run` means: 0
/// passes, 1 to 124 fail, 125 is unresolved, 126 and 127 are
/// [`Error::CommandNotFound`](firstbad::Error::CommandNotFound), anything else stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandOptions {
    /// How long the command may run, without the time to make the work tree. None: for ever.
    pub timeout: Option<Duration>,
    /// What it means that the command took longer than `timeout`. Default: unresolved.
    pub on_timeout: Verdict,
    /// What it means that the command died by a signal or exited with 128 or above. Default: stop.
    pub on_signal: Verdict,
    /// The test runner that the command is, which says what its exit codes and its output mean. None: any program.
    pub preset: Option<Preset>,
    /// A regular expression (crate `regex`; `^` and `$` match at every line) for what the command prints. A failure is
    /// one only if this is found, and unresolved otherwise. None: every failure is.
    pub signature: Option<String>,
    /// What single exit codes mean, whatever `preset`, `on_signal` and the rest say. A death by signal `n` counts as code `128 + n` here.
    pub exit_codes: BTreeMap<i32, Verdict>,
    /// A command (a program and its arguments) that is run in the work tree before each test, after all patches. Its
    /// output goes to the same file. If it does not end with 0 the revision is unresolved. None: no set-up.
    pub setup: Option<Vec<String>>,
    /// How long the set-up may run. None: for ever.
    pub setup_timeout: Option<Duration>,
    /// Patches that are applied to every revision before anything else, in this order: without them it would not
    /// build today. One that a revision has already is left out there; if one does not apply, the revision is
    /// unresolved.
    pub fixups: Vec<Vec<u8>>,
    /// Whether submodules are filled, those within submodules too: from what the user's repository has, else from the
    /// URL that the revision declares. If that cannot be done the revision is unresolved. Default: they are empty.
    pub submodules: bool,
    /// What stays in a work tree from one run to the next. Default: nothing.
    pub build: Build,
    /// Further environment variables of the command and the set-up. These are always set: `FIRSTBAD_REVISION` to the
    /// full sha, `FIRSTBAD_WORKTREE` to the work tree's folder, `FIRSTBAD_OUTPUT` to the file that takes the output,
    /// `FIRSTBAD_REPOSITORY` to the folder of the repository, `FIRSTBAD_NEW_WORKTREE` to 1 until a set-up (or, without
    /// one, a test) has been through in this work tree and to 0 from then on, and `FIRSTBAD_PATCH` to a file with the
    /// patch if there is one.
    pub env: Vec<(String, String)>,
    /// Where the output goes, one file for each run: `<sha>.log`, then `<sha>.2.log`; `<sha>.patch-1.log` and so on
    /// for runs with a patch. None: a new folder under the cache folder. Never removed.
    pub output_dir: Option<PathBuf>,
    /// How many bytes of what the command prints are kept in its file, and as many of the set-up's: of more, the first
    /// half and the last half of these, with a line between them that says how much is left out. `signature` and `preset`
    /// see what is kept. At least 4,096. Default: 16 MiB.
    pub output_limit: u64,
    /// How long processes have between SIGTERM and SIGKILL. Default: 2 seconds. After an interruption it is at most
    /// half a second.
    pub grace: Duration,
    /// Where the work trees live while the oracle does; must not be inside the repository's own work tree. None: the
    /// cache folder (`$XDG_CACHE_HOME`, `~/.cache`, or else the folder for temporary files).
    pub worktrees: Option<PathBuf>,
}

impl Default for CommandOptions {
    fn default() -> Self {
        CommandOptions {
            timeout: None,
            on_timeout: Verdict::Unresolved,
            on_signal: Verdict::Stop,
            preset: None,
            signature: None,
            exit_codes: BTreeMap::new(),
            setup: None,
            setup_timeout: None,
            fixups: Vec::new(),
            submodules: false,
            build: Build::Fresh,
            env: Vec::new(),
            output_dir: None,
            output_limit: 16 << 20,
            grace: Duration::from_secs(2),
            worktrees: None,
        }
    }
}
