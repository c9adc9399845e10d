//! Ranks suspects by the files that they touch.

use firstbad::suspicion::{Changelist, CommitRanking, rank_commits};
use napi_derive::napi;

use crate::error::thrown;
use crate::json::{parsed, text};

/// Ranks changes, given as a JSON array, by the files that they touch.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind, js_name = "rankCommits")]
pub(crate) fn ranked_by_content(changes: String, tests: Vec<String>) -> napi::Result<BindingContentRanking> {
    let changes: Vec<Changelist> = parsed("changes", &changes)?;
    Ok(BindingContentRanking { ranking: rank_commits(&changes, &tests).map_err(thrown)? })
}

/// Suspects ranked by the files that they touch, in descending order of probability.
#[napi]
pub struct BindingContentRanking {
    ranking: CommitRanking,
}

impl BindingContentRanking {
    pub(crate) fn new(ranking: CommitRanking) -> Self {
        BindingContentRanking { ranking }
    }
}

#[napi]
impl BindingContentRanking {
    #[napi(catch_unwind)]
    pub fn card(&self) -> String {
        firstbad_report::card::content_ranking(&self.ranking)
    }

    #[napi(catch_unwind)]
    pub fn json(&self) -> napi::Result<String> {
        text(&self.ranking)
    }

    /// Returns the weights and reasons for a search as JSON.
    #[napi(catch_unwind)]
    pub fn prior(&self) -> napi::Result<String> {
        text(&self.ranking.prior())
    }

    #[napi(catch_unwind)]
    pub fn message(&self) -> String {
        self.ranking.message()
    }

    #[napi(catch_unwind)]
    pub fn text(&self, most: u32) -> String {
        firstbad_report::content_text(&self.ranking, most as usize)
    }

    #[napi(catch_unwind)]
    pub fn markdown(&self, most: u32) -> String {
        firstbad_report::content_markdown(&self.ranking, most as usize)
    }
}
