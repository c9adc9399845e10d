//! `Ranking` and `CommitRanking`: suspects and a prior from their ranks. `Factor`: other evidence for or against a changelist.

use std::collections::BTreeMap;

use firstbad::suspicion::{Changelist, FactorConfig, PriorOptions, fit_sharpness as fit};
use firstbad::{Error, json};
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::graph::CommitGraph;

/// Suspects in descending order of suspicion.
#[pyclass(frozen, eq, module = "firstbad._native")]
#[derive(PartialEq)]
pub(crate) struct Ranking {
    pub(crate) ranking: firstbad::suspicion::Ranking,
}

/// Weights by change, or by revision.
pub(crate) type Weights = BTreeMap<String, f64>;

/// The options, passed by the Python package as separate values.
type Options = (String, f64, f64, f64, bool, Weights);

fn options((by, sharpness, floor, unlikely, exclude, factors): Options) -> Result<PriorOptions, Error> {
    Ok(PriorOptions { by: by.parse()?, sharpness, floor, unlikely, exclude, factors })
}

#[pymethods]
impl Ranking {
    fn __len__(&self) -> usize {
        self.ranking.suspects.len()
    }

    /// Returns the card of the ranking.
    fn card(&self) -> String {
        firstbad_report::card::ranking(&self.ranking)
    }

    /// Returns the ranking as JSON.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        json::text(&self.ranking).or_raise(py)
    }

    /// Reads a ranking from JSON.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        Ok(Ranking { ranking: json::argument("text", text).or_raise(py)? })
    }

    fn text(&self, most: usize) -> String {
        firstbad_report::ranking_text(&self.ranking, most)
    }

    fn markdown(&self, most: usize) -> String {
        firstbad_report::ranking_markdown(&self.ranking, most)
    }

    /// Returns a weight for every change.
    fn prior(&self, py: Python<'_>, given: Options) -> PyResult<Weights> {
        options(given).and_then(|options| self.ranking.prior(&options)).or_raise(py)
    }

    /// Returns an optional weight for every suspect of a search, and an optional warning.
    fn prior_in(
        &self,
        py: Python<'_>,
        history: &CommitGraph,
        bad: Vec<String>,
        good: Vec<String>,
        given: Options,
    ) -> PyResult<(Option<Weights>, Option<String>)> {
        let made = options(given)
            .and_then(|options| self.ranking.prior_in(&history.graph, &bad, &good, &options))
            .or_raise(py)?;
        Ok((made.weights, made.warning))
    }
}

/// Suspects in descending order of probability.
#[pyclass(frozen, eq, module = "firstbad._native")]
#[derive(PartialEq)]
pub(crate) struct CommitRanking {
    ranking: firstbad::suspicion::CommitRanking,
}

impl CommitRanking {
    pub(crate) fn of(ranking: firstbad::suspicion::CommitRanking) -> Self {
        CommitRanking { ranking }
    }
}

#[pymethods]
impl CommitRanking {
    fn __len__(&self) -> usize {
        self.ranking.suspects.len()
    }

    /// Returns the card of the ranking.
    fn card(&self) -> String {
        firstbad_report::card::content_ranking(&self.ranking)
    }

    /// Returns the ranking as JSON.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        json::text(&self.ranking).or_raise(py)
    }

    /// Reads a ranking from JSON.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        Ok(CommitRanking { ranking: json::argument("text", text).or_raise(py)? })
    }

    /// Returns the weights and reasons for a search as JSON.
    fn prior(&self, py: Python<'_>) -> PyResult<String> {
        json::text(&self.ranking.prior()).or_raise(py)
    }

    fn message(&self) -> String {
        self.ranking.message()
    }

    fn text(&self, most: usize) -> String {
        firstbad_report::content_text(&self.ranking, most)
    }

    fn markdown(&self, most: usize) -> String {
        firstbad_report::content_markdown(&self.ranking, most)
    }
}

/// Returns the sharpness that fits past rankings, each with its culprit.
#[pyfunction]
pub(crate) fn fit_sharpness(
    py: Python<'_>,
    cases: Vec<(PyRef<'_, Ranking>, String)>,
    by: &str,
    floor: f64,
) -> PyResult<f64> {
    PriorOptions { floor, ..PriorOptions::default() }.check().or_raise(py)?;
    let cases: Vec<_> = cases.iter().map(|(ranking, culprit)| (&ranking.ranking, culprit.as_str())).collect();
    Ok(fit(&cases, by.parse().or_raise(py)?, floor))
}

/// A function of a changelist.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Factor {
    factor: firstbad::suspicion::Factor,
}

#[pymethods]
impl Factor {
    /// Reads a factor from JSON.
    #[new]
    fn new(py: Python<'_>, config: &str) -> PyResult<Self> {
        let config: FactorConfig = json::argument("factor", config).or_raise(py)?;
        Ok(Factor { factor: firstbad::suspicion::Factor::new(config).or_raise(py)? })
    }

    /// Returns the factor of a changelist, given as JSON.
    fn of(&self, py: Python<'_>, changelist: &str) -> PyResult<f64> {
        let changelist: Changelist = json::argument("changelist", changelist).or_raise(py)?;
        Ok(self.factor.of(&changelist))
    }
}
