//! Texts in pieces, and the tree that their lines form.

use std::borrow::Cow;
use std::collections::BTreeMap;

use firstbad::reduction::Need;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::changes::change_set;
use crate::errors::OrRaise;
use crate::json::{parsed, text as written};
use crate::probe::Probe;

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
    let (parents, dependencies) = firstbad::text::outline(texts(&lines).iter().map(AsRef::as_ref));
    let needed = |(line, needs): (usize, Vec<Need>)| (line, needs.into_iter().map(Needed::from).collect());
    (parents, dependencies.into_iter().map(needed).collect())
}

/// A text in pieces.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Text {
    text: firstbad::Text,
}

impl Text {
    /// The text of the core.
    pub(crate) fn shared(&self) -> &firstbad::Text {
        &self.text
    }
}

#[pymethods]
impl Text {
    #[new]
    fn new(py: Python<'_>, content: Vec<u8>, fine: bool) -> PyResult<Self> {
        Ok(Text { text: firstbad::Text::parse(&content, fine).or_raise(py)? })
    }

    fn __len__(&self) -> usize {
        self.text.len()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.text.as_bytes())
    }

    /// The text with these pieces alone.
    fn subset<'py>(&self, pieces: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let kept = change_set("indices", pieces, Some(self.text.len()))?;
        Ok(PyBytes::new(pieces.py(), &self.text.subset(&kept)))
    }

    /// The text with the pieces that are asked for.
    fn pick<'py>(&self, py: Python<'py>, probe: &Probe) -> Bound<'py, PyBytes> {
        let all = || firstbad::ChangeSet::all(self.text.len());
        PyBytes::new(py, &self.text.subset(&probe.target.changes.clone().unwrap_or_else(all)))
    }
}

/// The options of a reduction with what the text says itself.
#[pyfunction]
pub(crate) fn options_in_text(py: Python<'_>, options: &str, text: PyRef<'_, Text>) -> PyResult<String> {
    let configuration = parsed(options).and_then(|options| firstbad::reduction::options_in_text(&options, &text.text));
    configuration.and_then(|configuration| written(&configuration)).or_raise(py)
}
