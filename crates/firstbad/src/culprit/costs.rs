//! What runs cost.

use std::sync::Arc;

use hashbrown::HashMap;

/// What a run costs, by place; 1 for all others.
#[derive(Debug, Clone, Default)]
pub(crate) struct Costs(pub(crate) Arc<HashMap<usize, f64>>);

impl Costs {
    pub(crate) fn at(&self, place: usize) -> f64 {
        self.0.get(&place).copied().unwrap_or(1.0)
    }

    pub(crate) fn is_even(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the caller gave this place a cost.
    pub(crate) fn has_own(&self, place: usize) -> bool {
        self.0.contains_key(&place)
    }

    /// The places with a cost of their own, ascending.
    pub(crate) fn places(&self) -> Vec<usize> {
        let mut places: Vec<usize> = self.0.keys().copied().collect();
        places.sort_unstable();
        places
    }
}
