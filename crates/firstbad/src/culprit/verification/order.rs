//! The order of runs in time.

use crate::belief::RunCounts;
use crate::graph::Node;
use crate::search::Observation;

/// The runs of one observation.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) node: Node,
    pub(super) passes: u32,
    pub(super) fails: u32,
    /// The start and end time, if known.
    time: Option<(f64, f64)>,
}

impl Run {
    pub(super) fn new(node: Node, tally: RunCounts, observation: &Observation) -> Self {
        Run { node, passes: tally.passes, fails: tally.fails, time: observation.started.zip(observation.ended) }
    }

    pub(super) fn has_time(&self) -> bool {
        self.time.is_some()
    }
}

/// All runs, in the order in which they were reported.
#[derive(Debug, Default)]
pub(super) struct RunOrder {
    runs: Vec<Run>,
}

impl RunOrder {
    pub(super) fn push(&mut self, run: Run) {
        self.runs.push(run);
    }

    pub(super) fn clear(&mut self) {
        self.runs.clear();
    }

    /// Whether probes can run in parallel, because all runs so far have times. False before the first run.
    pub(super) fn is_timed(&self) -> bool {
        !self.runs.is_empty() && self.runs.iter().all(Run::has_time)
    }

    pub(super) fn passes(&self, node: Node) -> u32 {
        self.of(node).map(|(_, run)| run.passes).sum()
    }

    pub(super) fn fails(&self, node: Node) -> u32 {
        self.of(node).map(|(_, run)| run.fails).sum()
    }

    pub(super) fn tally(&self, node: Node) -> RunCounts {
        RunCounts { passes: self.passes(node), fails: self.fails(node) }
    }

    fn of(&self, node: Node) -> impl Iterator<Item = (usize, &Run)> + '_ {
        self.runs.iter().enumerate().filter(move |(_, run)| run.node == node)
    }

    /// Whether one run ended before another started, by time. If the times are unknown or equal, the order of the reports counts.
    fn precedes(one: (usize, &Run), other: (usize, &Run)) -> bool {
        match (one.1.time, other.1.time) {
            (Some((began, ended)), Some((started, over))) if (began, ended) != (started, over) || began < ended => {
                ended <= started
            }
            _ => one.0 < other.0,
        }
    }

    /// Whether a pass of one revision came before a failure of another.
    pub(super) fn has_pass_before_fail(&self, passing: Node, failing: Node) -> bool {
        let fails = || self.of(failing).filter(|(_, run)| run.fails > 0);
        self.of(passing).filter(|(_, run)| run.passes > 0).any(|pass| fails().any(|fail| Self::precedes(pass, fail)))
    }

    /// Whether a failure of one revision came before a pass of another.
    pub(super) fn has_fail_before_pass(&self, failing: Node, passing: Node) -> bool {
        self.fails_after(failing, passing).is_none()
    }

    /// The number of failures of `passing` after a failure of `failing`, or `None` if `passing` passed after it.
    pub(super) fn fails_after(&self, failing: Node, passing: Node) -> Option<u32> {
        let comes_after = |run: &(usize, &Run)| {
            self.of(failing).filter(|(_, run)| run.fails > 0).any(|fail| Self::precedes(fail, *run))
        };
        let after = || self.of(passing).filter(comes_after);
        if after().any(|(_, run)| run.passes > 0) { None } else { Some(after().map(|(_, run)| run.fails).sum()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_with_equal_times_are_in_reported_order() {
        let mut order = RunOrder::default();
        for (node, passes, time) in [(0, 1, (5.0, 5.0)), (1, 0, (5.0, 5.0)), (2, 1, (4.0, 5.0)), (3, 0, (4.0, 5.0))] {
            order.push(Run { node, passes, fails: 1 - passes, time: Some(time) });
        }
        assert!(order.has_pass_before_fail(0, 1) && !order.has_fail_before_pass(1, 0));
        // Consecutive runs by the clock, and overlapping runs.
        assert!(order.has_pass_before_fail(2, 1) && !order.has_pass_before_fail(2, 3));
        assert!(order.has_fail_before_pass(3, 0) && !order.has_fail_before_pass(3, 2));
    }
}
