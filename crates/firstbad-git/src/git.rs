//! Running Git in a clean environment, without programs from a repository's configuration.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use firstbad::Error;
use firstbad_platform::programs;

/// The environment variables that hooks and aliases of Git set. They would redirect firstbad or the command under test to another
/// repository or index.
pub const REDIRECTING: [&str; 18] = [
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

/// Settings that disable configured programs and background work. They override the repository's configuration.
///
/// Some programs are disabled elsewhere:
/// - Every diff has options against external diffs and text conversions, which have arbitrary names.
/// - Filters run only at a checkout. Checkouts happen only in firstbad's own repositories, which need the user's filters (Git
///   LFS).
/// - Hooks of a server come from protected configuration.
/// - Network settings are in [`OFFLINE`].
const OFF: [&str; 14] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.editor=false",
    "sequence.editor=false",
    "core.alternateRefsCommand=:",
    "log.showSignature=false",
    "gpg.program=false",
    "gpg.openpgp.program=false",
    "gpg.x509.program=false",
    "gpg.ssh.program=false",
    "protocol.ext.allow=never",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
];

/// Settings that disable programs for network access.
const OFFLINE: [&str; 4] = ["core.sshCommand=false", "core.gitProxy=none", "core.askPass=false", "credential.helper="];

/// Settings that this system needs. On Windows, paths may be longer than 260 characters.
const SYSTEM: &[&str] = if cfg!(windows) { &["core.longpaths=true"] } else { &[] };

/// Returns a Git command that runs in `dir` on any repository. It never prompts, does no background work, and runs no configured
/// program.
pub fn git(dir: &Path) -> Command {
    let mut command = own(dir);
    command.args(OFFLINE.iter().flat_map(|setting| ["-c", setting]));
    command
}

/// Returns a Git command for a repository that firstbad created. Unlike with [`git`], the user's filters and network settings
/// apply.
pub fn own(dir: &Path) -> Command {
    let mut command = Command::new("git");
    for name in REDIRECTING {
        command.env_remove(name);
    }
    command
        .args(["--no-pager", "--no-optional-locks"])
        .args(OFF.iter().chain(SYSTEM).flat_map(|setting| ["-c", setting]))
        .env("LC_ALL", "C")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env_remove("GIT_EXTERNAL_DIFF")
        // In a partial clone, Git would fetch missing objects with a configured remote helper. Older versions of Git do not know
        // the first variable, so the second one forbids all protocols.
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .current_dir(dir)
        .stdin(Stdio::null());
    command
}

/// Runs a Git command and returns its output.
///
/// # Errors
/// [`Error::Git`] if Git cannot be run or exits with an error.
pub fn output(command: &mut Command, input: &[u8]) -> Result<Vec<u8>, Error> {
    let (ended, text) = finished(command, input)?;
    match ended {
        None => Ok(text),
        Some(error) => Err(error),
    }
}

/// Runs a Git command and returns its error, if any, and its output.
///
/// # Errors
/// [`Error::Git`] if Git cannot be run.
pub fn finished(command: &mut Command, input: &[u8]) -> Result<(Option<Error>, Vec<u8>), Error> {
    let output = ended(command, input)?;
    let error = (!output.status.success()).then(|| failed(command, &output.stderr));
    Ok((error, output.stdout))
}

/// Runs a Git command and returns its exit status and output.
///
/// # Errors
/// [`Error::Git`] if Git cannot be run.
pub fn ended(command: &mut Command, input: &[u8]) -> Result<Output, Error> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    if !input.is_empty() {
        command.stdin(Stdio::piped());
    }
    let mut child = programs::start(command).map_err(|error| cannot_run(&error))?;
    let feed = child.stdin.take();
    std::thread::scope(|scope| {
        // Git may print before it has read all input, so a separate thread writes the input.
        scope.spawn(move || feed.map(|mut pipe| pipe.write_all(input)));
        child.wait_with_output()
    })
    .map_err(|error| cannot_run(&error))
}

/// Runs a Git command and returns its output. Kills Git if it exceeds the time limit or the maximum number of bytes.
///
/// # Errors
/// [`Error::Git`] if Git cannot be run, exits with an error, or exceeds a limit.
pub fn output_within(command: &mut Command, input: &[u8], within: Duration, most: u64) -> Result<Vec<u8>, Error> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = programs::start(command).map_err(|error| cannot_run(&error))?;
    let (feed, printed, said) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        scope.spawn(move || feed.map(|mut pipe| pipe.write_all(input)));
        let words = scope.spawn(move || {
            let mut words = Vec::new();
            // Reading the rest of the messages keeps Git from blocking.
            let _ = said.map(|mut pipe| {
                let _ = pipe.by_ref().take(MOST_WORDS).read_to_end(&mut words);
                std::io::copy(&mut pipe, &mut std::io::sink())
            });
            words
        });
        let (send, ended) = mpsc::channel();
        scope.spawn(move || {
            let mut text = Vec::new();
            let read = printed.map(|pipe| pipe.take(most.saturating_add(1)).read_to_end(&mut text));
            let _ = send.send(read.transpose().map(|_| text));
        });
        let ended = ended.recv_timeout(within);
        if !matches!(&ended, Ok(Ok(text)) if text.len() as u64 <= most) {
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| cannot_run(&error))?;
        let words = words.join().unwrap_or_default();
        match ended {
            Ok(Ok(text)) if text.len() as u64 > most => Err(failed(command, b"it prints too much")),
            Ok(Ok(text)) if status.success() => Ok(text),
            Ok(Ok(_)) => Err(failed(command, &words)),
            Ok(Err(error)) => Err(cannot_run(&error)),
            Err(_) => Err(failed(command, format!("it takes longer than {} s", within.as_secs()).as_bytes())),
        }
    })
}

/// Runs two functions at the same time and returns both results.
pub fn side_by_side<A: Send, B>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        (one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), other)
    })
}

/// The maximum size of error messages to keep, in bytes.
const MOST_WORDS: u64 = 1 << 16;

/// Parses a commit time in seconds since 1970. Git prints times before 1970 as unsigned integers with the same bits. Returns
/// `None` if `word` is not a number.
pub fn seconds(word: &str) -> Option<i64> {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().or_else(|| is_number.then(|| word.parse::<u64>().map_or(i64::MAX, u64::cast_signed)))
}

/// Returns the error for a Git process that cannot be started.
pub fn cannot_run(error: &std::io::Error) -> Error {
    Error::Git { message: format!("cannot run the program git: {error}") }
}

/// Returns the error for a failed Git command with its messages. The reason comes first, because long messages are truncated at
/// the end.
pub fn failed(command: &Command, stderr: &[u8]) -> Error {
    let words = String::from_utf8_lossy(stderr);
    let words = words.trim();
    let words = if words.is_empty() { "it ended without a word".to_owned() } else { few_lines(words) };
    let mut arguments = command.get_args().map(|argument| argument.to_string_lossy()).peekable();
    // The folder already shows what the options before the subcommand say.
    while let Some(option) = arguments.next_if(|argument| argument.starts_with('-')) {
        if matches!(option.as_ref(), "-c" | "--git-dir" | "--work-tree") {
            arguments.next();
        }
    }
    let arguments: Vec<_> = arguments.collect();
    let place = command.get_current_dir().map(|dir| format!(" in {}", dir.display())).unwrap_or_default();
    Error::Git { message: format!("{words} (git {}{place})", arguments.join(" ")) }
}

/// How many of the first lines of an error message are shown.
const FIRST_LINES: usize = 4;

/// Shortens a message to the first lines and the last one, which says how Git ended.
fn few_lines(words: &str) -> String {
    let lines: Vec<&str> = words.lines().collect();
    match lines.len().saturating_sub(FIRST_LINES + 1) {
        0 | 1 => words.to_owned(),
        more => {
            let first = lines[..FIRST_LINES].join("\n");
            format!("{first}\n({more} more lines)\n{}", lines[lines.len() - 1])
        }
    }
}

/// Returns the names in NUL-terminated output. Names that are not UTF-8 are left out.
#[must_use]
pub fn names_of(printed: &[u8]) -> Vec<String> {
    let names = printed.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    names.filter_map(|name| std::str::from_utf8(name).ok()).map(str::to_owned).collect()
}

/// Returns an [`Error::Io`] for an action.
pub fn io(action: impl Into<String>, error: &std::io::Error) -> Error {
    Error::Io { action: action.into(), message: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_before_1970_are_negative_seconds() {
        assert_eq!(["0", "1700000000", "-5"].map(seconds), [Some(0), Some(1_700_000_000), Some(-5)]);
        assert_eq!(["18446744073709551611", "9223372036854775807"].map(seconds), [Some(-5), Some(i64::MAX)]);
        assert_eq!(["99999999999999999999", "", "x", "1x"].map(seconds), [Some(i64::MAX), None, None, None]);
    }

    #[test]
    fn long_messages_keep_the_first_lines_and_the_last() {
        let lines = |count: usize| (1..=count).map(|line| line.to_string()).collect::<Vec<_>>().join("\n");
        assert_eq!(few_lines(&lines(6)), lines(6));
        assert_eq!(few_lines(&lines(110)), "1\n2\n3\n4\n(105 more lines)\n110");
        let Error::Git { message } = failed(&Command::new("git"), format!("fatal: a\n{}", lines(50)).as_bytes()) else {
            panic!("another error");
        };
        assert!(message.starts_with("fatal: a\n1\n2\n3\n(46 more lines)\n50 (git "), "{message}");
    }
}
