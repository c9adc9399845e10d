//! How a command is run, and what its ending means.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// What the ending of a command means for the revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The revision passes.
    Pass,
    /// The revision fails.
    Fail,
    /// It could not be told.
    Unresolved,
    /// No answer: [`CommandOracle::run`](crate::CommandOracle::run) returns
    /// [`Error::CommandStopped`](firstbad::Error::CommandStopped).
    Stop,
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
    /// What single exit codes mean, whatever the rest says. A death by signal `n` counts as code `128 + n` here.
    pub exit_codes: BTreeMap<i32, Verdict>,
    /// Further environment variables of the command. `FIRSTBAD_REVISION` is always set to the full sha, and
    /// `FIRSTBAD_PATCH` to a file with the patch where there is one.
    pub env: Vec<(String, String)>,
    /// Where the output goes, one file for each run: `<sha>.log`, then `<sha>.2.log`; `<sha>.patch-1.log` and so on
    /// for runs with a patch. None: a new folder under the cache folder. Never removed.
    pub output_dir: Option<PathBuf>,
    /// How long processes have between SIGTERM and SIGKILL. Default: 2 seconds.
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
            exit_codes: BTreeMap::new(),
            env: Vec::new(),
            output_dir: None,
            grace: Duration::from_secs(2),
            worktrees: None,
        }
    }
}
