//! Suspects by what they touch, and what counts how much.

use firstbad::json;
use firstbad::suspicion::{Changelist, ContentRanking, ContentWeights, rank_content};
use firstbad_git::{Past, PastCulprit};
use firstbad_store::Store;
use napi::Env;
use napi::bindgen_prelude::Object;
use napi_derive::napi;

use crate::error::thrown;
use crate::json::{parsed, text};
use crate::promise::promised;
use crate::repository::BindingRepository;

/// The suspects by what they touch.
///
/// # Errors
/// As `rank_content`.
pub(crate) fn by_content(
    changes: &[Changelist],
    tests: &[String],
    weights: Option<String>,
) -> napi::Result<ContentRanking> {
    rank_content(changes, tests, &weights_of(weights)?).map_err(thrown)
}

fn weights_of(weights: Option<String>) -> napi::Result<ContentWeights> {
    weights.map_or(Ok(ContentWeights::DEFAULT), |weights| parsed("weights", &weights))
}

/// Changes, a JSON array, by what they touch.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind, js_name = "rankContent")]
pub(crate) fn ranked_by_content(
    changes: String,
    tests: Vec<String>,
    weights: Option<String>,
) -> napi::Result<BindingContentRanking> {
    let changes: Vec<Changelist> = parsed("changes", &changes)?;
    Ok(BindingContentRanking { ranking: by_content(&changes, &tests, weights)? })
}

/// Weights learned from culprits, a JSON array, or from those that the history of `tip` names, and from the outcomes in a
/// store; as JSON.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind, js_name = "fitContent", ts_return_type = "Promise<string>")]
pub(crate) fn fitted_content<'env>(
    env: &'env Env,
    repository: &BindingRepository,
    culprits: Option<String>,
    tip: String,
    weights: Option<String>,
    store: Option<String>,
) -> napi::Result<Object<'env>> {
    let begin = weights_of(weights)?;
    let culprits: Option<Vec<PastCulprit>> = culprits.map(|text| parsed("culprits", &text)).transpose()?;
    let repository = repository.shared();
    promised(env, move || {
        let outcomes = store.map(|path| Store::existing(path)?.past()).transpose()?.unwrap_or_default();
        let fit = repository.fit(&Past { culprits, tip, outcomes }, &begin)?;
        json::text(&fit)
    })
}

/// Suspects by what they touch, the likeliest first.
#[napi]
pub struct BindingContentRanking {
    ranking: ContentRanking,
}

impl BindingContentRanking {
    pub(crate) fn new(ranking: ContentRanking) -> Self {
        BindingContentRanking { ranking }
    }
}

#[napi]
impl BindingContentRanking {
    #[napi(catch_unwind)]
    pub fn card(&self) -> String {
        firstbad::card::content_ranking(&self.ranking)
    }

    #[napi(catch_unwind)]
    pub fn json(&self) -> napi::Result<String> {
        text(&self.ranking)
    }

    /// Weights and reasons for a search, as JSON.
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
        self.ranking.to_text(most as usize)
    }

    #[napi(catch_unwind)]
    pub fn markdown(&self, most: u32) -> String {
        self.ranking.to_markdown(most as usize)
    }
}
