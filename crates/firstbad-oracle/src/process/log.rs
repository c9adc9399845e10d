//! Files with the output of commands.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use firstbad::Error;
use firstbad_git::cache;
use firstbad_platform::files;

/// Creates a new file for a run: `<name>.log`, or the first free one of `<name>.2.log`, `<name>.3.log`, and so on.
pub(crate) fn create(folder: &Path, name: &str) -> io::Result<(PathBuf, File)> {
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

/// Writes a line with the name of the next command, and returns the position after it.
pub(crate) fn heading(path: &Path, log: &mut File, what: &str, command: &[String]) -> io::Result<u64> {
    let mut last = [0];
    let mut written = File::open(path)?;
    // Earlier output may not end with a newline.
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

/// Room for the line about omitted output, so a file slightly over the limit stays complete.
const MORE: u64 = 1024;

/// The output of one command in a log, shortened to its beginning and its end.
#[derive(Debug)]
pub(crate) struct Part {
    start: u64,
    limit: u64,
    /// The end of the middle part whose disk space is already freed.
    freed: u64,
    left_out: u64,
}

impl Part {
    /// Creates a part that starts at `start` and keeps `limit` bytes.
    pub(crate) fn new(start: u64, limit: u64) -> Part {
        Part { start, limit, freed: 0, left_out: 0 }
    }

    /// Returns the number of bytes that were removed.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Adds text that was written to the log afterwards.
    pub(crate) fn grow(&mut self, bytes: u64) {
        self.limit += bytes;
    }

    /// Frees the disk space of the middle while the command runs, if the system supports it. Otherwise, `settle` shortens the
    /// file.
    pub(crate) fn thin(&mut self, log: &File) {
        /// Smaller gains are not worth a system call.
        const LEAST: u64 = 1 << 20;
        let length = log.metadata().map_or(0, |found| found.len());
        let begin = self.freed.max(self.start + self.limit / 2);
        let end = length.saturating_sub(self.limit / 2);
        if end >= begin + LEAST {
            self.freed = end;
            files::punch(log, begin, end - begin);
        }
    }

    /// Removes the middle from the file after the command has ended.
    pub(crate) fn settle(&mut self, path: &Path) -> io::Result<()> {
        let mut file = files::without_links(File::options().read(true).write(true)).open(path)?;
        let length = file.metadata()?.len();
        let (head, tail) = (self.start + self.limit / 2, length.saturating_sub(self.limit / 2));
        if length <= self.start + self.limit + MORE {
            return Ok(());
        }
        self.left_out = tail - head;
        let words = format!("\n==> {} bytes of output are left out here\n", self.left_out);
        file.seek(SeekFrom::Start(head))?;
        file.write_all(words.as_bytes())?;
        // Moves the end forward in pieces, so no unread bytes are overwritten.
        let (mut from, mut to) = (tail, head + words.len() as u64);
        let mut piece = vec![0; 1 << 16];
        loop {
            file.seek(SeekFrom::Start(from))?;
            let read = file.read(&mut piece)?;
            if read == 0 {
                break;
            }
            file.seek(SeekFrom::Start(to))?;
            file.write_all(&piece[..read])?;
            (from, to) = (from + read as u64, to + read as u64);
        }
        file.set_len(to)
    }

    /// Returns the part of the output that is kept.
    pub(crate) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(self.start))?;
        let mut text = Vec::new();
        file.take(self.limit + MORE).read_to_end(&mut text)?;
        Ok(text)
    }
}

/// Returns the end of a log.
pub(crate) fn read_end(path: &Path) -> io::Result<Vec<u8>> {
    const MOST: u64 = 4 << 20;
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MOST)))?;
    let mut text = Vec::new();
    file.take(MOST).read_to_end(&mut text)?;
    Ok(text)
}

/// # Errors
/// [`Error::InvalidArgument`] for `output_limit`.
pub(crate) fn check_limit(limit: u64) -> Result<(), Error> {
    const LEAST: u64 = 4096;
    // Above this limit, sums of file positions can overflow.
    const MOST: u64 = 1 << 60;
    if (LEAST..=MOST).contains(&limit) {
        return Ok(());
    }
    Err(Error::invalid("output_limit", limit, format!("bytes, at least {LEAST} and at most {MOST}")))
}

/// Creates a new folder in `above`, named after the current time in seconds.
pub(crate) fn new_folder(above: &Path) -> io::Result<PathBuf> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_keeps_its_beginning_and_end() {
        let folder = std::env::temp_dir().join(format!("firstbad-log-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (start, length) in [(0, 10_000), (0, 11_024), (0, 11_025), (77, 250_000), (77, 9_000), (10, 3_000_000)] {
            let (path, mut log) = create(&folder, "run").unwrap();
            let text: Vec<u8> = (0..start + length).map(|at| b'a' + (at % 23) as u8).collect();
            log.write_all(&text).unwrap();
            let mut part = Part::new(start as u64, 10_000);
            part.thin(&log);
            part.settle(&path).unwrap();
            let kept = std::fs::read(&path).unwrap();
            if length <= 11_024 {
                assert_eq!((kept, part.left_out()), (text, 0));
                continue;
            }
            assert_eq!(part.left_out(), length as u64 - 10_000);
            assert!(kept.starts_with(&text[..start + 5000]) && kept.ends_with(&text[text.len() - 5000..]));
            let words = String::from_utf8_lossy(&kept[start + 5000..kept.len() - 5000]).into_owned();
            assert!(words.contains("bytes of output are left out here"), "{words}");
            assert_eq!(part.read(&path).unwrap(), kept[start..]);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
