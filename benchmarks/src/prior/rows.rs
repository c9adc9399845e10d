//! What searches of one instance took, in each way.

use std::collections::{BTreeMap, HashMap};

/// The ways to search, in the order of a row's queries. The first is git's.
pub(super) const WAYS: [&str; 4] = ["git", "all alike", "by what they touch", "and the test's name"];

/// What one instance took.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) project: String,
    pub(super) swapped: bool,
    /// Whether a suspect is unresolved.
    pub(super) unresolved: bool,
    /// Whether outcomes come and go among the suspects: then there is more than one regression point to come to.
    pub(super) returns: bool,
    /// What was found with all alike: instances with one culprit count as one.
    pub(super) culprit: String,
    pub(super) runs: [usize; WAYS.len()],
    /// Whether every parent of the answer was seen to pass, in each way of ours.
    pub(super) clean: [bool; WAYS.len()],
    /// How far the answer is from the leaf, in edges, in each way of ours.
    pub(super) distances: [Option<u32>; WAYS.len()],
    /// What was not sound.
    pub(super) violations: Vec<String>,
}

impl Row {
    /// How many queries a prior cost, with the test's name or without, whichever is more.
    pub(super) fn loss(&self) -> i64 {
        self.runs[2].max(self.runs[3]) as i64 - self.runs[1] as i64
    }
}

/// The mean queries of each way by project: instances with one culprit count as one.
pub(super) fn by_project<'r>(rows: impl Iterator<Item = &'r Row>) -> BTreeMap<&'r str, [f64; WAYS.len()]> {
    let mut cases: HashMap<(&str, &str), Vec<&Row>> = HashMap::new();
    for row in rows {
        cases.entry((&row.project, &row.culprit)).or_default().push(row);
    }
    let mut projects: BTreeMap<&str, Vec<[f64; WAYS.len()]>> = BTreeMap::new();
    for ((project, _), rows) in cases {
        let mean = |way: usize| rows.iter().map(|row| row.runs[way] as f64).sum::<f64>() / rows.len() as f64;
        projects.entry(project).or_default().push(std::array::from_fn(mean));
    }
    let mean = |means: Vec<[f64; WAYS.len()]>| {
        std::array::from_fn(|way| means.iter().map(|mean| mean[way]).sum::<f64>() / means.len() as f64)
    };
    projects.into_iter().map(|(project, means)| (project, mean(means))).collect()
}
