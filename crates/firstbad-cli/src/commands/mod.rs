//! One module for each command, or for a few that do the same.

use firstbad::Error;

use crate::args::{Cli, Command};
use crate::exit::Exit;

/// Does what the command line says.
///
/// # Errors
/// What went wrong, in words for people.
pub(crate) fn run(given: Cli) -> Result<Exit, Error> {
    match given.command {
        Command::Run(_) => todo!(),
        _ => todo!(),
    }
}
