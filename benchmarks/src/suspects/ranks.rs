//! Where the culprit comes in each order.

use firstbad::suspicion::{BuildGraph, Changelist, Heuristic, RankOptions, Ranking, rank};

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

/// Ranks changes, oldest first, of which `culprit` is to blame.
pub(super) fn ranked(
    graph: &BuildGraph,
    before: Option<&BuildGraph>,
    changes: Vec<Changelist>,
    test: &str,
    culprit: &str,
) -> Result<Ranked, String> {
    let by =
        |by: Heuristic| rank(graph, &changes, test, &RankOptions { by, before }).map_err(|error| error.to_string());
    let place = |ranking: &Ranking| ranking.place(culprit).map(|place| place + 1);
    let ranking = by(Heuristic::Suspiciousness)?;
    let count = changes.len();
    let mut newest: Vec<&Changelist> = changes.iter().rev().collect();
    let position = |order: &[&Changelist]| order.iter().position(|change| change.id == culprit).map(|place| place + 1);
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
    Ok(Ranked { hits, ranking, culprit: culprit.to_owned(), changes, left })
}
