//! What the ending of a command means.

use serde::{Deserialize, Serialize};

/// What the ending of a command means for the revision. As JSON, its name in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// No answer, because the machine failed and not the revision: the network was down, a disk was full.
    /// [`CommandOracle::run`](crate::CommandOracle::run) returns [`Error::Retry`](firstbad::Error::Retry), and what drives the
    /// search asks again, a bounded number of times.
    Retry,
}
