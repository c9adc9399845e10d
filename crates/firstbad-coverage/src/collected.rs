use crate::lines::CoveredLines;
use crate::paths::Root;
use crate::ranges::Ranges;

/// The data of all reports read so far.
#[derive(Debug)]
pub(crate) struct Collected {
    pub(crate) root: Root,
    pub(crate) lines: CoveredLines,
    /// V8 ranges, which become lines once the contents of the files are known.
    pub(crate) ranges: Ranges,
    /// The first file in a report that is not in the repository.
    pub(crate) outside: Option<String>,
}

impl Collected {
    /// Returns the lines of a file, or `None` if the file is not in the repository.
    pub(crate) fn file(&mut self, path: &str) -> Option<&mut Vec<u32>> {
        let file = self.known(path)?;
        Some(self.lines.entry(file).or_default())
    }

    /// Adds a line of a file that [`Collected::known`] returned.
    pub(crate) fn add_line(&mut self, file: &str, line: u32) {
        match self.lines.get_mut(file) {
            // Reports repeat a line for each method or branch.
            Some(lines) if lines.last() == Some(&line) => {}
            Some(lines) => lines.push(line),
            None => _ = self.lines.insert(file.to_owned(), vec![line]),
        }
    }

    /// Converts a path in a report to a path relative to the top of the repository, or `None` if it is outside.
    pub(crate) fn known(&mut self, path: &str) -> Option<String> {
        let file = self.root.file(path);
        if file.is_none() && self.outside.is_none() {
            self.outside = Some(path.to_owned());
        }
        file
    }
}
