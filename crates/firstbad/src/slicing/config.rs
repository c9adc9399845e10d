//! What a search for a slice is told before it starts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::charges::Charge;
use crate::error::Error;
use crate::reduction::{Guarantee, Method, Need, ReductionConfig, kept};
use crate::search::{ChangeSet, Outcome};
use crate::words::json;

/// How to look for the smallest slice.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SliceMethod {
    /// Group testing; beside it, what facts say may go is asked at once.
    #[default]
    Auto,
    /// Dynamic delta refinement, by the paper's rules (Figure 9).
    Definer,
    /// The start alone, tested once, with nothing taken from it (CSlicer).
    Coverage,
    /// Subsets, complements, finer and finer (Zeller and Hildebrandt 2002).
    Ddmin,
    /// Bisection with at most 2n - 1 questions (IDD, Section 3.1).
    Recursive,
}

impl SliceMethod {
    /// How the reduction inside works; `None` for what is no reduction.
    pub(super) fn reduction(self) -> Option<Method> {
        match self {
            SliceMethod::Auto => Some(Method::Auto),
            SliceMethod::Definer | SliceMethod::Coverage => None,
            SliceMethod::Ddmin => Some(Method::Ddmin),
            SliceMethod::Recursive => Some(Method::Recursive),
        }
    }
}

/// Which changes dynamic delta refinement reverts first, by their scores (Section 5.2, Experiment 3).
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scheme {
    /// Parts that are drawn at random, and nothing by scores.
    Random,
    /// Those below 0, which is the paper's default.
    Neg,
    /// Those at most 0.
    Nonpos,
    /// The lowest third.
    Low,
    /// Those below 0, those at most 0 and the lowest third, in turn.
    #[default]
    Combined,
}

/// How finely a history is taken apart.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SliceGranularity {
    /// To commits; a merge is one change, that of its first parent.
    #[default]
    Commit,
    /// To what a commit changes in one file.
    File,
    /// To a commit's single hunks, and changes of headers.
    Hunk,
    /// To what a commit changes in one definition: an atomic change. Files that no grammar reads are taken as wholes.
    Definition,
}

/// The part of a repository's history that changes come from.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("kind" = "SlicedHistory")))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlicedHistory {
    /// The revision before the first change, on the line of first parents of `tip`.
    pub base: String,
    /// The revision with all changes.
    pub tip: String,
    /// The files and folders that count, from the top of the repository, each by its name and not as a pattern: what is
    /// elsewhere stays as it is at `base`. None: all count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Files and folders that are laid over every set of changes as they are at `tip`, and are no part of any change: the
    /// tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    /// How finely it is taken apart.
    #[serde(default)]
    pub granularity: SliceGranularity,
}

/// The configuration of a [`Slicer`](super::Slicer). Every field has a default.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlicerConfig {
    /// The names of the changes, oldest first: the full shas of commits, for one. A probe's changes are indices of these.
    /// By default they are named by their indices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// The history that the changes come from, with full shas. It is only kept, for who makes trees of sets of changes; by
    /// default they come from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<SlicedHistory>,
    /// Which outcome is to be kept: `"pass"`, the default, or `"fail"`.
    #[serde(default = "pass", deserialize_with = "kept")]
    #[cfg_attr(test, schemars(extend("enum" = ["pass", "fail"])))]
    pub keep: Outcome,
    /// With `keep = "fail"`: the failure to be kept, others count as unresolved. By default the one that all changes show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// How to look for the slice; by default `"auto"`.
    #[serde(default)]
    pub algorithm: SliceMethod,
    /// Which changes `"definer"` reverts first; by default `"combined"`.
    #[serde(default)]
    pub scheme: Scheme,
    /// By index, the indices of the changes that a change is thought to rest on, all of them; a list among them means any
    /// one of its members. A set without these is put off, and asked where the answer rests on it. By default none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dependencies: BTreeMap<usize, Vec<Need>>,
    /// The indices of changes that may be enough, those that a test covers: tested once, with what they are thought to rest
    /// on, and dropped if that does not hold. By default there is no start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Vec<usize>>,
    /// Whether to learn from facts in `signals` which changes matter; by default it does.
    #[serde(default = "yes")]
    pub learn: bool,
    /// The changes that flow into variables and results, each with its `file`, the qualified `name` of a definition, the
    /// `variable` (`"return"` for the result) and the indices of the `changes`: facts that name no changes count for or
    /// against these. By default there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charges: Vec<Charge>,
    /// What to know beforehand before one believes the answer, in sentences: it is among the report's warnings. By default
    /// there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// How far to go; by default `"1-minimal"`.
    #[serde(default = "one_minimal")]
    pub guarantee: Guarantee,
    /// What the choices of `"definer"` are drawn from; by default 0.
    #[serde(default)]
    pub seed: u64,
}

fn pass() -> Outcome {
    Outcome::Pass
}

fn yes() -> bool {
    true
}

fn one_minimal() -> Guarantee {
    Guarantee::OneMinimal
}

impl Default for SlicerConfig {
    fn default() -> Self {
        SlicerConfig {
            changes: Vec::new(),
            history: None,
            keep: Outcome::Pass,
            signature: None,
            algorithm: SliceMethod::Auto,
            scheme: Scheme::Combined,
            dependencies: BTreeMap::new(),
            start: None,
            learn: true,
            charges: Vec::new(),
            warnings: Vec::new(),
            guarantee: Guarantee::OneMinimal,
            seed: 0,
        }
    }
}

impl SlicedHistory {
    /// The `history` of a search's options, whatever else they say.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] that names the field, its value and what would be right.
    pub fn from_options(options: &Value) -> Result<Self, Error> {
        match options.get("history").filter(|history| !history.is_null()) {
            Some(history) => json::options(history),
            None => Err(Error::invalid("history", "null", "a base and a tip")),
        }
    }
}

impl SlicerConfig {
    /// The most changes: what a search keeps about them grows with the square of their number.
    pub const MOST_CHANGES: usize = 1 << 14;

    /// The configuration with names for the changes, oldest first.
    #[must_use]
    pub fn changes<I: IntoIterator<Item = S>, S: Into<String>>(mut self, names: I) -> Self {
        self.changes = names.into_iter().map(Into::into).collect();
        self
    }

    /// The configuration with another algorithm.
    #[must_use]
    pub fn algorithm(mut self, algorithm: SliceMethod) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// The configuration with predicted dependencies.
    #[must_use]
    pub fn dependencies(mut self, dependencies: BTreeMap<usize, Vec<Need>>) -> Self {
        self.dependencies = dependencies;
        self
    }

    /// The configuration with a start.
    #[must_use]
    pub fn start(mut self, start: impl IntoIterator<Item = usize>) -> Self {
        self.start = Some(start.into_iter().collect());
        self
    }

    /// Refuses what cannot be meant for `count` changes, apart from what [`SlicerConfig::judged`] has.
    pub(super) fn check(&self, count: usize) -> Result<(), Error> {
        if count == 0 || count > SlicerConfig::MOST_CHANGES {
            let expected = format!("at least one change and at most {}", SlicerConfig::MOST_CHANGES);
            return Err(Error::invalid("changes", count, expected));
        }
        if !self.changes.is_empty() && self.changes.len() != count {
            return Err(Error::invalid(
                "changes",
                self.changes.len(),
                format!("a name for each of the {count} changes"),
            ));
        }
        let mut names = hashbrown::HashSet::new();
        if let Some(twice) = self.changes.iter().find(|name| !names.insert(name.as_str())) {
            return Err(Error::invalid("changes", twice, "each name once; this one is a duplicate"));
        }
        if let Some(start) = &self.start {
            ChangeSet::checked("start", start, count)?;
        }
        if self.algorithm == SliceMethod::Coverage && self.start.is_none() {
            return Err(Error::invalid(
                "algorithm",
                "coverage",
                "a start or a coverage beside it: it is all that is tested",
            ));
        }
        Ok(())
    }

    /// What says whether a set holds.
    pub(super) fn judged(&self) -> ReductionConfig {
        ReductionConfig {
            dependencies: self.dependencies.clone(),
            guarantee: self.guarantee,
            keep: self.keep,
            signature: self.signature.clone(),
            ..ReductionConfig::default()
        }
    }
}
