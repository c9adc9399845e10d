//! `Posterior`: the posterior probabilities of a culprit search, shared without a copy.

use firstbad::culprit;
use pyo3::prelude::*;

use crate::work::{LARGE, released};

/// The posterior probability of every suspect at one moment.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Posterior {
    posterior: culprit::Posterior,
}

impl From<culprit::Posterior> for Posterior {
    fn from(posterior: culprit::Posterior) -> Self {
        Posterior { posterior }
    }
}

#[pymethods]
impl Posterior {
    fn __len__(&self) -> usize {
        self.posterior.len()
    }

    /// Returns the probability of a suspect, or `None` for other names.
    fn get(&self, name: &str) -> Option<f64> {
        self.posterior.get(name)
    }

    /// Returns the ids and probabilities of the suspects at the indices from `start` to `stop`.
    fn items(&self, start: usize, stop: usize) -> Vec<(&str, f64)> {
        let stop = stop.min(self.posterior.len());
        (start.min(stop)..stop).map(|place| (self.posterior.id(place), self.posterior.probability(place))).collect()
    }

    /// The probability that there is no culprit.
    #[getter]
    fn no_culprit(&self) -> f64 {
        self.posterior.no_culprit()
    }

    /// Returns the fewest hypotheses that reach the level together. Each has a suspect's id, or `None` for no culprit.
    fn credible_set(&self, py: Python<'_>, level: f64, most: Option<usize>) -> PyResult<Vec<(Option<String>, f64)>> {
        let most = most.unwrap_or(usize::MAX);
        let set = if self.posterior.len() < LARGE {
            self.posterior.credible_set(level, most)
        } else {
            let posterior = self.posterior.clone();
            released(py, move || Ok(posterior.credible_set(level, most)), drop)?
        };
        Ok(set.into_iter().map(|one| (one.revision, one.probability)).collect())
    }
}

/// Formats a probability for display.
#[pyfunction]
pub(crate) fn percent(probability: f64) -> String {
    firstbad::percent(probability)
}
