//! How often what happened (IDD, Tables 2 to 4).

use firstbad::PorterReport;
use firstbad::porting::Reason;

/// How often a version, or a part of a patch, was another outcome for one reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReasonCount {
    /// The reason.
    pub reason: Reason,
    /// How many versions on the walk, as they are.
    pub alone: usize,
    /// How many with the patch carried there (IDD, Table 2).
    pub carried: usize,
    /// How many patches were reduced for it.
    pub reductions: usize,
    /// How many parts of patches in reductions (IDD, Table 3).
    pub parts: u64,
}

/// How often what was the reason for another outcome; what never was is left out.
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
