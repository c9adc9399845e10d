//! Guesses of a reduction's result, tested before larger parts are removed.

use fixedbitset::FixedBitSet;

use super::verdicts::Verdict;
use crate::search::ChangeSet;

/// What to remove from an expected set that has the property.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Expect {
    /// Larger parts first, as without guesses.
    #[default]
    Parts,
    /// Single units first, because probably none of them can be removed.
    Minimal,
    /// Nothing. The set is small enough.
    Nothing,
}

/// Sets that may have the property.
#[derive(Debug, Default)]
pub(super) struct Expected {
    sets: Vec<(FixedBitSet, Expect)>,
    /// How to continue with all items.
    all: Expect,
}

/// The first expected set that has the property.
pub(super) enum Found<'a> {
    Holds(&'a FixedBitSet),
    /// The set with this number must be tested first.
    Open(usize),
    None,
}

impl Expected {
    pub(super) fn new(sets: &[(ChangeSet, Expect)], count: usize, all: Expect) -> Self {
        let bits = |(set, then): &(ChangeSet, Expect)| {
            let mut bits = FixedBitSet::with_capacity(count);
            bits.extend(set.iter());
            (bits, *then)
        };
        Expected { sets: sets.iter().map(bits).collect(), all }
    }

    pub(super) fn set(&self, at: usize) -> Option<FixedBitSet> {
        self.sets.get(at).map(|(set, _)| set.clone())
    }

    /// Returns the first set from number `at` on that has the property.
    pub(super) fn first(&self, at: usize, known: impl Fn(&FixedBitSet) -> Option<Verdict>) -> Found<'_> {
        for (at, (set, _)) in self.sets.iter().enumerate().skip(at) {
            match known(set) {
                None => return Found::Open(at),
                Some(Verdict::Holds) => return Found::Holds(set),
                Some(_) => {}
            }
        }
        Found::None
    }

    /// Returns how to continue with a set.
    pub(super) fn then(&self, set: &FixedBitSet) -> Expect {
        let expected = self.sets.iter().find(|(other, _)| other == set);
        expected.map_or(if set.is_full() { self.all } else { Expect::Parts }, |(_, then)| *then)
    }
}
