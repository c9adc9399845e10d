//! How often what happened (IDD, Tables 2 to 4).

use super::reason::Reason;
use super::report::{PorterReduction, PorterReport, Purpose, ReductionEnding};

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

impl PorterReport {
    /// How often what was the reason for another outcome; what never was is left out.
    #[must_use]
    pub fn reasons(&self) -> Vec<ReasonCount> {
        let count = |reason: Reason| {
            let (mut alone, mut carried) = (0, 0);
            for step in &self.steps {
                let (bare, with) = if step.patch == 0 { (step.reason, None) } else { (step.alone, step.reason) };
                alone += usize::from(bare == Some(reason));
                carried += usize::from(with == Some(reason));
            }
            ReasonCount {
                reason,
                alone,
                carried,
                reductions: self.reductions.iter().filter(|made| made.reason == Some(reason)).count(),
                parts: self.reductions.iter().filter_map(|made| made.failed.get(&reason)).sum(),
            }
        };
        let is_there = |count: &ReasonCount| count.alone + count.carried + count.reductions > 0 || count.parts > 0;
        Reason::ALL.map(count).into_iter().filter(is_there).collect()
    }
}

impl PorterReduction {
    /// How many changes were left after one round over all levels, and how many in the end; `None` unless it ended with a smallest
    /// patch.
    #[must_use]
    pub fn fixpoint(&self) -> Option<(usize, usize)> {
        let after = self.after?;
        Some((self.first.unwrap_or(after), after))
    }
}

impl Purpose {
    /// As in the public contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Purpose::Walk => "walk",
            Purpose::Carried => "carried",
            Purpose::Cause => "cause",
            Purpose::Repair => "repair",
            Purpose::Figure2 => "figure2",
            Purpose::Forward => "forward",
        }
    }
}

impl ReductionEnding {
    /// As in the public contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ReductionEnding::Reduced => "reduced",
            ReductionEnding::Passed => "passed",
            ReductionEnding::Contradicted => "contradicted",
            ReductionEnding::Running => "running",
        }
    }
}
