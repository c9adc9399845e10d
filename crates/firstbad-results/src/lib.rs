//! Reads test reports as the results of each test, and plans commands that run chosen tests.
//!
//! [`read`] recognizes the format of a report: JUnit XML, TAP, the JSON of Jest, Vitest, and Mocha, the lines of Go and of Rust test
//! binaries, or JSON lines. It reads hostile input with limits and never runs code. [`Runner::plan`] turns ids of tests into a command
//! whose results [`Reader`] reads. [`results`] converts reports to the [results](firstbad::TestResult) of an observation.
//!
//! ```
//! use firstbad::Outcome;
//!
//! let xml = br#"<testsuite name="pytest"><testcase classname="shop.test_prices" name="test_total">
//!     <failure message="TypeError: cannot add 3 to 'x'"/></testcase></testsuite>"#;
//! let report = firstbad_results::read(xml)?;
//! let test = &report.tests[0];
//! assert_eq!((test.id.as_str(), test.outcome), ("shop/test_prices.py::test_total", Outcome::Fail));
//! assert_eq!(test.signature.as_deref(), Some("TypeError: cannot add # to '…'"));
//! # Ok::<(), firstbad_results::ResultsError>(())
//! ```

mod case;
mod collector;
mod command;
mod error;
mod format;
mod formats;
mod identify;
pub mod limits;
mod plans;
mod reader;
mod recognition;
mod report;
mod results;
mod runner;
mod rust_id;
pub mod signature;
mod tree;

pub use command::is_limited;
pub use error::ResultsError;
pub use format::Format;
pub use plans::{EnvironmentChange, Place, Plan, PlannedFile, Request, ResultsAt, bazel_label};
pub use reader::{Reader, read};
pub use report::{CaseResult, Report, Scope};
pub use results::{Source, read_results, results};
pub use runner::Runner;
pub use signature::{Failure, signature};
pub use tree::Tree;
