//! What the ending of a command means.

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
