//! Reading reports from the disk.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use firstbad::Error;

use crate::limits::LARGEST_REPORT;
use crate::reports::Reports;
use crate::wrong::{ARGUMENT, wrong};

/// The greatest number of reports. Node writes one for each process.
const MOST_REPORTS: usize = 10_000;

/// The greatest total size of the reports in bytes.
const MOST_BYTES: usize = 512 << 20;

impl Reports {
    /// Adds reports from files. If a path is a folder, adds all its `.json` files, as written for `NODE_V8_COVERAGE`.
    ///
    /// # Errors
    /// - [`Error::InvalidArgument`] if `paths` is empty, if a folder has no such files, or if there are more than 10,000 reports
    ///   or 512 MiB.
    /// - [`Error::Io`] if a file cannot be read.
    /// - The errors of [`Reports::add`].
    pub fn read(&mut self, paths: &[PathBuf]) -> Result<(), Error> {
        let mut files = Vec::new();
        for path in paths {
            if path.is_dir() {
                files.extend(folder(path)?)
            } else {
                files.push(path.clone())
            }
            if files.len() > MOST_REPORTS {
                return Err(wrong(path.display(), "more reports", format!("at most {MOST_REPORTS}")));
            }
        }
        if files.is_empty() {
            return Err(Error::invalid(ARGUMENT, paths, "the path of a report, or several"));
        }
        let mut left = MOST_BYTES;
        for path in files {
            let report = content(&path).map_err(|error| failed(&path, &error))?;
            left = left.checked_sub(report.len()).ok_or_else(|| {
                wrong(path.display(), "more bytes", format!("reports of at most {} MiB in all", MOST_BYTES >> 20))
            })?;
            self.add(&path.display().to_string(), &report)?;
        }
        Ok(())
    }
}

/// Returns the reports in a folder, sorted by name.
fn folder(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).map_err(|error| failed(path, &error))? {
        let file = entry.map_err(|error| failed(path, &error))?.path();
        if file.extension().is_some_and(|extension| extension == "json") {
            found.push(file);
        }
        if found.len() > MOST_REPORTS {
            return Err(wrong(path.display(), "more files", format!("at most {MOST_REPORTS} reports")));
        }
    }
    found.sort_unstable();
    match found.is_empty() {
        true => {
            Err(wrong(path.display(), "a folder without them", "a report, or a folder with reports of V8 (*.json)"))
        }
        false => Ok(found),
    }
}

/// Reads a report, up to one byte more than the limit.
fn content(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(LARGEST_REPORT as u64 + 1).read_to_end(&mut content)?;
    Ok(content)
}

fn failed(path: &Path, error: &std::io::Error) -> Error {
    Error::Io { action: format!("reading the coverage in {}", path.display()), message: error.to_string() }
}
