//! Reports, taken together.

use firstbad::Error;
use serde::{Deserialize, Serialize};

use crate::collected::Collected;
use crate::format::CoverageFormat;
use crate::limits::LARGEST_REPORT;
use crate::lines::{Contents, CoveredLines};
use crate::paths::Root;
use crate::ranges::Ranges;
use crate::wrong::{ARGUMENT, wrong};
use crate::{cobertura, coverage_py, lcov, plain, v8};

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

/// Reports of one run or of several: a line counts that one of them has.
#[derive(Debug)]
pub struct Reports {
    format: Option<CoverageFormat>,
    collected: Collected,
    /// How many reports there are.
    count: usize,
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
        let collected = Collected { root, lines, ranges, outside: None };
        Ok(Reports { format: options.format, collected, count: 0 })
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
            CoverageFormat::Lcov => lcov::read(name, text, &mut self.collected),
            CoverageFormat::CoveragePy => coverage_py::read(name, text, &mut self.collected),
            CoverageFormat::Cobertura => cobertura::read(name, text, &mut self.collected),
            CoverageFormat::V8 => v8::read(name, text, &mut self.collected),
            CoverageFormat::Lines => plain::read(name, text, &mut self.collected),
        }
    }

    /// The lines of all reports. `content` is of the revision that the reports were made of: those of V8 need it.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if no file of the reports is in the repository, or for a report of V8 about a file with
    /// another content; those of `content`.
    pub fn lines(self, content: &mut Contents<'_>) -> Result<CoveredLines, Error> {
        let Collected { lines: mut all, ranges, outside, .. } = self.collected;
        for (file, lines) in ranges.lines(content)? {
            all.entry(file).or_default().extend(lines);
        }
        for lines in all.values_mut() {
            lines.sort_unstable();
            lines.dedup();
        }
        if all.is_empty() && self.count > 0 {
            let found = outside.map_or("no files".to_owned(), |file| format!("{file} and no file of the repository"));
            let expected = "files below the repository's top; `root` says where that was when the reports were made";
            return Err(wrong("all reports", &found, expected));
        }
        Ok(all)
    }
}
