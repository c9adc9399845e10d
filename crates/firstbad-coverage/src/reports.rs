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

/// The options for reading reports. Every field has a default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CoverageOptions {
    /// The format of the reports. If `None`, it is detected from their content.
    pub format: Option<CoverageFormat>,
    /// The folder in which the reports were made. An absolute path is the top of the repository on the machine that made them. A
    /// relative path is the folder in the repository that their relative paths start at. If `None`, the top of the repository.
    pub root: Option<String>,
}

/// One or more reports. A line is covered if any report covers it.
#[derive(Debug)]
pub struct Reports {
    format: Option<CoverageFormat>,
    collected: Collected,
    /// The number of reports.
    count: usize,
}

impl Reports {
    /// Creates an empty collection for the repository whose worktree is `top`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the root is outside the repository.
    pub fn new(top: &str, options: &CoverageOptions) -> Result<Reports, Error> {
        let root = Root::new(top, options.root.as_deref()).ok_or_else(|| {
            let expected = "a folder of the repository, or the absolute path that the repository had";
            Error::invalid(format!("{ARGUMENT}.root"), &options.root, expected)
        })?;
        let (lines, ranges) = (CoveredLines::new(), Ranges::default());
        let collected = Collected { root, lines, ranges, outside: None };
        Ok(Reports { format: options.format, collected, count: 0 })
    }

    /// Adds a report. Errors refer to the report as `name`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `coverage` with the location in the report, if the report is invalid or larger than 128
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
            wrong(format_args!("{name}, line {line}"), "bytes that are not UTF-8", "text as UTF-8")
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

    /// Returns the covered lines of all reports. V8 reports need `content`, which must read from the revision that the reports
    /// were made for.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if no file of the reports is in the repository, or if a V8 report describes a file with other
    /// content. Also the errors of `content`.
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
            let found = outside.map_or("no files".to_owned(), |file| format!("{file}, but no file of the repository"));
            let expected = "files of the repository. Set `root` to the repository's folder at the time of the reports";
            return Err(wrong("all reports", &found, expected));
        }
        Ok(all)
    }
}
