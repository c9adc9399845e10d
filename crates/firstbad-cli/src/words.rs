//! Errors as the command line says them: with its own options.

use firstbad::Error;

/// The message of an error.
pub(crate) fn of(error: &Error) -> String {
    error.told(&option)
}

/// What an option of the library is called here. What is no option here stays as it is.
pub(crate) fn option(name: &str) -> String {
    match name {
        "exit_codes" => "--exit-code".to_owned(),
        "fixups" => "--fixup".to_owned(),
        "command" | "carried" | "files" | "env" => name.to_owned(),
        name => format!("--{}", name.replace('_', "-")),
    }
}
