//! What reports say, taken together.

use crate::lines::CoveredLines;
use crate::paths::Root;
use crate::ranges::Ranges;

/// What was read of reports so far.
#[derive(Debug)]
pub(crate) struct Collected {
    pub(crate) root: Root,
    pub(crate) lines: CoveredLines,
    /// What of V8's reports waits for the contents of files.
    pub(crate) ranges: Ranges,
    /// A file of a report that is not in the repository.
    pub(crate) outside: Option<String>,
}

impl Collected {
    /// Where the lines of a file go; nowhere for a file that is not in the repository.
    pub(crate) fn file(&mut self, path: &str) -> Option<&mut Vec<u32>> {
        let file = self.known(path)?;
        Some(self.lines.entry(file).or_default())
    }

    /// Adds a line of a file that is [known](Collected::known).
    pub(crate) fn add_line(&mut self, file: &str, line: u32) {
        match self.lines.get_mut(file) {
            // Reports repeat a line for each method or branch.
            Some(lines) if lines.last() == Some(&line) => {}
            Some(lines) => lines.push(line),
            None => _ = self.lines.insert(file.to_owned(), vec![line]),
        }
    }

    /// A file by its path in a report, from the top of the repository, if it is in it.
    pub(crate) fn known(&mut self, path: &str) -> Option<String> {
        let file = self.root.file(path);
        if file.is_none() && self.outside.is_none() {
            self.outside = Some(path.to_owned());
        }
        file
    }
}
