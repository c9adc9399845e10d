//! Ranks suspects by the files that they touch.

use firstbad::json;
use firstbad::suspicion::{Changelist, PriorOptions, RankOptions, rank};
use pyo3::prelude::*;

use crate::build_graph::{At, BuildGraph, graphs_at, named};
use crate::errors::OrRaise;
use crate::ranking::CommitRanking;

/// Ranks changes, given as a JSON array, by the files that they touch and, with a build graph, by the dependencies of the tests.
#[pyfunction]
pub(crate) fn rank_commits(
    py: Python<'_>,
    changes: &str,
    tests: Vec<String>,
    build_graph: Option<&BuildGraph>,
    before: Option<&BuildGraph>,
    graphs: At<'_>,
) -> PyResult<CommitRanking> {
    let changes: Vec<Changelist> = json::argument("changes", changes).or_raise(py)?;
    let content = firstbad::suspicion::rank_commits(&changes, &tests).or_raise(py)?;
    let Some(build) = build_graph else { return Ok(CommitRanking::of(content)) };
    let graphs = graphs_at(&graphs);
    let options =
        RankOptions { before: before.map(BuildGraph::graph), graphs: &named(&graphs), ..RankOptions::default() };
    let ranking = rank(build.graph(), &changes, &tests, &options).or_raise(py)?;
    let prior = ranking.prior(&PriorOptions::default()).or_raise(py)?;
    Ok(CommitRanking::of(content.with_build_graph(&ranking, &prior)))
}
