//! The standard output of a command, apart from its standard error.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use firstbad_platform::trees;

use super::log::Part;

/// The standard output of a command in a file beside the worktree. The log gets a copy after the command has ended.
#[derive(Debug)]
pub(crate) struct Stdout {
    path: PathBuf,
    file: File,
    part: Part,
    /// The output that is kept.
    pub(crate) text: Vec<u8>,
}

impl Stdout {
    /// Creates the file. `limit` is the number of bytes to keep.
    pub(crate) fn create(path: &Path, limit: u64) -> io::Result<Stdout> {
        // Removes the file of an earlier run, which another program may still hold open.
        let _ = trees::fresh(path)?;
        let file = File::options().append(true).open(path)?;
        Ok(Stdout { path: path.to_owned(), file, part: Part::new(0, limit), text: Vec::new() })
    }

    /// Returns the file for the command.
    pub(crate) fn handle(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Frees the disk space of long output while the command runs.
    pub(crate) fn thin(&mut self) {
        self.part.thin(&self.file);
    }

    /// Reads the output, and appends it to the log. Returns the number of bytes.
    pub(crate) fn settle(&mut self, log: &mut File) -> io::Result<u64> {
        self.part.settle(&self.path)?;
        self.text = self.part.read(&self.path)?;
        log.write_all(&self.text)?;
        Ok(self.text.len() as u64)
    }

    /// Returns the number of bytes that were removed.
    pub(crate) fn left_out(&self) -> u64 {
        self.part.left_out()
    }
}
