//! Where the culprit comes in each order.

use std::sync::Arc;

use firstbad::CommitGraph;
use firstbad::suspicion::{BuildGraph, Changelist, Heuristic, PriorOptions, RankOptions, Ranking, rank};
use firstbad_build::{Loaded, Suspicion, suspects};

use super::instances::Instance;

/// What is measured of an order: the culprit first, among the first five, and the mean of 1 / place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hit {
    pub(super) first: f64,
    pub(super) first_five: f64,
    pub(super) reciprocal: f64,
}

impl Hit {
    /// For a place, from 1; all 0 if the culprit is not in the order (`None`).
    fn at(place: Option<usize>) -> Hit {
        let Some(place) = place else { return Hit::default() };
        let yes = |holds: bool| f64::from(u8::from(holds));
        Hit { first: yes(place == 1), first_five: yes(place <= 5), reciprocal: 1.0 / place as f64 }
    }

    /// What a random order of `count` gives on average.
    fn random(count: usize) -> Hit {
        let count = count as f64;
        let harmonic: f64 = (1..=count as usize).map(|place| 1.0 / place as f64).sum();
        Hit { first: 1.0 / count, first_five: (5.0 / count).min(1.0), reciprocal: harmonic / count }
    }
}

/// The orders, by their names: the first three need no graph.
pub(super) const ORDERS: [&str; 8] = [
    "random",
    "newest first",
    "size, no graph",
    "changelog, random",
    "changelog, newest first",
    "changelog, size",
    "distance",
    "suspiciousness",
];

/// All orders on one instance.
#[derive(Debug)]
pub(super) struct Ranked {
    pub(super) hits: [Hit; 8],
    /// By suspiciousness; it holds the distances as well.
    pub(super) ranking: Ranking,
    pub(super) culprit: String,
    pub(super) changes: Vec<Changelist>,
    /// The part of the suspects that the changelog filter leaves.
    pub(super) left: f64,
}

impl Ranked {
    /// Whether the filter has taken the culprit away.
    pub(super) fn is_lost(&self) -> bool {
        self.ranking.place(&self.culprit).is_none()
    }
}

/// Where a culprit is looked for, and the test that fails.
pub(super) struct Range<'a> {
    pub(super) history: &'a Arc<CommitGraph>,
    pub(super) instance: &'a Instance,
    pub(super) test: &'a str,
}

/// Ranks changes, oldest first, as `find_culprit` does. A revision without a change of its own, like most merges, comes
/// last in the orders that need no graph.
pub(super) fn ranked(
    range: &Range<'_>,
    build: &Loaded,
    before: Option<&Loaded>,
    changes: Vec<Changelist>,
) -> Result<Ranked, String> {
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
        changes: &changes,
        tests: &tests,
        bad: &bad,
        good: &good,
        options: &options,
        content: false,
    };
    let ranking = suspects(range.history, &given).map_err(words)?.ranking;
    let by = |by: Heuristic| {
        rank(&build.graph, &changes, &tests, &RankOptions { by, before, ..RankOptions::default() }).map_err(words)
    };
    let culprit = id(range.instance.culprit);
    let place = |ranking: &Ranking| ranking.place(&culprit).map(|place| place + 1);
    let count = range.instance.suspects.len();
    let mut newest: Vec<&Changelist> = changes.iter().rev().collect();
    let position = |order: &[&Changelist]| {
        Some(order.iter().position(|change| change.id == culprit).map_or(count, |place| place + 1))
    };
    let newest_first = Hit::at(position(&newest));
    newest.sort_by_key(|change| std::cmp::Reverse(change.files.len()));
    let kept = place(&ranking).is_some();
    let hits = [
        Hit::random(count),
        newest_first,
        Hit::at(position(&newest)),
        if kept { Hit::random(ranking.suspects.len()) } else { Hit::default() },
        Hit::at(place(&by(Heuristic::Changelog)?)),
        Hit::at(place(&by(Heuristic::Size)?)),
        Hit::at(place(&by(Heuristic::Distance)?)),
        Hit::at(place(&ranking)),
    ];
    let left = ranking.suspects.len() as f64 / count as f64;
    Ok(Ranked { hits, ranking, culprit, changes, left })
}

/// Several tests that fail at once: how many, and where the culprit comes by one of them, by the mean of all, and by the
/// product of all scores.
pub(super) struct Several {
    pub(super) tests: usize,
    pub(super) hits: [Hit; 3],
}

/// The culprit's places by one test and by all; `None` if there is only one.
pub(super) fn several(
    graph: &BuildGraph,
    before: Option<&BuildGraph>,
    changes: &[Changelist],
    tests: &[String],
    one: &str,
    culprit: &str,
) -> Result<Option<Several>, String> {
    if tests.len() < 2 {
        return Ok(None);
    }
    let options = RankOptions { before, ..RankOptions::default() };
    let by = |tests: &[String]| rank(graph, changes, tests, &options).map_err(|error| error.to_string());
    let place = |ranking: &Ranking| Hit::at(ranking.place(culprit).map(|place| place + 1));
    let all = by(tests)?;
    // What explains a test not at all may still have broken it, in some way that imports do not show.
    let mut products = vec![0.0; changes.len()];
    for test in tests {
        let single = by(std::slice::from_ref(test))?;
        for (change, product) in changes.iter().zip(&mut products) {
            let suspect = single.place(&change.id).map(|place| &single.suspects[place]);
            *product += suspect.map_or(0.0, |suspect| suspect.score).max(0.01).ln();
        }
    }
    let mut order: Vec<usize> = (0..changes.len()).rev().collect();
    order.sort_by(|&a, &b| products[b].total_cmp(&products[a]));
    let product = order.iter().position(|&place| changes[place].id == culprit).map(|place| place + 1);
    Ok(Some(Several { tests: tests.len(), hits: [place(&by(&[one.to_owned()])?), place(&all), Hit::at(product)] }))
}
