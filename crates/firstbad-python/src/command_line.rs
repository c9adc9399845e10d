//! The command line, for the console script.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command line with these arguments, the program's name not among them; its exit code. Nothing of Python runs
/// until it is over: Ctrl-C is the command line's own, where Python's handler is not in its way.
#[pyfunction]
pub(crate) fn cli(py: Python<'_>, args: Vec<OsString>) -> i32 {
    py.detach(|| firstbad_cli::main(std::iter::once("firstbad".into()).chain(args)))
}
