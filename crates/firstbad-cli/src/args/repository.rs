//! Which repository is meant.

use std::path::{Path, PathBuf};

use clap::Args;

/// Which repository is meant.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct RepositoryArgs {
    /// The repository: any folder inside it [default: .]
    #[arg(long, value_name = "FOLDER")]
    repository: Option<PathBuf>,
}

impl RepositoryArgs {
    /// A folder inside it.
    pub(crate) fn folder(&self) -> &Path {
        self.repository.as_deref().unwrap_or(".".as_ref())
    }

    /// The folder that the user named; `None` if none was named, where a journal may know another.
    pub(crate) fn named(&self) -> Option<&Path> {
        self.repository.as_deref()
    }
}
