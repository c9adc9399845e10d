//! Texts in pieces, and the trees of their lines.

use firstbad::json;
use std::borrow::Cow;
use std::collections::BTreeMap;

use firstbad::reduction::KnownParts;
use firstbad::reduction::Need;
use firstbad_journal::Session;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::changes::change_set;
use crate::errors::OrRaise;
use crate::pace::Step;
use crate::probe::Probe;
use crate::search::{Search, stands};

/// [`Need`] in its Python form.
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

/// Converts lines for the core. Invalid UTF-8 can be replaced, because only whitespace and brackets matter.
fn texts<'a>(lines: &'a [Bound<'_, PyString>]) -> Vec<Cow<'a, str>> {
    lines.iter().map(|line| line.to_string_lossy()).collect()
}

/// Returns the parent of each line, and the dependencies of lines.
#[pyfunction]
pub(crate) fn outline(lines: Vec<Bound<'_, PyString>>) -> (Vec<Option<usize>>, BTreeMap<usize, Vec<Needed>>) {
    let (parents, dependencies) = firstbad::text::outline(texts(&lines).iter().map(AsRef::as_ref));
    let needed = |(line, needs): (usize, Vec<Need>)| (line, needs.into_iter().map(Needed::from).collect());
    (parents, dependencies.into_iter().map(needed).collect())
}

/// A text in pieces, with the outcomes of parts that are known without a run.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Text {
    text: firstbad::Text,
    known: KnownParts,
    /// The names of the files, or `None` for a single text.
    #[pyo3(get)]
    names: Option<Vec<String>>,
}

impl Text {
    /// Returns the text of the core.
    pub(crate) fn shared(&self) -> &firstbad::Text {
        &self.text
    }

    fn files<'py>(&self, py: Python<'py>, kept: &firstbad::ChangeSet) -> Vec<Bound<'py, PyBytes>> {
        self.text.files_of(kept).iter().map(|file| PyBytes::new(py, file)).collect()
    }
}

#[pymethods]
impl Text {
    #[new]
    fn new(
        py: Python<'_>,
        files: Vec<Vec<u8>>,
        names: Option<Vec<String>>,
        fine: bool,
        language: Option<&str>,
    ) -> PyResult<Self> {
        let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
        let text = firstbad::Text::of_files(&files, fine).or_raise(py)?;
        let known = firstbad_git::known_texts(&text, language).or_raise(py)?;
        Ok(Text { text, known, names })
    }

    /// Gives the known outcomes to a search among the pieces.
    fn known_to(&self, search: &Bound<'_, Search>) -> PyResult<()> {
        let known = self.known.clone();
        let know = move |session: &mut Session| {
            session.know_parts(known);
            Ok(())
        };
        search.get().step(search.py(), Step::Disk, know, stands)
    }

    fn __len__(&self) -> usize {
        self.text.len()
    }

    fn digest(&self) -> Option<String> {
        self.text.digest()
    }

    /// Returns each file with only these pieces.
    fn subset<'py>(&self, pieces: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let kept = change_set("indices", pieces, Some(self.text.len()))?;
        Ok(self.files(pieces.py(), &kept))
    }

    /// Returns each file with the pieces of a probe.
    fn pick<'py>(&self, py: Python<'py>, probe: &Probe) -> Vec<Bound<'py, PyBytes>> {
        let all = || firstbad::ChangeSet::all(self.text.len());
        self.files(py, &probe.target.changes.clone().unwrap_or_else(all))
    }
}

/// Adds the options that the lines of a text imply to the options of a reduction.
#[pyfunction]
pub(crate) fn options_in_lines(py: Python<'_>, options: &str, items: Vec<Bound<'_, PyAny>>) -> PyResult<String> {
    let mut lines: Vec<Cow<'_, [u8]>> = Vec::new();
    for (place, item) in items.iter().enumerate() {
        let line = match (item.cast::<PyString>(), item.cast::<PyBytes>()) {
            (Ok(text), _) => Cow::Owned(text.to_string_lossy().into_owned().into_bytes()),
            (_, Ok(bytes)) => Cow::Borrowed(bytes.as_bytes()),
            _ => return Ok(options.to_owned()),
        };
        if !line.ends_with(b"\n") && place + 1 < items.len() {
            return Ok(options.to_owned());
        }
        lines.push(line);
    }
    let lines: Vec<&[u8]> = lines.iter().map(AsRef::as_ref).collect();
    let configuration =
        json::argument("options", options).and_then(|options| firstbad::reduction::options_in_lines(&options, &lines));
    configuration.and_then(|configuration| json::text(&configuration)).or_raise(py)
}

/// Adds the options that the text implies to the options of a reduction.
#[pyfunction]
pub(crate) fn options_in_text(py: Python<'_>, options: &str, text: PyRef<'_, Text>) -> PyResult<String> {
    let configuration = json::argument("options", options)
        .and_then(|options| firstbad::reduction::options_in_text(&options, &text.text));
    configuration.and_then(|configuration| json::text(&configuration)).or_raise(py)
}
