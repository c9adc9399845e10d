//! `firstbad man`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Clone, Args)]
pub(crate) struct ManArgs {
    /// Print the page of this command instead of the program's page
    #[arg(value_name = "COMMAND", conflicts_with = "folder")]
    pub(crate) command: Option<String>,
    /// Write the pages of all commands to DIR
    #[arg(long = "output", short = 'o', value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}
