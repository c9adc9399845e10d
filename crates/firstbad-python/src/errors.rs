//! The one place where an error of the core becomes a Python exception.

use firstbad::{Details, Error};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The exception for an error: `firstbad._errors.of` knows which class belongs to which code.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let Details { revision, exit_code, output } = error.details();
    raised(py, error.code(), &firstbad::printable(&error.to_string()), (revision, exit_code, output))
}

/// What the worker thread left behind when the core broke a promise of its own.
pub(crate) fn internal(py: Python<'_>) -> PyErr {
    raised(py, "internal", "firstbad failed in itself; please report it, with the traceback above", (None, None, None))
}

fn raised(
    py: Python<'_>,
    code: &str,
    message: &str,
    (revision, exit_code, output): (Option<&str>, Option<i32>, Option<&str>),
) -> PyErr {
    static OF: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let made =
        OF.import(py, "firstbad._errors", "of").and_then(|of| of.call1((code, message, revision, exit_code, output)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Turns a result of the core into one that Python can raise.
pub(crate) trait OrRaise<T> {
    /// The value, or the exception for the error.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, Error> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| exception(py, &error))
    }
}
