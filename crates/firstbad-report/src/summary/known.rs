//! Facts about a search that its report lacks.

use firstbad::{Probe, SlicedHistory, Spelling};
use serde::Deserialize;
use serde_json::Value;

use super::cause::KnownCause;

/// The facts of a front end about a search that its report lacks.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Known {
    /// The probes that are running.
    pub in_flight: Vec<Probe>,
    /// The journal; `None` without one.
    pub journal: Option<String>,
    /// Whether the journal has the test, so that the command line can resume the search.
    pub resumes: bool,
    /// Whether the command line finds the journal without its path, because it is from the last run in the repository.
    pub is_last_run: bool,
    /// Whether the reader uses the command line, so that advice can name its options.
    pub at_command_line: bool,
    /// How the front end writes options.
    #[serde(skip)]
    pub spelling: Spelling,
    /// Whether Markdown mentions the people of a culprit whose probability reaches the confidence of the triage.
    pub mention: bool,
    /// The repository; `None` if the history is not from one.
    pub repository: Option<String>,
    /// The number of items of a reduction; `None` means the size of the largest tested set.
    pub items: Option<usize>,
    /// The reduced patch as text.
    pub text: Option<String>,
    /// The history of a slice.
    pub history: Option<SlicedHistory>,
    /// The options of a search for regressions about a flaky test.
    pub flakiness: Flakiness,
    /// The causes of a search for regressions, parallel to its points; `None` for a point without a search for its cause.
    pub causes: Vec<Option<KnownCause>>,
    /// The remaining work of a search that has not finished.
    pub left: Option<Left>,
}

/// The remaining work of a search that has not finished.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Left {
    /// The number of suspects.
    pub suspects: usize,
    /// The likely number of runs to the end; `None` if it is unknown.
    pub likely: Option<u64>,
    /// The number of runs in the worst of the simulated cases; `None` if it is unknown.
    pub worst: Option<u64>,
    /// The option that stopped the search, such as `--max-runs`.
    pub limit: Option<String>,
}

/// The options of a search for regressions about a flaky test.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Flakiness {
    /// Whether the search is for a flaky test.
    pub is_flaky: bool,
    /// Whether the flake rate is given as a number.
    pub rate_given: bool,
    /// Whether the test can pass at a bad revision.
    pub false_passes: bool,
}

impl Flakiness {
    /// Returns the options in a configuration.
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
