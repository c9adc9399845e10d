//! Running git: always the same clean environment, and errors in git's own words.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use firstbad::Error;

/// What `git rev-parse --local-env-vars` lists without the configuration, and more of that kind. A hook or an alias
/// of git sets them, and they would redirect us, or the command under test, to another repository or index.
pub(crate) const REDIRECTING: [&str; 18] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ATTR_SOURCE",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// A git command that runs in `dir`, reads only what it is told to, asks nothing and writes nothing by the way.
pub(crate) fn git(dir: &Path) -> Command {
    let mut command = Command::new("git");
    for name in REDIRECTING {
        command.env_remove(name);
    }
    command
        .args(["--no-pager", "--no-optional-locks"])
        .env("LC_ALL", "C")
        .env("GIT_TERMINAL_PROMPT", "0")
        // In a partial clone git would fetch what is missing, with the remote helper that the configuration names.
        .env("GIT_NO_LAZY_FETCH", "1")
        .current_dir(dir)
        .stdin(Stdio::null());
    command
}

/// Runs a git command to its end and returns what it printed.
///
/// # Errors
/// [`Error::Git`] if git cannot be run or ends with anything but 0.
pub(crate) fn output(command: &mut Command, input: &[u8]) -> Result<Vec<u8>, Error> {
    let (ended, text) = finished(command, input)?;
    match ended {
        None => Ok(text),
        Some(error) => Err(error),
    }
}

/// As [`output`], but what it printed comes back even when git ended with an error, which is the first part.
///
/// # Errors
/// [`Error::Git`] if git cannot be run at all.
pub(crate) fn finished(command: &mut Command, input: &[u8]) -> Result<(Option<Error>, Vec<u8>), Error> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    if !input.is_empty() {
        command.stdin(Stdio::piped());
    }
    let mut child = command.spawn().map_err(|error| cannot_run(&error))?;
    let feed = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // A thread of its own: git may print before it has read everything.
        scope.spawn(move || feed.map(|mut pipe| pipe.write_all(input)));
        child.wait_with_output()
    })
    .map_err(|error| cannot_run(&error))?;
    let error = (!output.status.success()).then(|| failed(command, &output.stderr));
    Ok((error, output.stdout))
}

/// The error for a git that did not even start.
pub(crate) fn cannot_run(error: &std::io::Error) -> Error {
    Error::Git { message: format!("cannot run the program git: {error}") }
}

/// The error for a git command that ended badly and wrote `stderr`.
pub(crate) fn failed(command: &Command, stderr: &[u8]) -> Error {
    let words = String::from_utf8_lossy(stderr);
    let words = words.trim();
    let words = if words.is_empty() { "it ended without a word" } else { words };
    let mut arguments = command.get_args().map(|argument| argument.to_string_lossy()).peekable();
    // What comes before git's own command says where, which the folder says better.
    while let Some(option) = arguments.next_if(|argument| argument.starts_with('-')) {
        if matches!(option.as_ref(), "-c" | "--git-dir" | "--work-tree") {
            arguments.next();
        }
    }
    let arguments: Vec<_> = arguments.collect();
    let place = command.get_current_dir().map(|dir| format!(" (in {})", dir.display())).unwrap_or_default();
    Error::Git { message: format!("git {}{place}: {words}", arguments.join(" ")) }
}

/// An [`Error::Io`] with what was being done.
pub(crate) fn io(action: impl Into<String>, error: &std::io::Error) -> Error {
    Error::Io { action: action.into(), message: error.to_string() }
}
