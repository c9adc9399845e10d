use std::iter;

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Error;
use crate::reduction::{Granularity, Guarantee, Method, ReductionConfig};
use crate::search::Outcome;
use crate::words::json;

/// The way in which the search goes from version to version.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Walk {
    /// Steps of 1, 2, 4, ... versions while the outcome stays the same, then bisection of the last step.
    #[default]
    Gallop,
    /// One version after the other (IDD, Figure 2).
    Strict,
}

/// When the search ends.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// When the commit is known.
    Commit,
    /// When the commit is explained by a carried patch, a cause, and a repair.
    #[default]
    Explanation,
}

/// The configuration of a [`Porter`](super::Porter). Every field except `start` has a default.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PorterConfig {
    /// The revision at which the test fails.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("required" = true)))]
    pub start: String,
    /// A revision that is believed to pass, an ancestor of `start`. The walk leads to this revision and ends there. A
    /// galloping walk tests this revision first, and again with each new patch. At most one can be given. Default: the walk follows first parents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub good: Vec<String>,
    /// The oldest revision to test, an ancestor of `start`. Default: the walk goes back to the first commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest: Option<String>,
    /// The revisions to walk along, for example releases, newest first. Each must be an ancestor of the previous one, and
    /// the first one an ancestor of `start`. Cannot be combined with `good` or `oldest`. Default: all revisions on the
    /// way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revisions: Option<Vec<String>>,
    /// The way to go from revision to revision: `"gallop"` or `"strict"`. Default: `"gallop"`.
    #[serde(default)]
    pub walk: Walk,
    /// The algorithm that reduces patches. The paper uses `"recursive"`. Default: `"auto"`.
    #[serde(default)]
    pub algorithm: Method,
    /// The smallest parts of patches to remove: `"lines"`, `"edits"`, `"definitions"`, `"hunks"`, or `"files"`. With the
    /// algorithm `"auto"` and without `figure2`, the patch that the test needs consists of whole definitions. Default:
    /// `"lines"`.
    #[serde(default)]
    pub granularity: Granularity,
    /// Whether to reduce patches level by level, files first (IDD, Section 3.4). If so, brackets are removed only in pairs,
    /// and patches in the result are also reduced by whole definitions and blocks. If not, patches are reduced by lines at
    /// once. Default: true.
    #[serde(default = "yes")]
    pub hierarchical: bool,
    /// Whether the walk ends at a version that passes while firstbad reduces a patch for it. An older version still wins if
    /// it passes with the reduced patch, before another patch is needed. If false, such passes are ignored, as in the paper
    /// (IDD, Figure 2). firstbad then misses a version if one commit contains both the cause and a conflict with the patch
    /// (Section 4.1). Default: true.
    #[serde(default = "yes")]
    pub early_pass: bool,
    /// Whether to also compute the result of the paper's Figure 2 (IDD): the smallest change from the passing version to the
    /// failure, including the changes that the test needs. This takes additional runs. Default: false.
    #[serde(default)]
    pub figure2: bool,
    /// The most changes that a carried patch can have, at least 1. The search ends if it needs a larger patch. Default: no
    /// limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub max_patch: Option<usize>,
    /// Files and folders to copy from `start` into every version, such as the test and its helpers. They are not part of any
    /// patch. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub always_keep: Vec<String>,
    /// The files and folders to search for the cause, relative to the top of the repository. These are names, not patterns.
    /// Everything else stays as it is at `start` in every version and in every patch. Default: all files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Whether the oracle also runs a control command. The control must pass in every version that counts as the same
    /// failure. On the way back, it must also pass in every version that counts as passing with a patch. An observation that
    /// passes but has `control` in its signals does not count as a pass. With a control, the walk also ends at a version that
    /// passes without those hunks of the carried patch that do not apply. Default: false. Without a control, the report warns
    /// if this matters.
    #[serde(default)]
    pub controlled: bool,
    /// Whether the search ends once the commit is known (`"commit"`), or also finds the patches that explain it
    /// (`"explanation"`). Default: `"explanation"`.
    #[serde(default)]
    pub until: Until,
    /// The revision to bring the fix forward to: `start`, one of its ancestors on the walk, or one of its descendants.
    /// Default: the fix is not brought forward.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forward: Option<String>,
    /// The factor, above 1, by which the run time must differ from the run time at the start to count as another failure. Both
    /// slower and faster runs count. Default: the run time does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 1)))]
    pub seconds_factor: Option<f64>,
    /// The factor, above 1, by which the memory use must differ from the memory use at the start to count as another
    /// failure. Default: memory use does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 1)))]
    pub memory_factor: Option<f64>,
    /// Revisions whose parents exist but are missing from this repository, as in a shallow clone. A walk that reaches one of
    /// them ends with the status `"revision_not_readable"`. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boundary: Vec<String>,
}

fn yes() -> bool {
    true
}

impl PorterConfig {
    /// Creates a configuration with this start and with defaults for everything else.
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
            paths: Vec::new(),
            controlled: false,
            until: Until::default(),
            forward: None,
            seconds_factor: None,
            memory_factor: None,
            boundary: Vec::new(),
        }
    }

    /// Sets the revision to bring the fix forward to.
    #[must_use]
    pub fn forward(mut self, revision: impl Into<String>) -> Self {
        self.forward = Some(revision.into());
        self
    }

    /// Sets the way to go from revision to revision.
    #[must_use]
    pub fn walk(mut self, walk: Walk) -> Self {
        self.walk = walk;
        self
    }

    /// Reads the configuration from the JSON options of a front end.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] with the field, its value, and the expected value if an option is invalid.
    pub fn from_options(options: &Value) -> Result<Self, Error> {
        let config: PorterConfig = json::options(options)?;
        config.check()?;
        Ok(config)
    }

    /// Returns all revisions in the options, the start first and each once. The search needs the history of these revisions.
    /// Revisions in `boundary` are not included.
    #[must_use]
    pub fn named(&self) -> Vec<&str> {
        let listed = self.revisions.iter().flatten();
        let others = self.forward.iter().chain(&self.good).chain(&self.oldest).chain(listed);
        let mut seen = HashSet::new();
        iter::once(&self.start).chain(others).map(String::as_str).filter(|&name| seen.insert(name)).collect()
    }

    /// Returns the option that contains a revision from [`PorterConfig::named`]. If there are several, `start` takes
    /// precedence.
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

    /// Rejects options that are invalid for any history.
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
            let expected = "\"lines\", because this algorithm does not reduce level by level";
            return Err(Error::invalid("granularity", self.granularity.as_str(), expected));
        }
        if self.revisions.as_ref().is_some_and(Vec::is_empty) {
            return Err(Error::invalid("revisions", "[]", "at least one revision older than the start"));
        }
        if self.good.len() > 1 {
            return Err(Error::invalid("good", self.good.join(", "), "one revision, the target of the walk"));
        }
        if let Some(forward) = self.forward.as_ref().filter(|_| self.until == Until::Commit) {
            return Err(Error::invalid("forward", forward, "no revision, because the search ends at the commit"));
        }
        if self.revisions.is_some() && (!self.good.is_empty() || self.oldest.is_some()) {
            return Err(Error::invalid("revisions", "a list", "neither good nor oldest with a list of revisions"));
        }
        Ok(())
    }

    /// The configuration that reduces a patch while it keeps an outcome.
    pub(super) fn reduction(&self, keep: Outcome, guarantee: Guarantee) -> ReductionConfig {
        ReductionConfig { algorithm: self.algorithm, guarantee, keep, ..ReductionConfig::default() }
    }
}
