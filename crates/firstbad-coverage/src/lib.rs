//! Reads reports of coverage tools as the covered lines of each file. A history slice can start from these lines (CSlicer).
//!
//! [`Reports`] reads lcov tracefiles, `coverage json` of coverage.py, Cobertura XML, the `NODE_V8_COVERAGE` folder of Node, and a
//! plain JSON object of files with their lines. It never runs code. If a report is too large or invalid, the error names the
//! argument and the location in the file.
//!
//! ```
//! use firstbad_coverage::{CoverageOptions, Reports};
//!
//! let mut reports = Reports::new("/home/me/shop", &CoverageOptions::default())?;
//! reports.add("lcov.info", b"SF:/home/me/shop/prices.js\nDA:1,5\nDA:2,0\nDA:3,5\nend_of_record\n")?;
//! let lines = reports.lines(&mut |_| Ok(None))?;
//! assert_eq!(lines["prices.js"], [1, 3]);
//! # Ok::<(), firstbad::Error>(())
//! ```

mod cobertura;
mod collected;
mod coverage_py;
mod files;
mod format;
mod given;
mod json;
mod lcov;
mod limits;
mod lines;
mod paths;
mod plain;
mod ranges;
mod reports;
mod v8;
mod wrong;

pub use format::CoverageFormat;
pub use given::CoverageGiven;
pub use lines::{Contents, CoveredLines};
pub use reports::{CoverageOptions, Reports};
