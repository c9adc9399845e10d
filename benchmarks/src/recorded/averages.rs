//! Queries, averaged over instances and over projects.

use super::several::Total;
use super::single::{Row, place};
use crate::statistics::Average;

/// Queries of one algorithm, averaged.
pub(crate) fn runs(rows: &[&Row], algorithm: &str) -> Average {
    let at = place(algorithm);
    Average::of(rows.iter().map(|row| (row.project.as_str(), row.answers[at].runs as f64)))
}

/// Queries of one algorithm over several leaves, averaged.
pub(crate) fn total_queries(totals: &[Total], at: usize) -> Average {
    Average::of(totals.iter().map(|total| (total.project.as_str(), total.runs[at] as f64)))
}
