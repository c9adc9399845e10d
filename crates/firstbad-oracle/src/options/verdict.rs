//! Verdicts: the meaning of how a command ended.

use firstbad::Error;
use serde::{Deserialize, Serialize};

/// The meaning of how a command ended. In JSON, its name in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The revision passes.
    Pass,
    /// The revision fails.
    Fail,
    /// The revision is unresolved.
    Unresolved,
    /// The search stops: [`CommandOracle::run`](crate::CommandOracle::run) returns
    /// [`Error::CommandStopped`](firstbad::Error::CommandStopped).
    Stop,
    /// The run does not count, because the machine failed, for example because the network was down or a disk was full.
    /// [`CommandOracle::run`](crate::CommandOracle::run) returns [`Error::Retry`](firstbad::Error::Retry), and the search runs
    /// the revision again a limited number of times.
    Retry,
}

impl Verdict {
    /// The names of all verdicts.
    pub const NAMES: [&str; 5] = ["pass", "fail", "unresolved", "stop", "retry"];

    /// Parses the name of a verdict, given as this argument.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `argument` if the name is unknown.
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
