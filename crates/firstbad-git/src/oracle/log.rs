//! The files that hold what commands print.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use crate::cache;

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

/// Writes a line that says which command's output follows, and returns at which byte that begins.
pub(super) fn heading(path: &Path, log: &mut File, what: &str, command: &[String]) -> io::Result<u64> {
    let mut last = [0];
    let mut written = File::open(path)?;
    // What came before need not have ended its line.
    if written.seek(SeekFrom::End(0))? > 0 {
        written.seek(SeekFrom::End(-1))?;
        written.read_exact(&mut last)?;
        if last != *b"\n" {
            log.write_all(b"\n")?;
        }
    }
    writeln!(log, "==> {what}: {}", command.join(" "))?;
    Ok(log.metadata()?.len())
}

/// What was printed from `start` on.
pub(super) fn read(path: &Path, start: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    Ok(text)
}

/// A new folder of its own in `above`, named after the second it was made in.
pub(super) fn new_folder(above: &Path) -> io::Result<PathBuf> {
    cache::make(above)?;
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
