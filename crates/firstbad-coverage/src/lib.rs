//! Reports of coverage tools, as the lines of each file that a test runs: where a slice of a history may start (CSlicer).
//!
//! [`Reports`] takes lcov's tracefiles, `coverage json` of coverage.py, Cobertura's XML, the folder of Node's
//! `NODE_V8_COVERAGE`, and a plain JSON object of files with their lines. Nothing is ever run, and what is too large or is not
//! what it should be is refused with an error that names the argument and the place in the file.
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
