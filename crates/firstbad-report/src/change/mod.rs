//! Changes in numbers, in words and as pictures.

mod curve;
mod evidence;
mod picture;
mod plot;
pub(crate) mod told;
mod words;

use firstbad::ChangeReport;
use firstbad::metric::MetricChange;

pub(crate) use curve::letter;
pub use picture::change_svg;
pub(crate) use picture::{WIDTH, aim, picture};
pub use plot::text_plot;
pub(crate) use words::{is_other_way, reaches};

/// Returns the results for all metrics, the main one first.
pub(crate) fn metrics(report: &ChangeReport) -> Vec<MetricChange> {
    let first = MetricChange {
        metric: report.metric.clone(),
        unit: report.unit.clone(),
        at_least: report.at_least.clone(),
        conclusion: report.conclusion,
        before: report.before,
        after: report.after,
        change: report.change,
        percent: report.percent,
        interval: report.interval,
        steps: report.steps.clone(),
        candidates: report.candidates.clone(),
        largest: report.largest.clone(),
        unexplained: report.unexplained,
        noise: report.noise,
        exact: report.exact,
        probability: report.probability,
        series: report.series.clone(),
    };
    std::iter::once(first).chain(report.other_metrics.iter().cloned()).collect()
}
