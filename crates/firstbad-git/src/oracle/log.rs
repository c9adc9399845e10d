//! The files that hold what commands print.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A new file for a run: `<name>.log`, or else the first of `<name>.2.log`, ... that is free.
pub(super) fn create(folder: &Path, name: &str) -> io::Result<(PathBuf, File)> {
    let mut path = folder.join(format!("{name}.log"));
    for number in 2.. {
        match File::options().append(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                path = folder.join(format!("{name}.{number}.log"));
            }
            Err(error) => return Err(error),
            Ok(file) => return Ok((path, file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A new folder of its own in `above`, named after the second it was made in.
pub(super) fn new_folder(above: &Path) -> io::Result<PathBuf> {
    super::cache::make(above)?;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs();
    for number in 0.. {
        let folder = above.join(format!("{now}-{}-{number}", std::process::id()));
        match std::fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            ended => return ended.map(|()| folder),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
