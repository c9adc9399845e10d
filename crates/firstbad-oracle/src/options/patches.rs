//! Patches as a JSON list of texts in base64.

use firstbad::Content;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serializer};

pub(super) fn serialize<S: Serializer>(patches: &[Vec<u8>], serializer: S) -> Result<S::Ok, S::Error> {
    let contents = patches.iter().map(|patch| Content::new(patch)).collect::<Result<Vec<_>, _>>();
    serializer.collect_seq(contents.map_err(S::Error::custom)?)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<u8>>, D::Error> {
    let contents = Vec::<Content>::deserialize(deserializer)?;
    Ok(contents.iter().map(|content| content.bytes().to_vec()).collect())
}
