//! Files of the checkout that firstbad copies into every worktree.

use std::collections::BTreeMap;

use firstbad::Content;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// The files of the user's checkout that firstbad copies into every worktree whose revision does not have them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum CopyFiles {
    /// The untracked files that the commands name. See [`carried_files`](crate::carried_files).
    #[default]
    Auto,
    /// The files at these paths, tracked or not. Paths are relative to the top of the checkout, or absolute and below it. An
    /// empty list copies no files.
    Paths(Vec<String>),
    /// Files with these contents, as recorded in a journal, by path.
    Files(BTreeMap<String, CarriedFile>),
}

impl Serialize for CopyFiles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            CopyFiles::Auto => serializer.serialize_str("auto"),
            CopyFiles::Paths(paths) => serializer.collect_seq(paths),
            CopyFiles::Files(files) => serializer.collect_map(files),
        }
    }
}

impl<'de> Deserialize<'de> for CopyFiles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CopyFiles, D::Error> {
        let wrong = || D::Error::custom("neither, expected \"auto\", false, or a list of paths");
        match Value::deserialize(deserializer)? {
            Value::String(text) if text == "auto" => Ok(CopyFiles::Auto),
            Value::Bool(false) => Ok(CopyFiles::Paths(Vec::new())),
            list @ Value::Array(_) => Vec::deserialize(list).map(CopyFiles::Paths).map_err(|_| wrong()),
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
