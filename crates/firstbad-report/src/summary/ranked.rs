//! Suspects without a test run, as data.

use std::collections::BTreeMap;

use firstbad::suspicion::{CommitRanking, Ranking};
use serde::Serialize;

/// What is printed (docs/schema/ranking.json).
#[derive(Serialize)]
pub struct Ranked {
    /// The version of this form.
    pub schema: u32,
    /// What it is ranked by.
    pub by: String,
    /// The suspects.
    #[serde(flatten)]
    pub order: Order,
    /// What people know the suspects by.
    pub commits: BTreeMap<String, About>,
    /// What the build graph lacks, and why.
    pub warnings: Vec<String>,
}

impl Ranked {
    /// Leaves out all suspects but so many, the first ones.
    pub fn cut(&mut self, most: usize) {
        let commits = &mut self.commits;
        match &mut self.order {
            Order::Content { ranking: CommitRanking { suspects, .. }, build_graph, .. } => {
                suspects.drain(most.min(suspects.len())..).for_each(|left| drop(commits.remove(&left.change)));
                if let Some(judged) = build_graph {
                    judged.ranking.suspects.retain(|suspect| commits.contains_key(&suspect.change));
                }
            }
            Order::Heuristic(Judged { ranking: Ranking { suspects, .. }, .. }) => {
                suspects.drain(most.min(suspects.len())..).for_each(|left| drop(commits.remove(&left.change)));
            }
        }
    }
}

/// The suspects in their order.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Order {
    /// By how likely they are.
    Content {
        /// How it was ranked, in a sentence.
        message: String,
        /// The suspects, the likeliest first.
        #[serde(flatten)]
        ranking: CommitRanking,
        /// What the build graph says of them, where there is one.
        build_graph: Option<Judged>,
    },
    /// By a heuristic of the paper.
    Heuristic(Judged),
}

/// What a build graph says of the suspects.
#[derive(Serialize)]
pub struct Judged {
    /// Where the build graph comes from.
    pub graph: String,
    /// How many targets it has.
    pub targets: usize,
    /// The suspects, the most suspicious first.
    #[serde(flatten)]
    pub ranking: Ranking,
}

/// What people know a commit by.
#[derive(Serialize)]
pub struct About {
    /// The first line of its message.
    pub subject: String,
    /// Who wrote it.
    pub author: String,
}
