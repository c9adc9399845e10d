//! What iterative delta debugging is told before it starts.

use std::iter;

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Error;
use crate::reduction::{Granularity, Guarantee, Method, ReductionConfig};
use crate::search::Outcome;
use crate::words::json;

/// How the search goes from version to version.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Walk {
    /// 1, 2, 4, ... versions on while the outcome stays, then halving in the gap.
    #[default]
    Gallop,
    /// One version after the other (IDD, Figure 2).
    Strict,
}

/// The configuration of a [`Porter`](super::Porter). Every field but `start` has a default.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PorterConfig {
    /// The revision at which the test fails.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("required" = true)))]
    pub start: String,
    /// A revision that is thought to pass, an ancestor of `start`: the walk goes towards it and ends there. It is tested
    /// as any other. By default the walk follows first parents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub good: Vec<String>,
    /// The oldest revision to look at, an ancestor of `start`. By default the walk ends where history does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest: Option<String>,
    /// The revisions to walk along, newest first, each older than the one before and all older than `start`: releases, for
    /// one. By default all on the way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revisions: Option<Vec<String>>,
    /// How to go from revision to revision: `"gallop"`, the default, or `"strict"`.
    #[serde(default)]
    pub walk: Walk,
    /// How to reduce patches; by default `"auto"`. The paper's is `"recursive"`.
    #[serde(default)]
    pub algorithm: Method,
    /// How finely patches are taken apart: `"lines"`, the default, `"definitions"`, `"hunks"` or `"files"`.
    #[serde(default)]
    pub granularity: Granularity,
    /// Whether patches are taken apart level by level, files first (IDD, Section 3.4), and no bracket is tried without
    /// the one that closes it; those of the answer also by definitions and blocks, of which no half is tried. By
    /// default they are. If not, at once to lines.
    #[serde(default = "yes")]
    pub hierarchical: bool,
    /// Whether a version that is seen to pass while a patch for it is reduced ends the walk; by default it does, unless an
    /// older one passes with the patch that is left of that reduction, before another one is needed. If not, such a pass is
    /// ignored, as in the paper (IDD, Figure 2), and a version where one commit holds the cause and a conflict with the patch
    /// is missed (Section 4.1).
    #[serde(default = "yes")]
    pub early_pass: bool,
    /// Whether to compute the result of the paper's Figure 2 (IDD) as well: the smallest change from the passing version to
    /// the failure, including the changes that the test needs. It costs further runs. Default: false.
    #[serde(default)]
    pub figure2: bool,
    /// The most changes that a carried patch may have: beyond, the search ends. By default any number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub max_patch: Option<usize>,
    /// Files and folders that are laid over every version as they are at `start`, and are no part of any patch: the test
    /// itself, what it calls. By default none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub always_keep: Vec<String>,
    /// Whether the oracle also runs a control, a command that must pass in every version that counts as failing in the same
    /// way, and, going back, in every one that counts as passing with a patch: an observation that passes and has
    /// `control` in its signals does not. By default not, and a report says so where it matters.
    #[serde(default)]
    pub controlled: bool,
    /// The revision to bring the fix forward to: `start`, an ancestor of it on the walk, or a descendant. By default the fix is
    /// not brought forward.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forward: Option<String>,
    /// A test that takes so many times as long as at the start, or was so many times as quick, fails in another way: above
    /// 1. By default time does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 1)))]
    pub seconds_factor: Option<f64>,
    /// The same for memory. By default memory does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 1)))]
    pub memory_factor: Option<f64>,
    /// Revisions whose parents exist and are not here, as in a shallow clone: a walk that comes to one ends as
    /// `"revision_not_readable"`. By default none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boundary: Vec<String>,
}

fn yes() -> bool {
    true
}

impl PorterConfig {
    /// The configuration for a start, everything else at its default.
    #[must_use]
    pub fn new(start: impl Into<String>) -> Self {
        PorterConfig {
            start: start.into(),
            good: Vec::new(),
            oldest: None,
            revisions: None,
            walk: Walk::default(),
            algorithm: Method::default(),
            granularity: Granularity::default(),
            hierarchical: true,
            early_pass: true,
            figure2: false,
            max_patch: None,
            always_keep: Vec::new(),
            controlled: false,
            forward: None,
            seconds_factor: None,
            memory_factor: None,
            boundary: Vec::new(),
        }
    }

    /// The revision to bring the fix forward to.
    #[must_use]
    pub fn forward(mut self, revision: impl Into<String>) -> Self {
        self.forward = Some(revision.into());
        self
    }

    /// How to go from revision to revision.
    #[must_use]
    pub fn walk(mut self, walk: Walk) -> Self {
        self.walk = walk;
        self
    }

    /// The configuration as a face has it.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] that names the field, its value and what would be right.
    pub fn from_options(options: &Value) -> Result<Self, Error> {
        let config: PorterConfig = json::options(options)?;
        config.check()?;
        Ok(config)
    }

    /// The revisions that are named, the start first, each once: the history to search in is theirs. Those of `boundary`
    /// are found in it, not named.
    #[must_use]
    pub fn named(&self) -> Vec<&str> {
        let listed = self.revisions.iter().flatten();
        let others = self.forward.iter().chain(&self.good).chain(&self.oldest).chain(listed);
        let mut seen = HashSet::new();
        iter::once(&self.start).chain(others).map(String::as_str).filter(|&name| seen.insert(name)).collect()
    }

    /// The option that names a revision, one of those of [`PorterConfig::named`]; the start where several do.
    #[must_use]
    pub fn option_of(&self, revision: &str) -> &'static str {
        let is_it = |name: &String| name == revision;
        if is_it(&self.start) {
            "start"
        } else if self.good.iter().any(is_it) {
            "good"
        } else if self.oldest.iter().any(is_it) {
            "oldest"
        } else if self.forward.iter().any(is_it) {
            "forward"
        } else {
            "revisions"
        }
    }

    /// Refuses what cannot be meant, whatever the history is.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.start.is_empty() {
            return Err(Error::invalid("start", "", "the revision at which the test fails"));
        }
        if self.max_patch == Some(0) {
            return Err(Error::invalid("max_patch", 0, "at least 1 change, or no limit"));
        }
        for (argument, factor) in [("seconds_factor", self.seconds_factor), ("memory_factor", self.memory_factor)] {
            if let Some(factor) = factor.filter(|factor| !(factor.is_finite() && *factor > 1.0)) {
                return Err(Error::invalid(argument, factor, "a finite number above 1"));
            }
        }
        if !self.hierarchical && self.granularity != Granularity::Lines {
            let expected = "\"lines\", where patches are taken apart at once and not level by level";
            return Err(Error::invalid("granularity", self.granularity.as_str(), expected));
        }
        if self.revisions.as_ref().is_some_and(Vec::is_empty) {
            return Err(Error::invalid("revisions", "[]", "at least one revision older than the start"));
        }
        if self.good.len() > 1 {
            return Err(Error::invalid("good", self.good.join(", "), "one revision: the walk goes towards it"));
        }
        if self.revisions.is_some() && (!self.good.is_empty() || self.oldest.is_some()) {
            return Err(Error::invalid(
                "revisions",
                "a list",
                "no good and no oldest beside it: the list says where to go",
            ));
        }
        Ok(())
    }

    /// How a patch is reduced to what still has an outcome.
    pub(super) fn reduction(&self, keep: Outcome, guarantee: Guarantee) -> ReductionConfig {
        ReductionConfig { algorithm: self.algorithm, guarantee, keep, ..ReductionConfig::default() }
    }
}
