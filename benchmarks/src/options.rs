//! The options of a measurement.

use std::path::PathBuf;

/// The options of the command line.
#[derive(Debug)]
pub(crate) struct Options {
    /// The folder with `histories/`, `graphs/`, and `repositories/`.
    pub(crate) data: PathBuf,
    /// The folder for the CSV files.
    pub(crate) to: PathBuf,
    /// The number of trials, if it is not the default of the measurement.
    pub(crate) trials: Option<u64>,
    pub(crate) seeds: Vec<u64>,
    /// The Python that has the peers.
    pub(crate) python: Option<String>,
}

impl Options {
    /// Returns the repository of a project, as `owner+name/repo`, `owner+name.git`, or `owner+name`, if it is there.
    pub(crate) fn repository(&self, project: &str) -> Option<PathBuf> {
        let name = project.replace('/', "+");
        [format!("{name}/repo"), format!("{name}.git"), name]
            .into_iter()
            .map(|name| self.data.join("repositories").join(name))
            .find(|path| path.join("HEAD").exists() || path.join(".git").exists())
    }
}
