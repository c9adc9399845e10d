//! What the ending of a command means.

use firstbad::Error;
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

impl Verdict {
    /// All names, as people write them.
    pub const NAMES: [&str; 5] = ["pass", "fail", "unresolved", "stop", "retry"];

    /// The verdict of this name, which was given as `argument`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] that names the argument.
    pub fn named(argument: &str, name: &str) -> Result<Verdict, Error> {
        match name {
            "pass" => Ok(Verdict::Pass),
            "fail" => Ok(Verdict::Fail),
            "unresolved" => Ok(Verdict::Unresolved),
            "stop" => Ok(Verdict::Stop),
            "retry" => Ok(Verdict::Retry),
            _ => {
                let names = Verdict::NAMES.map(|name| format!("{name:?}"));
                Err(Error::invalid(argument, name, format!("one of {}", names.join(", "))))
            }
        }
    }
}
