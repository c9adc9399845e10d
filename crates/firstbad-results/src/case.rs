//! Test cases as formats have them.

use std::rc::Rc;

use crate::report::Scope;
use crate::signature::Failure;

/// A test case of a report.
#[derive(Debug, Default)]
pub(crate) struct Case {
    pub(crate) file: Option<String>,
    /// A class, package, or binary.
    pub(crate) class: Option<String>,
    /// The names of the suites, from the outermost one.
    pub(crate) suites: Vec<Rc<str>>,
    pub(crate) name: String,
    /// The id if the report has it.
    pub(crate) id: Option<String>,
    pub(crate) scope: Scope,
    pub(crate) passes: u32,
    pub(crate) fails: u32,
    pub(crate) skipped: bool,
    pub(crate) seconds: Option<f64>,
    pub(crate) failure: Failure,
}
