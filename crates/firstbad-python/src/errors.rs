//! Converts errors of the core to Python exceptions.

use firstbad::{Details, Error};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Returns the exception for an error. `firstbad._errors.of` maps error codes to classes.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let Details { revision, exit_code, output } = error.details();
    raised(py, error.code(), &firstbad::printable(&error.to_string()), (revision, exit_code, output))
}

/// Returns the exception for a worker thread that panicked.
pub(crate) fn internal(py: Python<'_>) -> PyErr {
    raised(py, "internal", "internal error in firstbad. Please report it with the traceback above", (None, None, None))
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

/// Conversion of the core's results to Python results.
pub(crate) trait OrRaise<T> {
    /// Returns the value, or the exception for the error.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, Error> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| exception(py, &error))
    }
}

/// Returns the error for an invalid argument, with the value and its type.
pub(crate) fn invalid(argument: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let shown = value.repr().map_or_else(|_| "(no repr)".to_owned(), |text| text.to_string_lossy().into_owned());
    let kind = value.get_type().name().map_or_else(|_| String::new(), |name| format!(" ({name})"));
    let shortened: String = shown.chars().take(120).collect();
    let dots = if shortened.len() < shown.len() { "..." } else { "" };
    let error = Error::InvalidArgument {
        argument: argument.to_owned(),
        value: format!("{shortened}{dots}{kind}"),
        expected: expected.to_owned(),
    };
    exception(value.py(), &error)
}
