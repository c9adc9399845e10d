//! The interface of algorithms that test one set after another, and lookahead for them.

use fixedbitset::FixedBitSet;

use super::futures::{Looking, likeliest};
use super::requirements::Requirements;
use super::units::Units;
use super::verdicts::{Lookup, Verdict};

/// An algorithm over units. All sets are sets of kept units.
pub(super) trait Steps: Clone {
    /// Returns the units to keep next, or `None` if the algorithm has finished.
    fn next(&self) -> Option<FixedBitSet>;

    /// Takes the verdict of the requested set, of which `kept` was really tested.
    fn take(&mut self, kept: &FixedBitSet, verdict: Verdict);

    /// Returns the smallest set of units that was observed to have the property.
    fn kept(&self) -> &FixedBitSet;

    /// Returns the units that are known to be needed. Sets without their dependencies are never tested.
    fn proved(&self) -> Option<&FixedBitSet> {
        None
    }

    /// Whether an impossible set counts as unresolved. Otherwise, all items that cannot stand are removed with it.
    const LITERAL: bool;
}

/// A running algorithm with its units.
#[derive(Debug, Clone)]
pub(super) struct Sequence<S> {
    pub(super) steps: S,
    units: Units,
    /// The items from which units are removed.
    start: FixedBitSet,
    next: Option<Question>,
    /// How many sets held, and how many did not.
    held: u32,
    refused: u32,
    /// Whether any set was unresolved or could not be tested.
    pub(super) doubtful: bool,
}

/// A set to test, as items and as units.
#[derive(Debug, Clone)]
struct Question {
    items: FixedBitSet,
    units: FixedBitSet,
}

impl<S: Steps> Sequence<S> {
    /// Creates the algorithm over the units of `start`, a set of items that has the property.
    pub(super) fn new(units: Units, start: &FixedBitSet, steps: S) -> Self {
        Sequence { steps, units, start: start.clone(), next: None, held: 0, refused: 0, doubtful: false }
    }

    /// Returns the smallest set of items that was observed to have the property.
    pub(super) fn kept(&self) -> FixedBitSet {
        self.items(self.steps.kept())
    }

    fn items(&self, kept: &FixedBitSet) -> FixedBitSet {
        let mut gone = self.units.touched_by(self.start.clone());
        gone.difference_with(kept);
        let mut items = self.start.clone();
        self.units.take_out(&gone, &mut items);
        items
    }

    pub(super) fn next(&self) -> Option<&FixedBitSet> {
        self.next.as_ref().map(|question| &question.items)
    }

    /// Applies known verdicts until a set must be tested.
    pub(super) fn settle(&mut self, known: Lookup<'_>, requirements: Option<&Requirements>) {
        self.next = None;
        while let Some(wanted) = self.steps.next() {
            let mut question = Question { items: self.items(&wanted), units: wanted };
            let barred = requirements.and_then(|requirements| self.bar(&mut question, requirements));
            if let Some(verdict) = barred {
                self.steps.take(&question.units, verdict);
                self.doubtful |= verdict == Verdict::Unresolved;
                continue;
            }
            match known(&question.items) {
                Some(verdict) => self.take(&question, verdict),
                None => {
                    self.next = Some(question);
                    return;
                }
            }
        }
    }

    /// Removes items that cannot stand, and returns the verdict if it is known without a test.
    fn bar(&self, question: &mut Question, requirements: &Requirements) -> Option<Verdict> {
        let mut gone = self.start.clone();
        gone.difference_with(&question.items);
        let before = question.items.clone();
        requirements.close(&mut question.items, gone.ones());
        if let Some(proved) = self.steps.proved() {
            let mut needed = FixedBitSet::with_capacity(self.start.len());
            proved.ones().for_each(|unit| requirements.bind(self.units.items_of(unit), &mut needed));
            if !needed.is_subset(&question.items) {
                return Some(Verdict::Fails);
            }
        }
        if question.items == before {
            return None;
        }
        if S::LITERAL {
            return Some(Verdict::Unresolved);
        }
        question.units.intersect_with(&self.units.touched_by(question.items.clone()));
        None
    }

    fn take(&mut self, question: &Question, verdict: Verdict) {
        match verdict {
            Verdict::Holds => {
                self.held += 1;
                if !S::LITERAL {
                    // Parts of units may also be gone.
                    self.start.intersect_with(&question.items);
                }
            }
            _ => self.refused += 1,
        }
        self.doubtful |= verdict == Verdict::Unresolved;
        self.steps.take(&question.units, verdict);
    }

    /// Returns the sets that will most likely be tested next.
    pub(super) fn choose(
        &self,
        looking: &Looking<'_>,
        known: Lookup<'_>,
        requirements: Option<&Requirements>,
    ) -> Vec<FixedBitSet> {
        let holds = f64::from(self.held + 1) / f64::from(self.held + self.refused + 2);
        let suppose = |sequence: &Self, _: &FixedBitSet, verdict| {
            let mut supposed = sequence.clone();
            if let Some(question) = &sequence.next {
                supposed.take(question, verdict);
            }
            supposed.settle(known, requirements);
            supposed
        };
        likeliest(self.clone(), looking, holds, |sequence| sequence.next().cloned(), suppose)
    }
}
