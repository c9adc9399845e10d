//! Files of the checkout that firstbad copies into every worktree.

use std::collections::BTreeMap;

use firstbad::Content;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// The files of the user's checkout that firstbad copies into every worktree whose revision does not have them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Carry {
    /// The untracked files that the commands name. See [`carried_files`](crate::carried_files).
    #[default]
    Auto,
    /// The files at these paths, tracked or not. Paths are relative to the top of the checkout, or absolute and below it. An
    /// empty list copies no files.
    Paths(Vec<String>),
    /// Files with these contents, as recorded in a journal, by path.
    Files(BTreeMap<String, CarriedFile>),
}

impl Serialize for Carry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Carry::Auto => serializer.serialize_str("auto"),
            Carry::Paths(paths) => serializer.collect_seq(paths),
            Carry::Files(files) => serializer.collect_map(files),
        }
    }
}

impl<'de> Deserialize<'de> for Carry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Carry, D::Error> {
        let wrong = || D::Error::custom("neither, expected \"auto\", false, or a list of paths");
        match Value::deserialize(deserializer)? {
            Value::String(text) if text == "auto" => Ok(Carry::Auto),
            Value::Bool(false) => Ok(Carry::Paths(Vec::new())),
            list @ Value::Array(_) => Vec::deserialize(list).map(Carry::Paths).map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    }
}

/// A file that firstbad copies into every worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedFile {
    /// The contents of the file.
    pub content: Content,
    /// Whether the file is executable.
    #[serde(default, skip_serializing_if = "is_false")]
    pub executable: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "what serde calls")]
fn is_false(value: &bool) -> bool {
    !value
}
