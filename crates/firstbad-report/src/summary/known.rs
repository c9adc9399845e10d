//! What is known beside a report.

use firstbad::{Probe, SlicedHistory, Spelling};
use serde::Deserialize;
use serde_json::Value;

use super::cause::KnownCause;

/// What who drove a search knows beside its report.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Known {
    /// What is being tested.
    pub in_flight: Vec<Probe>,
    /// The journal; `None` if none is kept.
    pub journal: Option<String>,
    /// Whether the journal knows the test, so that a run can go on by itself.
    pub resumes: bool,
    /// Whether the journal is one that the command line finds by itself: that of the last run in the repository.
    pub is_last_run: bool,
    /// Whether the reader sits at the command line, whose options can be named in advice.
    pub at_command_line: bool,
    /// How the front end writes options.
    #[serde(skip)]
    pub spelling: Spelling,
    /// The repository; `None` if the history is not from one.
    pub repository: Option<String>,
    /// Of a reduction: how many items there were; `None`: the largest set that was asked says it.
    pub items: Option<usize>,
    /// Of a reduction of a patch: what is left, as a patch.
    pub text: Option<String>,
    /// Of a slice: the history that it is a slice of.
    pub history: Option<SlicedHistory>,
    /// Of a search for regressions: what it was told of a flaky test.
    pub flakiness: Flakiness,
    /// Of a search for regressions: what was found of each point's cause, parallel to the points; `None` if none was.
    pub causes: Vec<Option<KnownCause>>,
}

/// What a search for regressions was told of a flaky test, as far as its words depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Flakiness {
    /// Whether the test was said to be flaky.
    pub is_flaky: bool,
    /// Whether it was said how often: as a number, and not to be estimated.
    pub rate_given: bool,
    /// Whether it was said that the test may pass at a broken revision, too.
    pub false_passes: bool,
}

impl Flakiness {
    /// What a configuration says.
    #[must_use]
    pub fn of(configuration: &Value) -> Flakiness {
        let rate = &configuration["flake_rate"];
        Flakiness {
            is_flaky: configuration["search"] == "bayes",
            rate_given: !rate.is_null() && rate != "estimate",
            false_passes: !configuration["false_pass_rate"].is_null(),
        }
    }
}
