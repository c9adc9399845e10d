//! Suspects by what they touch, and what counts how much.

use std::path::PathBuf;

use firstbad::suspicion::{Changelist, ContentWeights, PriorOptions, RankOptions, rank};
use firstbad::{Error, json};
use firstbad_git::Past;
use firstbad_store::Store;
use pyo3::prelude::*;

use crate::build_graph::{At, BuildGraph, graphs_at, named};
use crate::errors::OrRaise;
use crate::ranking::ContentRanking;
use crate::repository::Repository;
use crate::work::interruptible;

/// Changes, a JSON array, by what they touch and, with a build graph, by what the tests depend on.
#[pyfunction]
pub(crate) fn rank_content(
    py: Python<'_>,
    changes: &str,
    tests: Vec<String>,
    weights: Option<&str>,
    build_graph: Option<&BuildGraph>,
    before: Option<&BuildGraph>,
    graphs: At<'_>,
) -> PyResult<ContentRanking> {
    let changes: Vec<Changelist> = json::argument("changes", changes).or_raise(py)?;
    let weights = given(weights).or_raise(py)?;
    let content = firstbad::suspicion::rank_content(&changes, &tests, &weights).or_raise(py)?;
    let Some(build) = build_graph else { return Ok(ContentRanking::of(content)) };
    let graphs = graphs_at(&graphs);
    let options =
        RankOptions { before: before.map(BuildGraph::graph), graphs: &named(&graphs), ..RankOptions::default() };
    let ranking = rank(build.graph(), &changes, &tests, &options).or_raise(py)?;
    let prior = ranking.prior(&PriorOptions::default()).or_raise(py)?;
    Ok(ContentRanking::of(content.with_build_graph(&ranking, &prior)))
}

/// What was fitted on recorded histories, as JSON.
#[pyfunction]
pub(crate) fn content_weights(py: Python<'_>) -> PyResult<String> {
    json::text(&ContentWeights::DEFAULT).or_raise(py)
}

/// Weights learned from culprits, a JSON array, or from those that the history of `tip` names, and from the outcomes in a
/// store; as JSON.
#[pyfunction]
pub(crate) fn fit_content(
    py: Python<'_>,
    repository: &Repository,
    culprits: Option<&str>,
    tip: String,
    weights: Option<&str>,
    store: Option<PathBuf>,
) -> PyResult<String> {
    let begin = given(weights).or_raise(py)?;
    let repository = repository.inner.clone();
    let culprits: Option<Vec<_>> = culprits.map(|text| json::argument("culprits", text)).transpose().or_raise(py)?;
    let work = move || {
        let outcomes = store.map(|path| Store::existing(path)?.past()).transpose()?.unwrap_or_default();
        repository.fit(&Past { culprits, tip, outcomes }, &begin)
    };
    json::text(&interruptible(py, work, drop)?.or_raise(py)?).or_raise(py)
}

fn given(weights: Option<&str>) -> Result<ContentWeights, Error> {
    weights.map_or(Ok(ContentWeights::DEFAULT), |text| json::argument("weights", text))
}
