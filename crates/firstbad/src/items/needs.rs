use serde::{Deserialize, Serialize};

/// A dependency of an item: another item, or any one of several items.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, expecting = "an index, or a list of indices of which any one will do")]
pub enum Need {
    /// The item with this index.
    Item(usize),
    /// Any one of the items with these indices.
    AnyOf(Vec<usize>),
}
