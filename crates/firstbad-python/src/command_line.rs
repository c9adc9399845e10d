//! The command line, for the console script.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command line with these arguments, without the name of the program, and returns its exit code. Blocks Python until it
/// ends. The command line handles Ctrl-C itself and ends its processes. Python would only record the signal.
#[pyfunction]
pub(crate) fn cli(py: Python<'_>, args: Vec<OsString>) -> PyResult<i32> {
    // The module `signal` imports `enum`, which takes as long as starting Python.
    let signal = py.import("_signal")?;
    signal.call_method1("signal", (signal.getattr("SIGINT")?, signal.getattr("SIG_DFL")?))?;
    Ok(py.detach(|| firstbad_cli::main(std::iter::once("firstbad".into()).chain(args))))
}
