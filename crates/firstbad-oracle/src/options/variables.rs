//! Environment variables as a JSON object.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serializer};

pub(super) fn serialize<S: Serializer>(variables: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(variables.iter().map(|(name, value)| (name, value)))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, String)>, D::Error> {
    Ok(BTreeMap::deserialize(deserializer)?.into_iter().collect())
}
