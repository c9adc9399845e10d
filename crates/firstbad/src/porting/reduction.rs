//! Finds the smallest part of a difference that keeps an outcome, with a [`Minimize`] inside the walk.

use std::sync::Arc;

use super::config::PorterConfig;
use super::failure::Kind;
use super::guesses::Guess;
use super::patches::Part;
use crate::error::Error;
use crate::patch::Patch;
use crate::reduction::{Expect, Granularity, Guarantee, Method, Minimize, brackets, edits};
use crate::search::{Algorithm as _, ChangeSet, Key, Ledger, Nested, Observation, Outcome, Status, Target};

/// Two trees, and the outcome of the second one to keep while changes are removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Between {
    /// The tree with none of the changes.
    pub(super) from: Target,
    /// The tree with all of the changes.
    pub(super) to: Target,
    pub(super) keep: Kind,
}

/// The way to reduce a difference.
#[derive(Debug, Clone, Copy)]
pub(super) struct How {
    pub(super) granularity: Granularity,
    pub(super) guarantee: Guarantee,
    /// Whether whole blocks are removed before their lines. During the walk, only brackets stay in pairs: if one commit
    /// contains a cause and a conflict, a version may pass only with new lines among old ones (Section 4.1).
    pub(super) blocks: bool,
    /// What to remove if a guess is right.
    pub(super) then: Expect,
}

/// A reduction of the difference between two trees.
#[derive(Debug)]
pub(super) struct Reduction {
    between: Between,
    universe: u64,
    count: usize,
    /// The guesses.
    sets: Vec<(ChangeSet, Expect)>,
    nested: Nested<Minimize>,
}

/// A reduction that is planned or running.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) between: Between,
    /// `None` until the difference is read.
    pub(super) reduction: Option<Box<Reduction>>,
}

/// The result of a reduction.
#[derive(Debug, Clone)]
pub(super) struct Reduced {
    pub(super) part: Part,
    pub(super) guarantee: Guarantee,
    /// The number of changes before the reduction.
    pub(super) count: usize,
}

impl Work {
    pub(super) fn of(between: Between) -> Work {
        Work { between, reduction: None }
    }

    /// See [`Reduction::best`].
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
    /// Creates a reduction without outcomes, or returns `None` if the trees are equal.
    ///
    /// # Errors
    /// Returns the errors of [`Patch::parse`] and of the reduction's configuration.
    pub(super) fn new(
        between: Between,
        universe: u64,
        content: &[u8],
        config: &PorterConfig,
        how: How,
        guess: Option<&Guess>,
    ) -> Result<Option<Self>, Error> {
        let patch = Patch::parse(content)?;
        let count = patch.len();
        if count == 0 {
            return Ok(None);
        }
        let keep = if between.keep == Kind::Pass { Outcome::Pass } else { Outcome::Fail };
        let mut options = config.reduction(keep, how.guarantee);
        let granularity = if config.hierarchical { how.granularity } else { Granularity::Lines };
        if !config.hierarchical {
            options.parents = Some(vec![None; count]);
        } else if granularity == Granularity::Lines && !how.blocks {
            options.parents = Some(edits(&patch));
            options.dependencies = brackets(&patch);
        }
        let options = options.in_patch(&patch, granularity);
        // Without a guess, all changes may be the result.
        let (sets, all) = match guess {
            Some(guess) => (guess.sets(&patch, &options, how.then), Expect::Parts),
            None => (Vec::new(), how.then),
        };
        let mut nested: Nested<Minimize> = Nested::new(count, options)?;
        if config.algorithm == Method::Auto {
            nested.algorithm_mut().expect(&sets, all);
        }
        Ok(Some(Reduction { between, universe, count, sets, nested }))
    }

    /// Returns the target of a set of changes. The full and the empty set have the existing names of the two trees.
    fn target(&self, changes: &ChangeSet) -> Target {
        match changes.len() {
            0 => self.between.from.clone(),
            all if all == self.count => self.between.to.clone(),
            _ => {
                Part::new(self.universe, changes.clone()).on(self.between.from.revision.as_deref().unwrap_or_default())
            }
        }
    }

    /// Returns the set of changes of a target, or `None` if the target belongs to something else.
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

    /// Returns the part that a target tests, or `None` if the target belongs to something else.
    pub(super) fn part(&self, target: &Target) -> Option<Part> {
        self.changes(target).map(|changes| Part::new(self.universe, changes))
    }

    /// Returns the place of a part among the guesses.
    pub(super) fn guess(&self, part: &Part) -> Option<usize> {
        let is_own = part.universe == Some(self.universe);
        self.sets.iter().position(|(set, _)| is_own && *set == part.changes)
    }

    /// Records an observation. Returns false if the target belongs to something else.
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

    /// Returns the number of changes before the reduction.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of changes left after the first round over all levels, or `None` before that.
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

    /// Returns whether the reduction is over. [`Reduction::best`] is the result.
    pub(super) fn is_over(&self) -> bool {
        self.nested.algorithm().status() != Status::Running
    }

    /// Returns the smallest part so far that keeps the outcome, or `None` if not even all changes do.
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
