//! The posterior probabilities of a search at one moment.

use firstbad::culprit::Posterior;
use napi::bindgen_prelude::Float64Array;
use napi_derive::napi;

use crate::graph::joined;
use crate::json::text;

/// The posterior of every suspect.
#[napi]
pub struct BindingPosterior {
    posterior: Posterior,
}

impl BindingPosterior {
    pub(crate) fn new(posterior: Posterior) -> Self {
        BindingPosterior { posterior }
    }
}

#[napi]
impl BindingPosterior {
    #[napi(getter)]
    pub fn size(&self) -> u32 {
        self.posterior.len() as u32
    }

    #[napi(getter)]
    pub fn no_culprit(&self) -> f64 {
        self.posterior.no_culprit()
    }

    #[napi(catch_unwind)]
    pub fn get(&self, name: String) -> Option<f64> {
        self.posterior.get(&name)
    }

    /// Returns the ids of all suspects as one text, parents first.
    #[napi(catch_unwind)]
    pub fn ids(&self) -> String {
        joined(self.posterior.iter().map(|(id, _)| id))
    }

    /// Returns the probabilities in the order of the ids.
    #[napi(catch_unwind)]
    pub fn probabilities(&self) -> Float64Array {
        Float64Array::new(self.posterior.iter().map(|(_, probability)| probability).collect())
    }

    /// Returns a JSON array of hypotheses.
    #[napi(catch_unwind)]
    pub fn credible_set(&self, level: f64, most: Option<u32>) -> napi::Result<String> {
        text(&self.posterior.credible_set(level, most.map_or(usize::MAX, |most| most as usize)))
    }
}
