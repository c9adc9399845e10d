//! The tree that the lines of a text form.

use std::borrow::Cow;
use std::collections::BTreeMap;

use firstbad::reduction::Need;
use pyo3::prelude::*;
use pyo3::types::PyString;

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

/// For each line its parent, and what lines need.
#[pyfunction]
pub(crate) fn outline(lines: Vec<Bound<'_, PyString>>) -> (Vec<Option<usize>>, BTreeMap<usize, Vec<Needed>>) {
    // Only blanks and brackets matter, so that what is no UTF-8 may be replaced.
    let texts: Vec<Cow<'_, str>> = lines.iter().map(|line| line.to_string_lossy()).collect();
    let (parents, dependencies) = firstbad::reduction::outline(texts.iter().map(AsRef::as_ref));
    let needed = |(line, needs): (usize, Vec<Need>)| (line, needs.into_iter().map(Needed::from).collect());
    (parents, dependencies.into_iter().map(needed).collect())
}
