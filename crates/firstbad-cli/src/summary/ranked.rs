//! Suspects without a test run, as data.

use std::collections::BTreeMap;

use firstbad::suspicion::{ContentRanking, Ranking};
use serde::Serialize;

use crate::args::By;

/// What is printed (docs/schema/ranking.json).
#[derive(Serialize)]
pub(crate) struct Ranked {
    pub(crate) schema: u32,
    /// What it is ranked by.
    pub(crate) by: By,
    #[serde(flatten)]
    pub(crate) order: Order,
    /// What people know the suspects by.
    pub(crate) commits: BTreeMap<String, About>,
    /// What the build graph lacks, and why.
    pub(crate) warnings: Vec<String>,
}

/// The suspects in their order.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Order {
    /// By how likely they are.
    Content {
        message: String,
        #[serde(flatten)]
        ranking: ContentRanking,
        /// What the build graph says of them, where there is one.
        build_graph: Option<Judged>,
    },
    /// By a heuristic of the paper.
    Heuristic(Judged),
}

/// What a build graph says of the suspects.
#[derive(Serialize)]
pub(crate) struct Judged {
    /// Where the build graph comes from.
    pub(crate) graph: String,
    /// How many targets it has.
    pub(crate) targets: usize,
    #[serde(flatten)]
    pub(crate) ranking: Ranking,
}

/// What people know a commit by.
#[derive(Serialize)]
pub(crate) struct About {
    pub(crate) subject: String,
    pub(crate) author: String,
}
