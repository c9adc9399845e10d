//! Reports, taken together.

use std::collections::BTreeMap;

use firstbad::Error;
use serde::{Deserialize, Serialize};

use crate::format::CoverageFormat;
use crate::paths::Root;
use crate::v8::Ranges;
use crate::wrong::{ARGUMENT, wrong};
use crate::{cobertura, coverage_py, lcov, plain, v8};

/// The lines that ran, from 1 and in order, of each file, from the top of the repository.
pub type CoveredLines = BTreeMap<String, Vec<u32>>;

/// What a file has at a revision; `None` where there is no such file.
pub type Contents<'a> = dyn FnMut(&str) -> Result<Option<Vec<u8>>, Error> + 'a;

/// How reports are read. Every field has a default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CoverageOptions {
    /// How the reports are written. None: their content says it.
    pub format: Option<CoverageFormat>,
    /// The folder that they were made under. An absolute one was the repository's top, on the machine that made them; a
    /// relative one is the folder of the repository that their relative paths start at. None: the repository's top.
    pub root: Option<String>,
}

/// The largest report that is read, in bytes: far more than tools write, and some times that in memory.
pub(crate) const LARGEST_REPORT: usize = 128 << 20;

/// The last line that a report may name: longer programs do not fit into a file that is read.
pub(crate) const LAST_LINE: u32 = LARGEST_REPORT as u32;

/// Reports of one run or of several: a line counts that one of them has.
#[derive(Debug)]
pub struct Reports {
    format: Option<CoverageFormat>,
    root: Root,
    lines: CoveredLines,
    ranges: Ranges,
    /// How many reports there are.
    count: usize,
    /// A file of a report that is not in the repository.
    outside: Option<String>,
}

impl Reports {
    /// No reports yet, for a repository whose work tree is in `top`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a root that leads out of the repository.
    pub fn new(top: &str, options: &CoverageOptions) -> Result<Reports, Error> {
        let root = Root::new(top, options.root.as_deref()).ok_or_else(|| {
            let expected = "a folder of the repository, or the absolute path that the repository had";
            Error::invalid(format!("{ARGUMENT}.root"), &options.root, expected)
        })?;
        let (lines, ranges) = (CoveredLines::new(), Ranges::default());
        Ok(Reports { format: options.format, root, lines, ranges, count: 0, outside: None })
    }

    /// Adds a report; `name` is what errors call it.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] that names `coverage` and the place in the report, for what is none or is larger than 128
    /// MiB.
    pub fn add(&mut self, name: &str, report: &[u8]) -> Result<(), Error> {
        if report.len() > LARGEST_REPORT {
            return Err(wrong(
                name,
                &format!("{} bytes", report.len()),
                format!("at most {} MiB", LARGEST_REPORT >> 20),
            ));
        }
        let report = report.strip_prefix(b"\xef\xbb\xbf").unwrap_or(report);
        let text = std::str::from_utf8(report).map_err(|error| {
            let line = report[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
            wrong(format_args!("{name}, line {line}"), "bytes that are no text", "text as UTF-8")
        })?;
        let format = self.format.map_or_else(|| CoverageFormat::of(name, text), Ok)?;
        self.count += 1;
        match format {
            CoverageFormat::Lcov => lcov::read(name, text, self),
            CoverageFormat::CoveragePy => coverage_py::read(name, text, self),
            CoverageFormat::Cobertura => cobertura::read(name, text, self),
            CoverageFormat::V8 => v8::read(name, text, self),
            CoverageFormat::Lines => plain::read(name, text, self),
        }
    }

    /// The lines of all reports. `content` is of the revision that the reports were made of: those of V8 need it.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if no file of the reports is in the repository, or for a report of V8 about a file with
    /// another content; those of `content`.
    pub fn lines(mut self, content: &mut Contents<'_>) -> Result<CoveredLines, Error> {
        for (file, lines) in std::mem::take(&mut self.ranges).lines(content)? {
            self.lines.entry(file).or_default().extend(lines);
        }
        for lines in self.lines.values_mut() {
            lines.sort_unstable();
            lines.dedup();
        }
        if self.lines.is_empty() && self.count > 0 {
            let found =
                self.outside.map_or("no files".to_owned(), |file| format!("{file} and no file of the repository"));
            let expected = "files below the repository's top; `root` says where that was when the reports were made";
            return Err(wrong("all reports", &found, expected));
        }
        Ok(self.lines)
    }

    /// Where the lines of a file go; nowhere for a file that is not in the repository.
    pub(crate) fn file(&mut self, path: &str) -> Option<&mut Vec<u32>> {
        let file = self.known(path)?;
        Some(self.lines.entry(file).or_default())
    }

    /// Adds a line of a file that is [known](Reports::known).
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

    /// What of V8's reports waits for the contents of files.
    pub(crate) fn ranges(&mut self) -> &mut Ranges {
        &mut self.ranges
    }
}
