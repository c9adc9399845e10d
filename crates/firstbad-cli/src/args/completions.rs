//! Completions for shells.

use clap::Args;
use clap_complete::Shell;

/// `firstbad completions`.
#[derive(Debug, Clone, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}
