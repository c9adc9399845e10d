//! Prints errors.

use firstbad::{Error, Spelling};

use crate::{printed, streams};

/// The number of output lines below an error.
const SHOWN: usize = 5;

/// Returns the message of an error with the options of the command line.
pub(crate) fn words(error: &Error) -> String {
    let Error::AnotherTest { path, differences } = error else { return error.said(Spelling::CommandLine) };
    let render = |name: &str| Spelling::CommandLine.render(&Spelling::token(name));
    let listed: Vec<String> = differences.iter().map(|(name, words)| format!("Its {} {words}", render(name))).collect();
    let is_command = differences.iter().any(|(name, _)| name == "command");
    let omitted = if is_command { "`-- COMMAND`" } else { "these options" };
    let listed = Spelling::CommandLine.render(&listed.join(". "));
    format!("journal {path} was recorded with another test. {listed}\nhelp: use another --journal, or omit {omitted}")
}

/// Prints an error, and the last output of a failed command.
pub(crate) fn say(error: &Error) {
    match error {
        // The value is missing, so the expected value is the advice.
        Error::InvalidArgument { value, expected, .. } if value.is_empty() && expected.contains("\nhelp: ") => {
            streams::error(&Spelling::CommandLine.render(expected));
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
