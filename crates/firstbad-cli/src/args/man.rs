//! Manual pages.

use std::path::PathBuf;

use clap::Args;

/// `firstbad man`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ManArgs {
    /// Print the page of this command, and not that of the program
    #[arg(value_name = "COMMAND", conflicts_with = "folder")]
    pub(crate) command: Option<String>,
    /// Write the pages of all commands, firstbad.1, firstbad-run.1 and so on, into this folder
    #[arg(long = "output", short = 'o', value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
}
