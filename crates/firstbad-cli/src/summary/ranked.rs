//! Suspects without a test run, as data.

use std::collections::BTreeMap;

use firstbad::suspicion::Ranking;
use serde::Serialize;

/// What is printed (docs/schema/ranking.json).
#[derive(Serialize)]
pub(crate) struct Ranked {
    pub(crate) schema: u32,
    /// Where the build graph comes from.
    pub(crate) graph: String,
    /// How many targets it has.
    pub(crate) targets: usize,
    #[serde(flatten)]
    pub(crate) ranking: Ranking,
    /// What people know the suspects by.
    pub(crate) commits: BTreeMap<String, About>,
    /// What the build graph lacks, and why.
    pub(crate) warnings: Vec<String>,
}

/// What people know a commit by.
#[derive(Serialize)]
pub(crate) struct About {
    pub(crate) subject: String,
    pub(crate) author: String,
}
