//! The files that lie in every work tree, as a test has them.

use std::collections::BTreeMap;

use firstbad::Content;
use serde::{Deserialize, Serialize};

/// Which files of the user's checkout lie in every work tree, though git does not have them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Carry {
    /// The untracked files that the commands name ([`carried_files`](crate::carried_files)).
    #[default]
    Auto,
    /// The files at these paths, tracked or not: relative to the top of the checkout, or absolute and below it. None at all: an
    /// empty list.
    Paths(Vec<String>),
    /// These contents, as a journal has kept them.
    Files(BTreeMap<String, CarriedFile>),
}

impl Carry {
    /// What a caller gives: paths, or nothing for [`Carry::Auto`].
    #[must_use]
    pub fn given(paths: Option<Vec<String>>) -> Carry {
        paths.map_or(Carry::Auto, Carry::Paths)
    }
}

/// A file that is carried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedFile {
    /// What it holds.
    pub content: Content,
    /// Whether it is a program.
    #[serde(default, skip_serializing_if = "is_false")]
    pub executable: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "what serde calls")]
fn is_false(value: &bool) -> bool {
    !value
}
