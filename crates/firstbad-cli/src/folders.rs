//! Writes results to folders.

use std::path::{Path, PathBuf};

use firstbad::Error;

/// Writes named files to a folder and returns their paths.
pub(crate) fn write<C: AsRef<[u8]>>(
    folder: &Path,
    files: impl IntoIterator<Item = (String, C)>,
) -> Result<Vec<PathBuf>, Error> {
    let failed = |path: &Path, error: &std::io::Error| Error::Io {
        action: format!("writing {}", path.display()),
        message: error.to_string(),
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let mut written = Vec::new();
    for (name, content) in files {
        let path = folder.join(name);
        std::fs::write(&path, content).map_err(|error| failed(&path, &error))?;
        written.push(path);
    }
    Ok(written)
}
