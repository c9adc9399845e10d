//! Changes in numbers: finds the commit that made a program slower, larger, or less accurate. Start with `rule.rs`.

mod algorithm;
mod answer;
mod belief;
mod classes;
mod config;
mod drift;
mod exact;
mod hunt;
mod hypotheses;
mod likelihood;
mod message;
mod modes;
mod noise;
mod part;
mod ramp;
mod report;
mod rule;
mod scale;
mod split;
mod units;
mod without_noise;

pub use algorithm::Numbers;
pub use config::{ChangeConfig, ChangeCosts, Exact, MetricOptions, Worse};
pub use report::{ChangeConclusion, ChangeReport, MetricChange, Noise, SeriesPoint, Step, Unexplained};
pub use units::{AtLeast, amount, percent};

use crate::search::AskTell;

/// A search for the commit that changed a number. See [`ChangeConfig`] for the options.
///
/// Tell the number of each probe as [`Observation::metric`](crate::Observation::metric) of a passing observation, or as
/// [`Observation::metrics`](crate::Observation::metrics) if the search has several. An observation without a number, or with another
/// outcome, is unresolved. A revision can be asked several times, and every number counts.
///
/// # Evidence
/// The search names a commit only if the commit and each parent were measured and their numbers differ. If the endpoints do not
/// differ by [`at_least`](ChangeConfig::at_least), the search names no commit.
///
/// # Number of runs
/// The search ends after [`max_measurements`](ChangeConfig::max_measurements), whatever the numbers.
///
/// # Errors
/// [`AskTell::new`] returns [`Error::InvalidArgument`](crate::Error::InvalidArgument) in these cases:
///
/// - A weight, cost, or the confidence is out of range.
/// - There is not exactly one bad revision.
/// - A good revision is not an ancestor of the bad revision, or there is no revision between them.
pub type ChangeSearch = AskTell<Numbers>;
