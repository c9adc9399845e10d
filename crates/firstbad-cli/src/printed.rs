//! The last lines of what a test printed, for people.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use firstbad_report::plain;

use crate::streams;

/// How much of the end of a file is looked at, in bytes.
const TAIL: u64 = 64 * 1024;

/// The longest line that is shown whole, in characters.
const LINE: usize = 200;

/// The end of what a test printed; `None` if the file is not there any more.
pub(crate) fn end_of(path: &Path) -> Option<Vec<u8>> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes).ok()?;
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
