//! What a measurement may be told.

use std::path::PathBuf;

/// What the command line asks for.
#[derive(Debug, Default)]
pub(crate) struct Options {
    pub(crate) data: PathBuf,
    pub(crate) repositories: Option<PathBuf>,
    pub(crate) roots: bool,
    pub(crate) only: Option<String>,
    pub(crate) dump: Option<PathBuf>,
    pub(crate) json: Option<PathBuf>,
    pub(crate) no_git: bool,
    pub(crate) python: Option<String>,
    pub(crate) node: Option<String>,
    pub(crate) trials: Option<u64>,
    pub(crate) seeds: Vec<u64>,
}
