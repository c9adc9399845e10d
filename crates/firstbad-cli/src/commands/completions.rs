//! `firstbad completions`.

use firstbad::Error;
use firstbad_report::Exit;

use crate::args::{Cli, CompletionsArgs};
use crate::streams;

/// Prints the script.
pub(super) fn run(args: &CompletionsArgs) -> Result<Exit, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::visible(), "firstbad", &mut script);
    streams::bytes(&script)?;
    Ok(Exit::Done)
}
