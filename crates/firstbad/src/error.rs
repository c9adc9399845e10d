mod message;
pub(crate) mod spelling;

/// An error of any part of the project. Its [`Display`](std::fmt::Display) is a message for people, and [`Error::code`] is a
/// stable code for programs.
///
/// Each message names the argument or revision, its value, and the expected value. An error loses no observations: the search
/// stays in the state before the failed call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The commit graph has no revisions.
    EmptyGraph,
    /// A revision was given more than once.
    DuplicateRevision {
        /// The duplicate ids, in the order given.
        ids: Vec<String>,
    },
    /// Some parents are not revisions of the graph.
    UnknownParent {
        /// The `(revision, parent)` pairs, in the order given.
        pairs: Vec<(String, String)>,
    },
    /// Some revisions are their own ancestors.
    Cycle {
        /// One cycle, from child to parent. The first id is repeated at the end.
        ids: Vec<String>,
    },
    /// The graph has no revision of this name.
    UnknownRevision {
        /// The argument with the name.
        argument: String,
        /// The name as given.
        id: String,
        /// Similar names, best first.
        nearest: Vec<String>,
        /// The likely reason and a fix, or `None` if the reason is unknown.
        advice: Option<String>,
    },
    /// The build graph has no target of this name.
    UnknownBuildTarget {
        /// The argument with the name.
        argument: String,
        /// The name as given.
        name: String,
        /// Similar names, best first.
        nearest: Vec<String>,
    },
    /// An abbreviated id matches several revisions.
    AmbiguousRevision {
        /// The argument with the abbreviated id.
        argument: String,
        /// The abbreviated id.
        id: String,
        /// The number of matching revisions.
        count: usize,
        /// Some of the matching revisions.
        examples: Vec<String>,
    },
    /// The value of an argument is invalid.
    InvalidArgument {
        /// The name of the argument.
        argument: String,
        /// The value as given.
        value: String,
        /// A description of the valid values.
        expected: String,
    },
    /// A revision was given two different outcomes. The first outcome stays.
    Contradiction {
        /// The revision.
        revision: String,
        /// The first outcome and its source.
        first: String,
        /// The rejected outcome.
        second: String,
    },
    /// A run was started for a search that another run drives.
    SearchInUse,
    /// An outcome was told for a probe that was never asked.
    UnknownProbe {
        /// The id as given.
        id: u64,
        /// The number of probes so far.
        asked: u64,
    },
    /// A content was told for a read that was never requested.
    UnknownRead {
        /// The id as given.
        id: u64,
        /// The number of reads so far.
        asked: u64,
    },
    /// A snapshot or a list of events does not belong to the search.
    Snapshot {
        /// The difference.
        reason: String,
    },
    /// An oracle gave two different outcomes for one set of changes. The first outcome stays.
    NonDeterministic {
        /// The indices of the changes, abbreviated.
        changes: String,
        /// The first outcome and its source.
        first: String,
        /// The rejected outcome.
        second: String,
    },
    /// The property does not hold for all items together, so there is nothing to reduce.
    NotReproduced {
        /// A description of the observed outcome.
        message: String,
    },
    /// A text is not a patch in Git's format.
    PatchSyntax {
        /// The line of the patch, counted from 1.
        line: usize,
        /// The syntax error.
        message: String,
    },
    /// A patch does not apply to a file.
    PatchConflict {
        /// The file.
        file: String,
        /// The hunk of the file, counted from 1, or `None` if the conflict concerns the whole file.
        hunk: Option<usize>,
        /// The conflict.
        message: String,
    },
    /// Git failed, or a folder is not a repository.
    Git {
        /// The failed command and Git's error message.
        message: String,
    },
    /// A search without a good revision reached the boundary of a shallow clone.
    Shallow {
        /// The missing argument.
        argument: String,
        /// A description of the given revisions.
        given: String,
        /// The boundary commits as full ids, at most five.
        commits: Vec<String>,
    },
    /// A partial clone lacks objects of a revision.
    MissingObjects {
        /// The full id of the revision.
        revision: String,
        /// The number of missing objects. The contents of missing folders are not counted.
        count: usize,
    },
    /// The oracle's command was not found or is not executable (exit code 126 or 127).
    CommandNotFound {
        /// The command as given.
        command: String,
        /// The exit code, 126 or 127.
        code: i32,
        /// The tested revision, or an empty string if the oracle tests file contents.
        revision: String,
        /// The output file or the last line of the output, or an empty string without output.
        output: String,
    },
    /// The oracle's command ended in a way that stops the run.
    CommandStopped {
        /// The tested revision, or an empty string if the oracle tests file contents.
        revision: String,
        /// The exit code, or 128 + n for signal n. `None` if the command was stopped or the code is unknown.
        code: Option<i32>,
        /// A description of the ending.
        reason: String,
        /// The reason why the run stops.
        because: Stopping,
        /// The output file or the last line of the output, or an empty string without output.
        output: String,
    },
    /// The oracle's command reports a failure of the machine, so the revision must be tested again.
    Retry {
        /// The tested revision, or an empty string if the oracle tests file contents.
        revision: String,
        /// A description of the ending.
        reason: String,
        /// The output file or the last line of the output, or an empty string without output.
        output: String,
    },
    /// A journal cannot be read or belongs to another search.
    Journal {
        /// The path of the journal.
        path: String,
        /// The problem or the difference.
        message: String,
    },
    /// A journal belongs to another test.
    AnotherTest {
        /// The path of the journal.
        path: String,
        /// The differing options. Each pair holds the Rust name of the option, with a dot before a part of it, and both values.
        differences: Vec<(String, String)>,
    },
    /// Another process writes to the journal.
    JournalLocked {
        /// The path of the journal.
        path: String,
        /// The holder of the lock: process, machine, and start time.
        holder: String,
    },
    /// A test report cannot be read.
    Results {
        /// The code of the problem, such as `report_syntax`.
        code: &'static str,
        /// The problem and the fix.
        message: String,
    },
    /// The outcome store cannot be used.
    Store {
        /// The path of the outcome store.
        path: String,
        /// The problem.
        message: String,
    },
    /// An internal invariant is violated. This is a bug in firstbad.
    Internal {
        /// The violated invariant.
        message: String,
    },
    /// The run was interrupted.
    Interrupted,
    /// An oracle was called after it was closed.
    OracleClosed,
    /// An operation on a file or a process failed.
    Io {
        /// The failed operation, with the path.
        action: String,
        /// The error message of the operating system.
        message: String,
    },
}

/// The reason why the ending of a command stops the run. Each reason has an option that overrides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopping {
    /// The command was ended by a signal or exited with 128 or above.
    Signal,
    /// The command exceeded its timeout.
    Timeout,
    /// The caller chose to stop at this exit code.
    ExitCode,
}

impl Error {
    /// Returns the stable code of this kind of error in `snake_case`. All languages have the same codes.
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
            Error::Results { code, .. } => code,
            Error::Store { .. } => "store",
            Error::Internal { .. } => "internal",
            Error::Interrupted => "interrupted",
            Error::OracleClosed => "oracle_closed",
            Error::Io { .. } => "io",
        }
    }

    /// Returns the structured details of the error for programs.
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

    /// Creates an [`Error::InvalidArgument`] that shows the value in its debug format.
    pub fn invalid(argument: impl Into<String>, value: impl std::fmt::Debug, expected: impl Into<String>) -> Self {
        Error::InvalidArgument { argument: argument.into(), value: format!("{value:?}"), expected: expected.into() }
    }
}

impl Error {
    /// Creates an [`Error::Internal`] for a value without a JSON form.
    pub fn internal(what: &str, error: &dyn std::fmt::Display) -> Self {
        Error::Internal { message: format!("{what} cannot be written as JSON: {error}") }
    }

    /// Returns the name of the argument that the error concerns, or `None` for other kinds of errors.
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

    /// Renames the argument of the error. An error without an [argument](Error::argument) stays unchanged.
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

    /// Creates an [`Error::InvalidArgument`] that shows the value unchanged.
    pub fn invalid_value(argument: impl Into<String>, value: String, expected: impl Into<String>) -> Self {
        Error::InvalidArgument { argument: argument.into(), value, expected: expected.into() }
    }
}

fn there(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// The structured details of an error. A field is `None` if it does not apply to the error.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Details<'a> {
    /// The full id of the tested revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<&'a str>,
    /// The exit code of the command, or 128 + n for signal n.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The file with the output of the command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<&'a str>,
}
