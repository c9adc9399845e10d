//! The costs of runs.

use std::sync::Arc;

use hashbrown::HashMap;

/// The cost of a run by place, 1 by default.
#[derive(Debug, Clone, Default)]
pub(crate) struct Costs(pub(crate) Arc<HashMap<usize, f64>>);

impl Costs {
    pub(crate) fn at(&self, place: usize) -> f64 {
        self.0.get(&place).copied().unwrap_or(1.0)
    }

    pub(crate) fn is_even(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the caller set a cost for this place.
    pub(crate) fn has_own(&self, place: usize) -> bool {
        self.0.contains_key(&place)
    }

    /// The places with a cost set by the caller, ascending.
    pub(crate) fn places(&self) -> Vec<usize> {
        let mut places: Vec<usize> = self.0.keys().copied().collect();
        places.sort_unstable();
        places
    }
}
