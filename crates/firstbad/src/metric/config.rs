//! The configuration of a search for a change in numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::units::{self, AtLeast};
use crate::belief::{Prior, PriorWeights};
use crate::error::Error;
use crate::finding::find::Find;
use crate::graph::CommitGraph;

/// The configuration of a [`ChangeSearch`](super::ChangeSearch). Every field except `bad` has a default.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeConfig {
    /// The bad revision, at which the number is worse. Exactly one.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("required" = true)))]
    pub bad: Vec<String>,
    /// The good revisions, ancestors of `bad`. The default is the roots of its history. These revisions and their ancestors are
    /// not suspects. firstbad measures the first good revision.
    #[serde(default)]
    pub good: Vec<String>,
    /// The direction of a regression. `"up"` is the default: a larger number is worse. `"down"`: a smaller number is worse.
    /// `"either"`: both, as measured at the endpoints.
    #[serde(default)]
    pub worse: Worse,
    /// What to find: `"regression"`, the commit that made the number worse, or `"fix"`, the commit that made it better. The default
    /// is `"regression"`.
    #[serde(default)]
    #[cfg_attr(test, schemars(schema_with = "found"))]
    pub find: Find,
    /// The smallest change that matters: a fraction such as `0.03`, a percentage such as `"3%"`, or an amount such as `"2kB"`,
    /// `"15ms"`, or `"300"` in the unit of the number. The default is 0.03.
    #[serde(default)]
    pub at_least: AtLeast,
    /// The unit of the number, for reports: `"s"`, `"B"`, or any text of at most 20 characters. The default is the unit of
    /// `at_least`, if it has one.
    #[serde(default)]
    pub unit: Option<String>,
    /// The options of each metric by its name, if each run measures several. Absent options have the values of this
    /// configuration. The default is a single metric without a name.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("kind" = "Metrics")))]
    pub metrics: BTreeMap<String, MetricOptions>,
    /// The probability at which the search names a commit, above 0.5 and below 1. The default is 0.99.
    #[serde(default = "confidence")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0.5, "exclusiveMaximum" = 1)))]
    pub confidence: f64,
    /// Whether to continue while a change of at least `at_least` is unexplained. The default is false: one step is enough.
    #[serde(default)]
    pub all_steps: bool,
    /// Whether each revision has one number without noise, such as a size. `"auto"` is the default: numbers are exact if both
    /// endpoints repeat theirs.
    #[serde(default)]
    pub exact: Exact,
    /// Measure an endpoint again every so many measurements, to notice a machine that becomes slower, and half as often on a machine
    /// that proves to be steady. The default is 3. 0 turns this off.
    #[serde(default = "control_every")]
    pub control_every: u32,
    /// Whether each run measures the first good revision as well, on the same machine, and tells its number as `control`. The
    /// search then compares the two. The default is false.
    #[serde(default)]
    pub paired: bool,
    /// The largest number of measurements, 6 or above. The search then ends undecided, with its best guess. The default is 150.
    #[serde(default = "max_measurements")]
    #[cfg_attr(test, schemars(range(min = 6)))]
    pub max_measurements: u32,
    /// The cost of a build and the cost of a measurement, in any unit. The default is measured from the seconds in the
    /// observations, and is 0.25 to 1 until then: a build may be reused.
    #[serde(default)]
    pub costs: Option<ChangeCosts>,
    /// The prior probability of each suspect. `"changes"` ranks commits by the files they touch, and is the default if the graph was
    /// read from Git. `"uniform"` makes all suspects equally likely, and is the default otherwise. Weights by revision can have any
    /// unit and must be 0 or above. An unlisted suspect weighs 1, or the smallest listed weight above 0 if that is less.
    #[serde(default)]
    pub prior: Option<Prior>,
}

/// The direction of a regression.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Worse {
    /// A larger number is worse, as for time, memory, and size.
    #[default]
    Up,
    /// A smaller number is worse, as for throughput and accuracy.
    Down,
    /// Both directions matter.
    Either,
}

/// Whether numbers have noise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "invalid type, expected true, false, or \"auto\"")]
pub enum Exact {
    /// Whether the numbers are exact.
    Given(bool),
    /// Both endpoints decide.
    #[default]
    #[serde(with = "auto")]
    Auto,
}

mod auto {
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("auto")
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
        let word = String::deserialize(deserializer)?;
        if word == "auto" { Ok(()) } else { Err(de::Error::unknown_variant(&word, &["auto"])) }
    }
}

/// The options of one of several metrics.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricOptions {
    /// The direction of a regression.
    #[serde(default)]
    pub worse: Option<Worse>,
    /// The smallest change that matters.
    #[serde(default)]
    pub at_least: Option<AtLeast>,
    /// The unit of the number, for reports.
    #[serde(default)]
    pub unit: Option<String>,
}

/// The costs of measuring, in any unit.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("kind" = "ChangeCosts")))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeCosts {
    /// The cost of a build, 0 or above.
    pub build: f64,
    /// The cost of a measurement, above 0.
    pub measurement: f64,
}

/// The schema of `find`, without the descriptions of a search for a test's outcome.
#[cfg(test)]
fn found(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "string", "enum": ["regression", "fix"] })
}

fn confidence() -> f64 {
    0.99
}

fn control_every() -> u32 {
    3
}

fn max_measurements() -> u32 {
    150
}

/// What counts as a change of one metric.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sought {
    /// The name of the metric, if the search has several.
    pub(super) metric: Option<String>,
    pub(super) worse: Worse,
    pub(super) at_least: AtLeast,
    pub(super) unit: Option<String>,
}

impl ChangeConfig {
    /// Creates a configuration with a bad revision and defaults for everything else.
    pub fn new(bad: impl Into<String>) -> Self {
        ChangeConfig {
            bad: vec![bad.into()],
            good: Vec::new(),
            worse: Worse::default(),
            find: Find::default(),
            at_least: AtLeast::default(),
            unit: None,
            metrics: BTreeMap::new(),
            confidence: confidence(),
            all_steps: false,
            exact: Exact::default(),
            control_every: control_every(),
            paired: false,
            max_measurements: max_measurements(),
            costs: None,
            prior: None,
        }
    }

    /// Sets the good revisions.
    #[must_use]
    pub fn good<I>(mut self, good: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        self.good = good.into_iter().map(Into::into).collect();
        self
    }

    /// Checks everything that needs no graph.
    pub(super) fn check(&self) -> Result<(), Error> {
        if !(self.confidence > 0.5 && self.confidence < 1.0) {
            return Err(Error::invalid("confidence", self.confidence, "a probability above 0.5 and below 1"));
        }
        if self.max_measurements < 6 {
            let expected = "6 or above: the endpoints alone need six measurements";
            return Err(Error::invalid("max_measurements", self.max_measurements, expected));
        }
        if let Some(ChangeCosts { build, measurement }) = self.costs {
            if !build.is_finite() || build < 0.0 {
                return Err(Error::invalid("costs.build", build, "a finite cost, 0 or above"));
            }
            if !measurement.is_finite() || measurement <= 0.0 {
                return Err(Error::invalid("costs.measurement", measurement, "a finite cost above 0"));
            }
        }
        if self.paired && !self.metrics.is_empty() {
            return Err(Error::invalid("paired", true, "one metric: a run has one control"));
        }
        let units = self
            .metrics
            .iter()
            .filter_map(|(name, options)| Some((format!("metrics[{name:?}].unit"), options.unit.as_ref()?)));
        units.chain(self.unit.iter().map(|unit| ("unit".to_owned(), unit))).try_for_each(|(argument, unit)| {
            let fits = unit.chars().count() <= units::LONGEST && !unit.chars().any(char::is_control);
            fits.then_some(()).ok_or_else(|| Error::invalid(argument, unit, "a text of at most 20 characters"))
        })
    }

    /// Returns what counts as a change, for each metric.
    pub(super) fn sought(&self) -> Vec<Sought> {
        let unit = |given: Option<&String>, at_least: &AtLeast| {
            given.cloned().or_else(|| at_least.unit().map(ToOwned::to_owned))
        };
        if self.metrics.is_empty() {
            let unit = unit(self.unit.as_ref(), &self.at_least);
            return vec![Sought { metric: None, worse: self.worse, at_least: self.at_least.clone(), unit }];
        }
        let of = |(name, options): (&String, &MetricOptions)| {
            let at_least = options.at_least.clone().unwrap_or_else(|| self.at_least.clone());
            let unit = unit(options.unit.as_ref().or(self.unit.as_ref()), &at_least);
            Sought { metric: Some(name.clone()), worse: options.worse.unwrap_or(self.worse), at_least, unit }
        };
        self.metrics.iter().map(of).collect()
    }

    pub(super) fn weights(&self, graph: &CommitGraph) -> Result<Option<PriorWeights>, Error> {
        Ok(self.prior.as_ref().map(|prior| prior.by_node(graph)).transpose()?.flatten())
    }
}
