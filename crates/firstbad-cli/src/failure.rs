//! Prints errors.

use firstbad::{Error, Spelling};

use crate::{printed, streams};

/// The number of output lines below an error.
const SHOWN: usize = 5;

/// Returns the message of an error with the options of the command line.
pub(crate) fn words(error: &Error) -> String {
    error.said(Spelling::CommandLine)
}

/// Prints an error, and the last output of a failed command.
pub(crate) fn say(error: &Error) {
    match error {
        // The value is missing, so the expected value is the advice.
        Error::InvalidArgument { value, expected, .. } if value.is_empty() && expected.contains("\nhelp: ") => {
            streams::error(expected);
        }
        Error::InvalidArgument { argument, value, expected } if value.is_empty() => {
            streams::error(&format!(
                "{} is missing\nhelp: give {expected}",
                Spelling::CommandLine.render(&Spelling::token(argument))
            ));
        }
        _ => streams::error(&words(error)),
    }
    if let (Error::CommandNotFound { .. } | Error::CommandStopped { .. }, Some(output)) =
        (error, error.details().output)
        && let Some(printed) = printed::end_of(output.as_ref())
    {
        printed::show(&printed, SHOWN);
    }
}
