//! Rankings of suspects as data.

use std::collections::BTreeMap;

use firstbad::suspicion::{CommitRanking, Ranking};
use serde::Serialize;

/// A ranking in its JSON form (docs/schema/ranking.json).
#[derive(Serialize)]
pub struct Ranked {
    /// The version of this form.
    pub schema: u32,
    /// The name of the order.
    pub by: String,
    /// The suspects.
    #[serde(flatten)]
    pub order: Order,
    /// The subjects and authors of the suspects.
    pub commits: BTreeMap<String, About>,
    /// Warnings about missing parts of the build graph.
    pub warnings: Vec<String>,
}

impl Ranked {
    /// Keeps the first `most` suspects.
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
    /// By probability.
    Content {
        /// The criteria, in a sentence.
        message: String,
        /// The suspects, most likely first.
        #[serde(flatten)]
        ranking: CommitRanking,
        /// The ranking by the build graph, if there is one.
        build_graph: Option<Judged>,
    },
    /// By a heuristic.
    Heuristic(Judged),
}

/// A ranking by a build graph.
#[derive(Serialize)]
pub struct Judged {
    /// The source of the build graph.
    pub graph: String,
    /// The number of targets.
    pub targets: usize,
    /// The suspects, most suspicious first.
    #[serde(flatten)]
    pub ranking: Ranking,
}

/// The subject and the author of a commit.
#[derive(Serialize)]
pub struct About {
    /// The first line of its message.
    pub subject: String,
    /// The name of the author.
    pub author: String,
}
