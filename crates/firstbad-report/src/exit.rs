//! What the program's exit code says.

use firstbad::{Error, Status};

/// How a command ended, as an exit code that a script can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// 0: an answer was found, or a command that has none to find did what it was told.
    Done,
    /// 1: something went wrong: git, a file, a program that could not be run.
    Failure,
    /// 2: the command line, a configuration file or an answer cannot be meant.
    Usage,
    /// 10: untestable revisions stand between; the candidates are named.
    Ambiguous,
    /// 11: no bad revision fails (any more); of a ranking: no change can be to blame.
    NotReproduced,
    /// 12: a good revision fails.
    GoodEndFails,
    /// 13: a revision that the result depends on had two different outcomes. With a flaky test: no single culprit
    /// explains the outcomes, or a run carries almost no information.
    Flaky,
    /// 14: the budget is used up; the journal has what is known so far.
    Budget,
    /// 15: the test's command stopped the run, or it was stopped from outside.
    Stopped,
    /// 16: the search is not done: there is more to ask, or answers are awaited.
    Running,
    /// 17: somebody else writes to the journal.
    Locked,
    /// 18: no revision that passes was found.
    NoPassingRevision,
    /// 19: what was given as bad cannot be tested.
    Untestable,
    /// 128 + the signal's number: a signal ended the run; the journal has what is known so far.
    Signal(i32),
}

impl Exit {
    /// The exit code.
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

    /// The exit for an error.
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
