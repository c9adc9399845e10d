//! One error type for the whole project, with a stable code per kind.

mod message;

/// What went wrong, in words for people ([`std::fmt::Display`]) and as a stable [`Error::code`] for programs.
///
/// Every message names the argument or the revision, the value, and what would be right. Nothing that was observed before an
/// error is lost by it: the search that raised it is as it was before the call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A commit graph without revisions.
    EmptyGraph,
    /// The same revision was given more than once.
    DuplicateRevision {
        /// The ids concerned, in the order met.
        ids: Vec<String>,
    },
    /// Parents that are not revisions of the graph.
    UnknownParent {
        /// `(revision, parent)` pairs, in the order met.
        pairs: Vec<(String, String)>,
    },
    /// Revisions that are their own ancestors.
    Cycle {
        /// One cycle, child to parent; the first id is repeated at the end.
        ids: Vec<String>,
    },
    /// A name that stands for no revision of the graph.
    UnknownRevision {
        /// The argument that held the name.
        argument: String,
        /// The name as given.
        id: String,
        /// Names that look alike, best first.
        nearest: Vec<String>,
        /// Why it may be missing, and what to do about that; `None` if nothing is known.
        advice: Option<String>,
    },
    /// A name that stands for no build target.
    UnknownBuildTarget {
        /// The argument that held the name.
        argument: String,
        /// The name as given.
        name: String,
        /// Names that look alike, best first.
        nearest: Vec<String>,
    },
    /// A prefix of several ids.
    AmbiguousRevision {
        /// The argument that held the prefix.
        argument: String,
        /// The prefix as given.
        id: String,
        /// How many revisions begin with it.
        count: usize,
        /// Some of them.
        examples: Vec<String>,
    },
    /// An argument with a value that cannot be meant.
    InvalidArgument {
        /// The argument's name.
        argument: String,
        /// The value as given.
        value: String,
        /// What would be right.
        expected: String,
    },
    /// Two different outcomes for one revision. The first one stays.
    Contradiction {
        /// The revision.
        revision: String,
        /// The outcome that is kept, and where it came from.
        first: String,
        /// The outcome that was refused.
        second: String,
    },
    /// A run was started for a search that another run drives.
    SearchInUse,
    /// An answer to a probe that was never asked.
    UnknownProbe {
        /// The id as given.
        id: u64,
        /// How many probes there are.
        asked: u64,
    },
    /// A content for a read that was never asked for.
    UnknownRead {
        /// The id as given.
        id: u64,
        /// How many reads there are.
        asked: u64,
    },
    /// A snapshot or event list that does not belong to this search.
    Snapshot {
        /// What does not fit.
        reason: String,
    },
    /// An oracle that answers differently for the same set of changes. The first answer stays.
    NonDeterministic {
        /// The set: its indices, in short.
        changes: String,
        /// The answer that is kept, and where it came from.
        first: String,
        /// The answer that was refused.
        second: String,
    },
    /// The property to be kept does not hold for all items together, so there is nothing to reduce.
    NotReproduced {
        /// What was seen, in words.
        message: String,
    },
    /// A text that is no patch as git writes them.
    PatchSyntax {
        /// The line of the patch, from 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// A patch that does not fit the files that it is applied to.
    PatchConflict {
        /// The file.
        file: String,
        /// The hunk in that file, from 1; `None` if it is about the file as a whole.
        hunk: Option<usize>,
        /// What does not fit.
        message: String,
    },
    /// git answered with an error, or a folder is no repository.
    Git {
        /// git's own words, with the command that failed.
        message: String,
    },
    /// A search without an older end in a clone that does not have the whole history: where that was cut off looks like its
    /// beginning.
    Shallow {
        /// The argument that is missing.
        argument: String,
        /// What is given, in words.
        given: String,
        /// The commits at which the history was cut off, in full shas; at most five.
        commits: Vec<String>,
    },
    /// A partial clone that does not have what a revision holds.
    MissingObjects {
        /// The revision, as a full sha.
        revision: String,
        /// How many objects are missing, as far as git can see: what lies in a folder that is missing is not counted.
        count: usize,
    },
    /// The oracle's command cannot be run at all (exit codes 126 and 127).
    CommandNotFound {
        /// The command as given.
        command: String,
        /// 126 or 127.
        code: i32,
        /// Where it was tried; empty for the content of files.
        revision: String,
        /// The file that holds the command's output, or its last line; empty if there is none.
        output: String,
    },
    /// The oracle's command ended in a way that stops the run (a signal, or an exit code of 128 and above).
    CommandStopped {
        /// Where it happened; empty for the content of files.
        revision: String,
        /// The exit code; for a signal n it is 128 + n; `None` if it did not end by itself, or it is not known.
        code: Option<i32>,
        /// How it ended.
        reason: String,
        /// Why that stops the run.
        because: Stopping,
        /// The file that holds the command's output, or its last line; empty if there is none.
        output: String,
    },
    /// The oracle's command says that the machine failed, and not the revision: it is to be asked again.
    Retry {
        /// Where it happened; empty for the content of files.
        revision: String,
        /// How it ended.
        reason: String,
        /// The file that holds the command's output, or its last line; empty if there is none.
        output: String,
    },
    /// A journal that cannot be read, or that belongs to another search.
    Journal {
        /// The file.
        path: String,
        /// What is wrong with it, or what differs.
        message: String,
    },
    /// A journal that belongs to another test.
    AnotherTest {
        /// The file.
        path: String,
        /// What differs: an option, called as in Rust, or a part of one after a dot, and what it is in the journal and here.
        differences: Vec<(String, String)>,
    },
    /// Somebody else writes to the journal.
    JournalLocked {
        /// The file.
        path: String,
        /// Who holds it: process, machine, since when.
        holder: String,
    },
    /// The outcome store cannot be used.
    Store {
        /// The file.
        path: String,
        /// What is wrong with it.
        message: String,
    },
    /// What cannot happen has happened: a mistake in this program.
    Internal {
        /// What was not expected.
        message: String,
    },
    /// The run was interrupted from outside.
    Interrupted,
    /// An oracle was called after it was closed.
    OracleClosed,
    /// A file or a process could not be handled.
    Io {
        /// What was being done, with the path.
        action: String,
        /// The system's words.
        message: String,
    },
}

/// Why the ending of a command stops the run, and so which option says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopping {
    /// A signal ended it, or it exited with 128 or above.
    Signal,
    /// It took longer than its timeout.
    Timeout,
    /// The caller said so of its exit code.
    ExitCode,
}

impl Error {
    /// The stable code of this kind of error, in `snake_case`; the same in Rust, Python and Node.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::EmptyGraph => "empty_graph",
            Error::DuplicateRevision { .. } => "duplicate_revision",
            Error::UnknownParent { .. } => "unknown_parent",
            Error::Cycle { .. } => "cycle",
            Error::UnknownRevision { .. } => "unknown_revision",
            Error::UnknownBuildTarget { .. } => "unknown_build_target",
            Error::AmbiguousRevision { .. } => "ambiguous_revision",
            Error::InvalidArgument { .. } => "invalid_argument",
            Error::Contradiction { .. } => "contradiction",
            Error::SearchInUse => "search_in_use",
            Error::UnknownProbe { .. } => "unknown_probe",
            Error::UnknownRead { .. } => "unknown_read",
            Error::Snapshot { .. } => "snapshot",
            Error::NonDeterministic { .. } => "non_deterministic",
            Error::NotReproduced { .. } => "not_reproduced",
            Error::PatchSyntax { .. } => "patch_syntax",
            Error::PatchConflict { .. } => "patch_conflict",
            Error::Git { .. } => "git",
            Error::Shallow { .. } => "shallow",
            Error::MissingObjects { .. } => "missing_objects",
            Error::CommandNotFound { .. } => "command_not_found",
            Error::CommandStopped { .. } => "command_stopped",
            Error::Retry { .. } => "retry",
            Error::Journal { .. } | Error::AnotherTest { .. } => "journal",
            Error::JournalLocked { .. } => "journal_locked",
            Error::Store { .. } => "store",
            Error::Internal { .. } => "internal",
            Error::Interrupted => "interrupted",
            Error::OracleClosed => "oracle_closed",
            Error::Io { .. } => "io",
        }
    }

    /// What programs want to know of it beside its code, by name: of an oracle's command the `revision` (its full id), the
    /// `exit_code` (for a signal n 128 + n) and the `output` (the file that holds it).
    #[must_use]
    pub fn details(&self) -> Details<'_> {
        match self {
            Error::CommandNotFound { code, revision, output, .. } => {
                Details { revision: there(revision), exit_code: Some(*code), output: there(output) }
            }
            Error::CommandStopped { code, revision, output, .. } => {
                Details { revision: there(revision), exit_code: *code, output: there(output) }
            }
            Error::Retry { revision, output, .. } => {
                Details { revision: there(revision), exit_code: None, output: there(output) }
            }
            _ => Details::default(),
        }
    }

    /// An [`Error::InvalidArgument`].
    pub fn invalid(argument: impl Into<String>, value: impl std::fmt::Debug, expected: impl Into<String>) -> Self {
        Error::InvalidArgument { argument: argument.into(), value: format!("{value:?}"), expected: expected.into() }
    }
}

impl Error {
    /// An [`Error::Internal`] for something that has no JSON form.
    pub fn internal(what: &str, error: &dyn std::fmt::Display) -> Self {
        Error::Internal { message: format!("{what} has no JSON form: {error}") }
    }

    /// The argument that it is about, where that is one which a caller may know by another name; `None` for other errors.
    #[must_use]
    pub fn argument(&self) -> Option<&str> {
        match self {
            Error::InvalidArgument { argument, .. }
            | Error::UnknownRevision { argument, .. }
            | Error::UnknownBuildTarget { argument, .. }
            | Error::AmbiguousRevision { argument, .. }
            | Error::Shallow { argument, .. } => Some(argument),
            _ => None,
        }
    }

    /// Renames the argument that the error names, if that argument is `name`.
    #[must_use]
    pub fn renamed(self, name: &str, other: &str) -> Self {
        if self.argument() == Some(name) { self.about(other) } else { self }
    }

    /// The same, about an argument by another name; an error that has no [argument](Error::argument) stays as it is.
    #[must_use]
    pub fn about(mut self, name: &str) -> Self {
        if let Error::InvalidArgument { argument, .. }
        | Error::UnknownRevision { argument, .. }
        | Error::UnknownBuildTarget { argument, .. }
        | Error::AmbiguousRevision { argument, .. }
        | Error::Shallow { argument, .. } = &mut self
        {
            name.clone_into(argument);
        }
        self
    }

    /// An [`Error::InvalidArgument`] with a value that is in words already.
    pub fn invalid_value(argument: impl Into<String>, value: String, expected: impl Into<String>) -> Self {
        Error::InvalidArgument { argument: argument.into(), value, expected: expected.into() }
    }
}

fn there(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// What programs want to know of an error beside its code; `None` where it has nothing of the kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Details<'a> {
    /// The revision that it happened at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<&'a str>,
    /// The exit code of a command; for a signal n it is 128 + n.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The file that holds the output of a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<&'a str>,
}
