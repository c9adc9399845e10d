//! The tree that the lines of a text form.

use std::borrow::Cow;
use std::collections::BTreeMap;

use firstbad::reduction::Need;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::OrRaise;
use crate::json::{parsed, text};

/// [`Need`] as Python gets it.
#[derive(IntoPyObject)]
pub(crate) enum Needed {
    Item(usize),
    AnyOf(Vec<usize>),
}

impl From<Need> for Needed {
    fn from(need: Need) -> Self {
        match need {
            Need::Item(item) => Needed::Item(item),
            Need::AnyOf(items) => Needed::AnyOf(items),
        }
    }
}

/// Lines as the core takes them: only blanks and brackets matter, so that what is no UTF-8 may be replaced.
fn texts<'a>(lines: &'a [Bound<'_, PyString>]) -> Vec<Cow<'a, str>> {
    lines.iter().map(|line| line.to_string_lossy()).collect()
}

/// For each line its parent, and what lines need.
#[pyfunction]
pub(crate) fn outline(lines: Vec<Bound<'_, PyString>>) -> (Vec<Option<usize>>, BTreeMap<usize, Vec<Needed>>) {
    let (parents, dependencies) = firstbad::reduction::outline(texts(&lines).iter().map(AsRef::as_ref));
    let needed = |(line, needs): (usize, Vec<Need>)| (line, needs.into_iter().map(Needed::from).collect());
    (parents, dependencies.into_iter().map(needed).collect())
}

/// The options of a reduction with what its lines say themselves.
#[pyfunction]
pub(crate) fn options_in_outline(py: Python<'_>, options: &str, lines: Vec<Bound<'_, PyString>>) -> PyResult<String> {
    let lines = texts(&lines);
    let configuration = parsed(options)
        .and_then(|options| firstbad::reduction::options_in_outline(&options, lines.iter().map(AsRef::as_ref)));
    configuration.and_then(|configuration| text(&configuration)).or_raise(py)
}
