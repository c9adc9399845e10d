//! Where what is left goes: looked at before the first test.

use std::path::{Path, PathBuf};

use firstbad::Error;
use firstbad_platform::files::Identity;

/// Checks that what is left of these files can be written there: one into a file; several into a folder, by these names; and none
/// over what is reduced, which would be lost, and which the next call would begin with.
///
/// # Errors
/// [`Error::InvalidArgument`].
pub(super) fn check(output: &Path, reduced: &[PathBuf], names: &[PathBuf]) -> Result<(), Error> {
    let refused = |expected: &str| Err(Error::invalid("--output", output.display(), expected));
    let into_folder = reduced.len() > 1;
    if into_folder && output.exists() && !output.is_dir() {
        return refused("a folder: several files are reduced");
    }
    if !into_folder && output.is_dir() {
        return refused("a file, and this is a folder");
    }
    let folder = output.parent().filter(|folder| !into_folder && !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return refused("a file in a folder that is there");
    }
    for (path, name) in reduced.iter().zip(names) {
        let place = if into_folder { output.join(name) } else { output.to_owned() };
        if let (Ok(one), Ok(other)) = (Identity::of(path), Identity::of(&place))
            && one == other
        {
            return refused("another place than that of what is reduced, which stays as it is");
        }
    }
    Ok(())
}
