//! The smallest part of a difference with which one outcome stays: a [`Minimize`] inside the walk.

use std::sync::Arc;

use super::config::PorterConfig;
use super::failure::Kind;
use super::patches::Part;
use crate::error::Error;
use crate::patch::Patch;
use crate::reduction::{Granularity, Guarantee, Minimize, brackets, edits};
use crate::search::{Algorithm as _, ChangeSet, Key, Ledger, Nested, Observation, Outcome, Status, Target};

/// Two trees, and which outcome of the second one is to stay on the way to the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Between {
    /// With none of the changes.
    pub(super) from: Target,
    /// With all of them.
    pub(super) to: Target,
    pub(super) keep: Kind,
}

/// How a difference is taken apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct How {
    pub(super) granularity: Granularity,
    pub(super) guarantee: Guarantee,
    /// Whether blocks go before their lines, and no half of one is tried. Not on the walk, where that holds for brackets alone:
    /// where one commit holds a cause and a conflict, a version is seen to pass only with new lines between old ones
    /// (Section 4.1).
    pub(super) blocks: bool,
}

/// The reduction of what lies between two trees.
#[derive(Debug)]
pub(super) struct Reduction {
    between: Between,
    universe: u64,
    count: usize,
    nested: Nested<Minimize>,
}

/// A reduction to be made, or being made.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) between: Between,
    /// `None` while what lies between is not read.
    pub(super) reduction: Option<Box<Reduction>>,
}

/// What it came to.
#[derive(Debug, Clone)]
pub(super) struct Reduced {
    pub(super) part: Part,
    pub(super) guarantee: Guarantee,
    /// How many changes there were.
    pub(super) count: usize,
}

impl Work {
    /// A reduction that begins now.
    pub(super) fn of(between: Between) -> Work {
        Work { between, reduction: None }
    }

    /// As [`Reduction::best`].
    pub(super) fn best(&self) -> Option<Reduced> {
        self.reduction.as_ref()?.best()
    }

    /// The tree of [`Work::best`], as it was tested.
    pub(super) fn reached(&self) -> Option<Target> {
        let reduction = self.reduction.as_ref()?;
        Some(reduction.target(&reduction.best()?.part.changes))
    }
}

impl Reduction {
    /// A reduction that nothing was answered to; `None` if the trees are equal.
    ///
    /// # Errors
    /// Those of [`Patch::parse`] and of the reduction's configuration.
    pub(super) fn new(
        between: Between,
        universe: u64,
        content: &[u8],
        config: &PorterConfig,
        how: How,
    ) -> Result<Option<Self>, Error> {
        let patch = Patch::parse(content)?;
        let count = patch.len();
        if count == 0 {
            return Ok(None);
        }
        let keep = if between.keep == Kind::Pass { Outcome::Pass } else { Outcome::Fail };
        let mut options = config.reduction(keep, how.guarantee);
        if how.granularity == Granularity::Lines && !config.hierarchical {
            options.parents = Some(vec![None; count]);
        } else if how.granularity == Granularity::Lines && !how.blocks {
            options.parents = Some(edits(&patch));
            options.dependencies = brackets(&patch);
        }
        let nested = Nested::new(count, options.in_patch(&patch, how.granularity))?;
        Ok(Some(Reduction { between, universe, count, nested }))
    }

    /// What a set of changes stands for: the trees at both ends have been met under other names.
    fn target(&self, changes: &ChangeSet) -> Target {
        match changes.len() {
            0 => self.between.from.clone(),
            all if all == self.count => self.between.to.clone(),
            _ => {
                Part::new(self.universe, changes.clone()).on(self.between.from.revision.as_deref().unwrap_or_default())
            }
        }
    }

    /// The set of changes that a target stands for; `None` if it is about something else.
    fn changes(&self, target: &Target) -> Option<ChangeSet> {
        if *target == self.between.from {
            Some(ChangeSet::all(0))
        } else if *target == self.between.to {
            Some(ChangeSet::all(self.count))
        } else {
            let ours = target.revision == self.between.from.revision && target.universe == Some(self.universe);
            target.changes.clone().filter(|changes| ours && changes.end() <= self.count)
        }
    }

    fn key(&mut self, target: &Target) -> Option<Key> {
        let changes = self.changes(target)?;
        Some(self.nested.space_mut().key_of(changes))
    }

    /// The part that a target tests; `None` if it is about something else.
    pub(super) fn part(&self, target: &Target) -> Option<Part> {
        self.changes(target).map(|changes| Part::new(self.universe, changes))
    }

    /// Takes an answer into account; false if it is about something else.
    pub(super) fn absorb(&mut self, target: &Target, kind: Kind, ran: bool) -> bool {
        let Some(key) = self.key(target) else { return false };
        let outcome = match (kind, self.between.keep) {
            (Kind::Pass, _) => Outcome::Pass,
            (Kind::Same, _) => Outcome::Fail,
            (Kind::Other, _) => Outcome::Unresolved,
        };
        self.nested.absorb(key, &Arc::new(Observation { ran, ..outcome.into() }));
        true
    }

    /// How many changes there were.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// How many were left when all levels had been gone through once; `None` before that.
    pub(super) fn left_by_first_round(&self) -> Option<usize> {
        self.nested.algorithm().left_by_first_round()
    }

    pub(super) fn choose(&mut self, want: usize, in_flight: &[Target]) -> Vec<Target> {
        let flying: Vec<Key> = in_flight.iter().filter_map(|target| self.key(target)).collect();
        let chosen = self.nested.choose(want, &flying);
        let space = self.nested.algorithm().space();
        chosen.into_iter().map(|key| self.target(space.set(key))).collect()
    }

    pub(super) fn wants(&self, in_flight: &[&Target]) -> Vec<bool> {
        let space = self.nested.algorithm().space();
        let own = |target: &&Target| self.changes(target).and_then(|changes| space.find(&changes));
        self.nested.wants(&in_flight.iter().map(own).collect::<Vec<_>>())
    }

    /// Whether it is over; the result, final or so far, is [`Reduction::best`].
    pub(super) fn is_over(&self) -> bool {
        self.nested.algorithm().status() != Status::Running
    }

    /// The smallest part seen so far with which the outcome stays; `None` if not even all of it does.
    pub(super) fn best(&self) -> Option<Reduced> {
        let algorithm = self.nested.algorithm();
        let report = algorithm.report(algorithm.status(), &Ledger::default());
        (report.status != Status::NotReproduced).then(|| Reduced {
            part: Part::new(self.universe, report.kept.into_iter().collect()),
            guarantee: report.guarantee,
            count: self.count,
        })
    }
}
