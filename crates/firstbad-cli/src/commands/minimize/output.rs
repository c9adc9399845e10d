//! Checks `--output` before the first run.

use std::path::{Path, PathBuf};

use firstbad::Error;
use firstbad_platform::files::Identity;

/// Checks that the result can be written without overwriting the reduced files.
pub(super) fn check(output: &Path, reduced: &[PathBuf], names: &[PathBuf]) -> Result<(), Error> {
    let refused = |expected: &str| Err(Error::invalid("--output", output.display(), expected));
    let into_folder = reduced.len() > 1;
    if into_folder && output.exists() && !output.is_dir() {
        return refused("a folder for several files");
    }
    if !into_folder && output.is_dir() {
        return refused("a file, not a folder");
    }
    let folder = output.parent().filter(|folder| !into_folder && !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return refused("a file in an existing folder");
    }
    for (path, name) in reduced.iter().zip(names) {
        let place = if into_folder { output.join(name) } else { output.to_owned() };
        if let (Ok(one), Ok(other)) = (Identity::of(path), Identity::of(&place))
            && one == other
        {
            return refused("another path than that of a reduced file");
        }
    }
    Ok(())
}
