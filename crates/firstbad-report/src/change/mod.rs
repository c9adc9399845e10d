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
pub(crate) fn metrics(report: &ChangeReport) -> impl Iterator<Item = &MetricChange> {
    std::iter::once(&report.main).chain(&report.other_metrics)
}
