//! An instance as it is measured.

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::CommitGraph;

use super::instances::{Found, Instance};
use super::ranks::{Ranked, Several};

/// An instance with its ranking.
pub(super) struct Case {
    pub(super) project: String,
    /// Whether pass and fail are exchanged: the culprit is what made the test pass.
    pub(super) swapped: bool,
    pub(super) graph: Arc<CommitGraph>,
    pub(super) instance: Instance,
    /// With the changes as they are.
    pub(super) ranked: Ranked,
    /// Without what they did to tests, which were the same everywhere.
    pub(super) fixed: Ranked,
    /// The same two, with data files in their packages.
    pub(super) data: Ranked,
    pub(super) fixed_data: Ranked,
    /// Whether the culprit touches the file of the test.
    pub(super) touches_test: bool,
    /// Where the culprit broke the tests of several files at once.
    pub(super) several: Option<Several>,
}

/// What was left out, by kind and reason.
#[derive(Default)]
pub(super) struct Dropped {
    pub(super) found: BTreeMap<(String, bool), (Found, usize)>,
    pub(super) reasons: BTreeMap<(String, String), usize>,
}
