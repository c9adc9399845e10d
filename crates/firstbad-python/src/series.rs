//! Dependencies of hunks in a series of patches.

use firstbad::Error;
use firstbad::patch::{self, Reach};
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::patch::Patch;

type Id = (usize, usize, Option<usize>);

/// Returns the dependencies of each hunk on earlier patches.
#[pyfunction]
pub(crate) fn hunk_dependencies(
    py: Python<'_>,
    patches: Vec<PyRef<'_, Patch>>,
    reach: &str,
) -> PyResult<Vec<(Id, Vec<Id>)>> {
    let reach = match reach {
        "context" => Reach::Context,
        "touched" => Reach::Touched,
        other => return Err(Error::invalid("reach", other, "\"context\" or \"touched\"")).or_raise(py),
    };
    let patches: Vec<firstbad::Patch> = patches.iter().map(|patch| patch.shared().clone()).collect();
    let id = |id: patch::HunkId| (id.patch, id.file, id.hunk);
    let found = patch::hunk_dependencies(&patches, reach).or_raise(py)?;
    Ok(found.into_iter().map(|one| (id(one.of), one.needs.into_iter().map(id).collect())).collect())
}
