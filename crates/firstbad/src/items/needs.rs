//! What items need of each other, where some cannot stand without others.

use serde::{Deserialize, Serialize};

/// What an item needs: another item, or any one of several.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, expecting = "an index, or a list of indices of which any one will do")]
pub enum Need {
    /// This item.
    Item(usize),
    /// Any one of these items.
    AnyOf(Vec<usize>),
}
