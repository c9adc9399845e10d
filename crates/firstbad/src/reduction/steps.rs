//! Algorithms that ask one set after another: moved on by what is known, and asked ahead by supposing answers.

use fixedbitset::FixedBitSet;

use super::futures::{Looking, likeliest};
use super::requirements::Requirements;
use super::units::Units;
use super::verdicts::{Lookup, Verdict};

/// An algorithm over units. Sets are those that are kept.
pub(super) trait Steps: Clone {
    /// The units that it wants to keep next; `None` if it is through.
    fn next(&self) -> Option<FixedBitSet>;

    /// Takes the verdict about what it wanted, of which `kept` was really tested.
    fn take(&mut self, kept: &FixedBitSet, verdict: Verdict);

    /// The smallest set of units that was seen to have the property.
    fn kept(&self) -> &FixedBitSet;

    /// Units that are known to be needed: nothing is asked that would go without what they need.
    fn proved(&self) -> Option<&FixedBitSet> {
        None
    }

    /// Whether a set that cannot stand is unresolved without being asked; else what it can do without goes too.
    const LITERAL: bool;
}

/// Such an algorithm, on its way.
#[derive(Debug, Clone)]
pub(super) struct Sequence<S> {
    pub(super) steps: S,
    units: Units,
    /// The items from which the units are taken away.
    start: FixedBitSet,
    next: Option<Question>,
    /// How often sets held, and how often not.
    held: u32,
    refused: u32,
    /// A set was unresolved, or could not be asked.
    pub(super) doubtful: bool,
}

/// What is asked, as items and as units.
#[derive(Debug, Clone)]
struct Question {
    items: FixedBitSet,
    units: FixedBitSet,
}

impl<S: Steps> Sequence<S> {
    /// The algorithm over the units of `start`, a set of items that has the property.
    pub(super) fn new(units: Units, start: &FixedBitSet, steps: S) -> Self {
        Sequence { steps, units, start: start.clone(), next: None, held: 0, refused: 0, doubtful: false }
    }

    /// The smallest set of items that was seen to have the property.
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

    /// Moves on by what is known, up to a set that has to be asked.
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

    /// Leaves out what cannot stand, and says what is known without asking.
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
                    // Parts of units may have gone, too.
                    self.start.intersect_with(&question.items);
                }
            }
            _ => self.refused += 1,
        }
        self.doubtful |= verdict == Verdict::Unresolved;
        self.steps.take(&question.units, verdict);
    }

    /// Sets worth asking: those that will most likely be asked next.
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
