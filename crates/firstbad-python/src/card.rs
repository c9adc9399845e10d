//! Cards for notebooks, drawn by the crate `firstbad-report`.

use firstbad::culprit::Hypothesis;
use firstbad::{Report, Spelling};
use firstbad_report::card as core;
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::patch::Patch;
use crate::search::Search;
use crate::text::Text;

/// Returns the card of a report, given as JSON, optionally with its search.
#[pyfunction]
#[pyo3(signature = (algorithm, text, search=None))]
pub(crate) fn card(
    py: Python<'_>,
    algorithm: &str,
    text: String,
    search: Option<PyRef<'_, Search>>,
) -> PyResult<String> {
    match search {
        Some(search) => search.card(py, text),
        None => {
            let mut report = Report::from_json(algorithm, &text).or_raise(py)?;
            report.spell(Spelling::Python);
            Ok(core::report(&report, None))
        }
    }
}

/// Returns the card of a reduction, given as JSON. It is a reduction of a patch, a text, or a number of items, and the remaining
/// items are described in words.
#[pyfunction]
#[pyo3(signature = (algorithm, text, patch=None, source=None, left=None))]
pub(crate) fn reduction_card(
    py: Python<'_>,
    algorithm: &str,
    text: &str,
    patch: Option<PyRef<'_, Patch>>,
    source: Option<PyRef<'_, Text>>,
    left: Option<(usize, Vec<String>)>,
) -> PyResult<String> {
    fn borrowed(texts: &[String]) -> Vec<&str> {
        texts.iter().map(String::as_str).collect()
    }
    let report = Report::from_json(algorithm, text).or_raise(py)?;
    Ok(match (patch, source, left) {
        (Some(patch), ..) => core::reduction(&report, core::Items::Patch(patch.shared())),
        (_, Some(source), _) => core::reduction(&report, core::Items::Text(source.shared())),
        (_, _, Some((all, left))) => core::reduction(&report, core::Items::Shown { all, left: &borrowed(&left) }),
        _ => core::reduction(&report, core::Items::Numbered(None)),
    })
}

/// Returns the card of the current probabilities: the most likely hypotheses, the number of suspects, and the probability of no
/// culprit.
#[pyfunction]
pub(crate) fn belief_card(likeliest: Vec<(Option<String>, f64)>, suspects: usize, no_culprit: f64) -> String {
    let hypothesis = |(revision, probability)| Hypothesis { revision, probability };
    let likeliest: Vec<Hypothesis> = likeliest.into_iter().map(hypothesis).collect();
    core::posterior(&likeliest, suspects, no_culprit)
}

/// Returns the card of a store of outcomes.
#[pyfunction]
pub(crate) fn store_card(outcomes: usize, oracle: &str, version: &str, file: &str) -> String {
    core::store(outcomes, oracle, version, file)
}

/// Returns the card of a journal.
#[pyfunction]
pub(crate) fn journal_card(file: &str, run: &str, events: usize) -> String {
    core::journal(file, run, events)
}

/// Returns a page with a card in it.
#[pyfunction]
pub(crate) fn card_page(card: &str) -> String {
    core::page(card)
}
