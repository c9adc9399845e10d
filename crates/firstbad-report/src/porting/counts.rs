//! Counts of the reasons for unwanted outcomes (IDD, Tables 2 to 4).

use firstbad::PorterReport;
use firstbad::porting::Reason;

/// How often one reason prevented the wanted outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReasonCount {
    /// The reason.
    pub reason: Reason,
    /// The number of unpatched versions on the walk.
    pub alone: usize,
    /// The number of versions with the carried patch (IDD, Table 2).
    pub carried: usize,
    /// The number of reductions for this reason.
    pub reductions: usize,
    /// The number of tested parts of patches in reductions (IDD, Table 3).
    pub parts: u64,
}

/// Returns the counts of all reasons that occurred.
#[must_use]
pub fn reasons(report: &PorterReport) -> Vec<ReasonCount> {
    let count = |reason: Reason| {
        let (mut alone, mut carried) = (0, 0);
        for step in &report.steps {
            let (bare, with) = if step.patch == 0 { (step.reason, None) } else { (step.alone, step.reason) };
            alone += usize::from(bare == Some(reason));
            carried += usize::from(with == Some(reason));
        }
        ReasonCount {
            reason,
            alone,
            carried,
            reductions: report.reductions.iter().filter(|made| made.reason == Some(reason)).count(),
            parts: report.reductions.iter().filter_map(|made| made.failed.get(&reason)).sum(),
        }
    };
    let is_there = |count: &ReasonCount| count.alone + count.carried + count.reductions > 0 || count.parts > 0;
    Reason::ALL.map(count).into_iter().filter(is_there).collect()
}
