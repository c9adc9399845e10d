//! The last lines of what a test printed, for people.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use firstbad_platform::files;
use firstbad_report::plain;

use crate::streams;

/// How much of the end of a file is looked at, in bytes.
const TAIL: u64 = 64 * 1024;

/// The same where it says how a test ended.
const JUDGED: u64 = 1 << 26;

/// The longest line that is shown whole, in characters.
const LINE: usize = 200;

/// The end of what a test printed; `None` if the file is not there any more.
pub(crate) fn end_of(path: &Path) -> Option<Vec<u8>> {
    last(path, TAIL)
}

/// What a test printed, to be judged; `None` if the file is not there any more.
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    last(path, JUDGED)
}

/// The last bytes of a file that somebody else has named.
fn last(path: &Path, most: u64) -> Option<Vec<u8>> {
    let mut file = files::open_regular(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(most))).ok()?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Shows the last lines of what was printed, without what would steer a terminal.
pub(crate) fn show(printed: &[u8], most: usize) {
    let printed = String::from_utf8_lossy(printed);
    let lines: Vec<&str> = printed.lines().filter(|line| !line.trim().is_empty()).collect();
    for line in &lines[lines.len().saturating_sub(most)..] {
        streams::lines(&format!("    | {}\n", shortened(&plain(line))));
    }
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
    fn only_the_end_of_a_file_is_read_and_a_pipe_is_not_waited_for() {
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
