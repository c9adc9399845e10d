//! Where the repositories of recorded projects are.

use std::path::{Path, PathBuf};

/// The repository of a project below `folder`, if it is there.
pub(crate) fn find(folder: &Path, project: &str) -> Option<PathBuf> {
    let name = project.replace('/', "+");
    [format!("{name}/repo"), format!("{name}.git"), name]
        .into_iter()
        .map(|name| folder.join(name))
        .find(|path| path.join("HEAD").exists() || path.join(".git").exists())
}
