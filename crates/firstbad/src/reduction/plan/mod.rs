//! Plans of passes: the units that a reduction removes, from the coarsest to the finest.
//!
//! A pass is a function that makes units of items. To add a pass, add a function and a line in the plan that uses it.

mod flat;
mod interface;
mod text;
mod tree;

pub(super) use interface::{At, Left, Part, Plan, Then};
pub(super) use tree::leaves;

use std::sync::Arc;

use super::tested_sets::TestedSets;

/// Chooses the plan for a list, for a tree, or for a text with guessed structure.
pub(super) fn plan(tested: &TestedSets) -> Arc<dyn Plan> {
    let config = &tested.config;
    if let Some(guess) = &config.guess {
        Arc::new(text::TextPlan::new(tested, guess))
    } else if config.parents.is_some() || config.later.iter().flatten().any(|pass| !pass.is_empty()) {
        Arc::new(tree::TreePlan::new(tested))
    } else {
        Arc::new(flat::Flat::new(tested))
    }
}
