//! The command line, for the console script.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command line with these arguments, the program's name not among them; its exit code. Nothing of Python runs
/// until it is over, and Ctrl-C is the command line's own, which ends what it has started: Python would only note it down.
#[pyfunction]
pub(crate) fn cli(py: Python<'_>, args: Vec<OsString>) -> PyResult<i32> {
    // What `signal` is made of; `signal` itself loads `enum`, which takes as long as starting Python.
    let signal = py.import("_signal")?;
    signal.call_method1("signal", (signal.getattr("SIGINT")?, signal.getattr("SIG_DFL")?))?;
    Ok(py.detach(|| firstbad_cli::main(std::iter::once("firstbad".into()).chain(args))))
}
