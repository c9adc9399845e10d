//! The places of the culprit in each order.

use firstbad::CommitGraph;
use firstbad::suspicion::{Changelist, Heuristic, PriorOptions, RankOptions, Ranking, rank};
use firstbad_build::{Loaded, Suspicion, suspects};

use super::instances::Instance;

/// The orders. The first two need no graph.
pub(super) const ORDERS: [&str; 6] =
    ["newest first", "size", "changelog + newest first", "changelog + size", "changelog + distance", "suspiciousness"];

/// A search range, and the test that fails.
pub(super) struct Range<'a> {
    pub(super) history: &'a CommitGraph,
    pub(super) instance: &'a Instance,
    pub(super) test: &'a str,
}

/// The places of a culprit.
pub(super) struct Places {
    /// The place in each order, from 1, or `None` if the changelog filter removes the culprit.
    pub(super) of: [Option<usize>; 6],
    /// The number of suspects that the filter leaves.
    pub(super) left: usize,
}

/// Ranks changes, oldest first, as `rank_suspects` does. In the orders without a graph, a revision without changes, like most
/// merges, comes last.
pub(super) fn places(
    range: &Range<'_>,
    build: &Loaded,
    before: Option<&Loaded>,
    changes: &[Changelist],
) -> Result<Places, String> {
    let words = |error: firstbad::Error| error.to_string();
    let id = |node| range.history.id(node).to_owned();
    let before = before.map(|before| &before.graph);
    let (bad, good) = ([id(range.instance.bad)], [id(range.instance.good)]);
    let (tests, options) = ([range.test.to_owned()], PriorOptions::default());
    let given = Suspicion {
        build: &build.graph,
        revisions: None,
        before,
        graphs: &[],
        changes,
        tests: &tests,
        bad: &bad,
        good: &good,
        options: &options,
        content: false,
    };
    let ranking = suspects(range.history, &given).map_err(words)?.ranking;
    let by = |by: Heuristic| {
        rank(&build.graph, changes, &tests, &RankOptions { by, before, ..RankOptions::default() }).map_err(words)
    };
    let culprit = id(range.instance.culprit);
    let place = |ranking: &Ranking| ranking.place(&culprit).map(|place| place + 1);
    let mut newest: Vec<&Changelist> = changes.iter().rev().collect();
    let last = range.instance.suspects.len();
    let position = |order: &[&Changelist]| {
        Some(order.iter().position(|change| change.id == culprit).map_or(last, |place| place + 1))
    };
    let newest_first = position(&newest);
    newest.sort_by_key(|change| std::cmp::Reverse(change.files.len()));
    let of = [
        newest_first,
        position(&newest),
        place(&by(Heuristic::Changelog)?),
        place(&by(Heuristic::Size)?),
        place(&by(Heuristic::Distance)?),
        place(&ranking),
    ];
    Ok(Places { of, left: ranking.suspects.len() })
}
