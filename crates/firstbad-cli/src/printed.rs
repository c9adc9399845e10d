//! The output of a test.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use firstbad_platform::files;
use firstbad_report::plain;

use crate::streams;

/// The maximum size to show, in bytes.
const TAIL: u64 = 64 * 1024;

/// The maximum size to judge, in bytes.
const JUDGED: u64 = 1 << 26;

/// The maximum length of a line, in characters.
const LINE: usize = 200;

/// Returns the end of a test's output, or `None` if the file is missing.
pub(crate) fn end_of(path: &Path) -> Option<Vec<u8>> {
    last(path, TAIL)
}

/// Returns a test's output to judge it, or `None` if the file is missing.
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    last(path, JUDGED)
}

/// Reads the end of a file. The path can come from a journal.
fn last(path: &Path, most: u64) -> Option<Vec<u8>> {
    let mut file = files::open_regular(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(most))).ok()?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Prints the last lines without control sequences.
pub(crate) fn show(printed: &[u8], most: usize) {
    let printed = String::from_utf8_lossy(printed);
    let lines: Vec<&str> = printed.lines().filter(|line| !line.trim().is_empty()).collect();
    for line in &lines[lines.len().saturating_sub(most)..] {
        streams::lines(&format!("    | {}\n", shortened(&plain(line))));
    }
}

/// Returns whether the output has exactly one line, blank lines aside.
pub(crate) fn is_line(printed: &[u8]) -> bool {
    printed.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count() == 1
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(LINE) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_of_a_regular_file_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let (log, pipe) = (folder.path().join("log"), folder.path().join("pipe"));
        std::fs::write(&log, format!("{}end", "-".repeat(TAIL as usize))).unwrap();
        let end = end_of(&log).unwrap();
        assert!(end.len() == TAIL as usize && end.ends_with(b"-end"));
        assert_eq!(read(&log).unwrap().len(), TAIL as usize + 3);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!((end_of(&pipe), read(&pipe)), (None, None));
    }
}
