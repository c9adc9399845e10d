//! `firstbad completions`.

use clap::Args;
use clap_complete::Shell;

#[derive(Debug, Clone, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}
