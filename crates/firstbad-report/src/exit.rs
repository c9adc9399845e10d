//! Exit codes of the command line.

use firstbad::{Error, Status};

/// The exit code of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// 0: the result was found, or the command succeeded.
    Done,
    /// 1: an error of Git, of a file, or of a program.
    Failure,
    /// 2: the command line, a configuration file, or an outcome is invalid.
    Usage,
    /// 10: several candidates, because revisions are unresolved or were not considered.
    Ambiguous,
    /// 11: no bad revision fails. For a ranking, no change can be the culprit.
    NotReproduced,
    /// 12: a good revision fails.
    GoodEndFails,
    /// 13: a revision that the result depends on had two different outcomes. With a flaky test: no single culprit
    /// explains the outcomes, or a run carries almost no information.
    Flaky,
    /// 14: the budget is used up. The journal has the outcomes.
    Budget,
    /// 15: the test stopped the run, or the run was stopped.
    Stopped,
    /// 16: the search has not finished.
    Running,
    /// 17: another process writes to the journal.
    Locked,
    /// 18: no passing revision was found.
    NoPassingRevision,
    /// 19: the bad revision is unresolved.
    Untestable,
    /// 128 + the signal's number: a signal ended the run. The journal has the outcomes.
    Signal(i32),
}

impl Exit {
    /// Returns the exit code.
    #[must_use]
    pub fn code(self) -> i32 {
        match self {
            Exit::Done => 0,
            Exit::Failure => 1,
            Exit::Usage => 2,
            Exit::Ambiguous => 10,
            Exit::NotReproduced => 11,
            Exit::GoodEndFails => 12,
            Exit::Flaky => 13,
            Exit::Budget => 14,
            Exit::Stopped => 15,
            Exit::Running => 16,
            Exit::Locked => 17,
            Exit::NoPassingRevision => 18,
            Exit::Untestable => 19,
            Exit::Signal(signal) => 128 + signal,
        }
    }

    /// Returns the exit for an error.
    #[must_use]
    pub fn of(error: &Error) -> Exit {
        match error {
            Error::InvalidArgument { .. }
            | Error::UnknownRevision { .. }
            | Error::AmbiguousRevision { .. }
            | Error::UnknownBuildTarget { .. }
            | Error::UnknownProbe { .. }
            | Error::Contradiction { .. }
            | Error::NonDeterministic { .. }
            | Error::PatchSyntax { .. }
            | Error::Shallow { .. } => Exit::Usage,
            Error::NotReproduced { .. } => Exit::NotReproduced,
            Error::CommandNotFound { .. } | Error::CommandStopped { .. } => Exit::Stopped,
            Error::JournalLocked { .. } => Exit::Locked,
            _ => Exit::Failure,
        }
    }
}

impl From<Status> for Exit {
    fn from(status: Status) -> Self {
        match status {
            Status::Found => Exit::Done,
            Status::Running => Exit::Running,
            Status::Ambiguous => Exit::Ambiguous,
            Status::NotReproduced => Exit::NotReproduced,
            Status::GoodEndFails => Exit::GoodEndFails,
            Status::NoPassingRevision
            | Status::HistoryExhausted
            | Status::PatchTooLarge
            | Status::RevisionNotReadable => Exit::NoPassingRevision,
            Status::Untestable => Exit::Untestable,
            Status::Contradictory | Status::TooFlaky => Exit::Flaky,
            Status::Budget => Exit::Budget,
            Status::Stopped => Exit::Stopped,
        }
    }
}
