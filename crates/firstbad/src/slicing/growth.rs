//! Growth from the changes that every set contains: the sets to test, from small to large.

use fixedbitset::FixedBitSet;

use super::dependencies::Dependencies;

/// How many changes the first step adds beyond the predicted dependencies, and by which factor later steps add more.
const STEP: usize = 4;

/// The predictions of what the given changes need, before any run.
#[derive(Debug, Clone)]
pub(super) struct Related {
    /// The given changes with the start and the predicted dependencies.
    pub(super) needs: FixedBitSet,
    /// Also the changes that depend on them, such as later edits of the same code.
    pub(super) edits: FixedBitSet,
}

impl Related {
    /// Predicts what changes need. A failed run later refutes predictions that it met, although the test may need them.
    pub(super) fn of(always: &FixedBitSet, start: Option<&FixedBitSet>, dependencies: &Dependencies) -> Self {
        let mut needs = always.clone();
        start.into_iter().for_each(|start| needs.union_with(start));
        dependencies.complete(&mut needs);
        let mut edits = needs.clone();
        edits.union_with(&dependencies.dependents(&needs));
        dependencies.complete(&mut edits);
        Related { needs, edits }
    }
}

/// One set on the way from the smallest set to all changes.
#[derive(Debug, Clone)]
pub(super) struct Growth {
    /// The set to test: the reached one without the changes that could not be applied.
    pub(super) set: FixedBitSet,
    reached: FixedBitSet,
    /// The number of steps so far.
    steps: u32,
}

impl Growth {
    pub(super) fn new(always: &FixedBitSet) -> Self {
        Growth { set: always.clone(), reached: always.clone(), steps: 0 }
    }

    /// Returns the next larger set: with what is predicted to be related, then with more of the newest changes. Returns `None` if
    /// all changes were reached.
    pub(super) fn next(&self, related: &Related, dependencies: &Dependencies) -> Option<Self> {
        let mut reached = self.reached.clone();
        match self.steps {
            0 => reached.union_with(&related.needs),
            1 => reached.union_with(&related.edits),
            steps => {
                let left: Vec<usize> = reached.zeroes().collect();
                reached.extend(left.into_iter().rev().take(STEP.saturating_pow(steps - 1)));
            }
        }
        dependencies.complete(&mut reached);
        let next = Growth { set: reached.clone(), reached, steps: self.steps + 1 };
        match next.reached == self.reached {
            false => Some(next),
            true if next.reached.is_full() => None,
            true => next.next(related, dependencies),
        }
    }

    /// Removes a change that could not be applied, with its dependents. Returns false if every set contains one of them.
    pub(super) fn leave_out(&mut self, change: usize, always: &FixedBitSet, dependencies: &Dependencies) -> bool {
        let mut set = self.set.clone();
        set.remove(change);
        dependencies.close(&mut set, &FixedBitSet::from_iter([change]));
        let may_go = always.is_subset(&set);
        if may_go {
            self.set = set;
        }
        may_go
    }
}
