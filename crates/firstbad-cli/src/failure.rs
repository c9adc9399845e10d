//! What went wrong, said to people.

use firstbad::{Error, Spelling};

use crate::{printed, streams};

/// How many lines of what a command printed stand below an error.
const SHOWN: usize = 5;

/// Returns the message of an error, with the options as the command line spells them.
pub(crate) fn words(error: &Error) -> String {
    error.said(Spelling::CommandLine)
}

/// Says what went wrong, and of a command the last lines that it printed.
pub(crate) fn say(error: &Error) {
    streams::note(words(error));
    if let (Error::CommandNotFound { .. } | Error::CommandStopped { .. }, Some(output)) =
        (error, error.details().output)
        && let Some(printed) = printed::end_of(output.as_ref())
    {
        printed::show(&printed, SHOWN);
    }
}
