//! Test reports.

use std::path::PathBuf;

use firstbad::{Error, json};
use firstbad_results::{Runner, Source};
use pyo3::prelude::*;

use crate::work::released;

/// A report: a file, or its content.
#[derive(FromPyObject)]
pub(crate) enum Given {
    Content(Vec<u8>),
    File(PathBuf),
}

/// Returns the results of the tests in reports by id, as JSON. `root` is the folder that the test command ran in.
#[pyfunction]
pub(crate) fn read_results(
    py: Python<'_>,
    reports: Vec<Given>,
    runner: Option<String>,
    root: PathBuf,
) -> PyResult<String> {
    let source = |given| match given {
        Given::Content(content) => Source::Content(content),
        Given::File(path) => Source::File(path),
    };
    let sources: Vec<Source> = reports.into_iter().map(source).collect();
    let read = move || {
        let runner = runner.map(|name| name.parse::<Runner>()).transpose()?;
        json::text(&firstbad_results::read_results(&sources, runner, &root).map_err(Error::from)?)
    };
    released(py, read, drop)
}
