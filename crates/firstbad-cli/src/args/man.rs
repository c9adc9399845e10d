//! Manual pages.

use std::path::PathBuf;

use clap::Args;

/// `firstbad man`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ManArgs {
    /// Write firstbad.1, firstbad-run.1 and so on into this folder, instead of printing the first
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
}
