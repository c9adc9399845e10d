//! One pass of any algorithm over the units of one level.

use fixedbitset::FixedBitSet;

use super::config::Method;
use super::ddmin::Ddmin;
use super::nested::Nested;
use super::pieces::Pieces;
use super::recursive::Recursive;
use super::requirements::Requirements;
use super::singles::Singles;
use super::steps::{Sequence, Steps};
use super::tested_sets::TestedSets;
use super::units::Units;
use super::verdicts::Verdict;

#[derive(Debug, Clone)]
pub(super) enum Pass {
    Nested(Box<Nested>),
    Ddmin(Sequence<Ddmin>),
    Recursive(Sequence<Recursive>),
    Pieces(Sequence<Pieces>),
    Singles(Sequence<Singles>),
}

/// Whether this is the first pass over the units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    First,
    Again,
    /// A repeated pass after the first one gave up.
    InPieces,
}

/// Dispatches to the algorithms that test one set after another.
macro_rules! each {
    ($pass:expr, $nested:ident => $one:expr, $sequence:ident => $other:expr) => {
        match $pass {
            Pass::Nested($nested) => $one,
            Pass::Ddmin($sequence) => $other,
            Pass::Recursive($sequence) => $other,
            Pass::Pieces($sequence) => $other,
            Pass::Singles($sequence) => $other,
        }
    };
}

impl Pass {
    /// Creates a pass from a set that has the property. Units in `fixed` are known to be needed.
    pub(super) fn new(
        tested: &TestedSets,
        units: &Units,
        start: &FixedBitSet,
        fixed: &FixedBitSet,
        round: Round,
        requirements: Option<&Requirements>,
    ) -> Pass {
        let weights = units.weights(tested.config.weights.as_deref());
        let kept = units.touched_by(start.clone());
        let units = units.clone();
        let open = kept.difference_count(fixed);
        let again = round != Round::First;
        match tested.config.algorithm {
            // The units that stay without proof depend on each other, so they may be removable in pieces of any length.
            Method::Auto if again && open > 2 * fixed.count_ones(..) => {
                let recursion = Recursive::new(&kept, fixed, weights.as_deref());
                match round {
                    Round::InPieces => Pass::Pieces(Sequence::new(units, start, Pieces::new(recursion))),
                    _ => Pass::Recursive(Sequence::new(units, start, recursion)),
                }
            }
            Method::Auto => {
                let mut nested = Nested::new(units, weights, start, fixed, requirements, again);
                if !again && tested.config.parents.is_none() {
                    nested.may_give_way();
                }
                Pass::Nested(Box::new(nested))
            }
            Method::Ddmin => Pass::Ddmin(Sequence::new(units, start, Ddmin::new(&kept))),
            Method::Recursive => {
                Pass::Recursive(Sequence::new(units, start, Recursive::new(&kept, fixed, weights.as_deref())))
            }
        }
    }

    /// Creates a pass that removes at most `most` single units, and then pairs of neighbors in one of these rows.
    pub(super) fn singles(units: &Units, start: &FixedBitSet, most: usize, rows: Vec<Vec<usize>>) -> Pass {
        let singles = Singles::new(&units.touched_by(start.clone()), most, rows);
        Pass::Singles(Sequence::new(units.clone(), start, singles))
    }

    /// Applies known verdicts.
    pub(super) fn settle(&mut self, tested: &TestedSets, requirements: Option<&Requirements>) {
        let known = |set: &FixedBitSet| tested.known(set);
        each!(self, nested => nested.settle(&known, requirements), sequence => sequence.settle(&known, requirements));
    }

    pub(super) fn absorb(&mut self, set: &FixedBitSet, verdict: Verdict, requirements: Option<&Requirements>) {
        if let Pass::Nested(nested) = self {
            nested.absorb(set, verdict, requirements);
        }
    }

    /// Returns the set to test if no test is in flight, or `None` if the pass is over.
    pub(super) fn next(&self) -> Option<&FixedBitSet> {
        each!(self, nested => nested.next(), sequence => sequence.next())
    }

    pub(super) fn is_over(&self) -> bool {
        self.next().is_none()
    }

    /// Returns at most `want` sets that test different places and are not in flight. Sequential algorithms return none.
    pub(super) fn side_by_side(
        &self,
        tested: &TestedSets,
        want: usize,
        in_flight: &[FixedBitSet],
        requirements: Option<&Requirements>,
    ) -> Vec<FixedBitSet> {
        let known = |set: &FixedBitSet| tested.known(set);
        match self {
            Pass::Nested(nested) => nested.side_by_side(want, in_flight, &known, requirements),
            _ => Vec::new(),
        }
    }

    /// Returns the items that are left.
    pub(super) fn kept(&self) -> FixedBitSet {
        each!(self, nested => nested.believed().clone(), sequence => sequence.kept())
    }

    /// Returns the units known to be needed.
    pub(super) fn proved(&self) -> Option<&FixedBitSet> {
        match self {
            Pass::Nested(nested) => Some(nested.proved()),
            Pass::Recursive(sequence) => sequence.steps.proved(),
            Pass::Pieces(sequence) => sequence.steps.proved(),
            _ => None,
        }
    }

    /// Returns whether a pass over single units has removed one.
    pub(super) fn has_removed(&self) -> bool {
        matches!(self, Pass::Singles(sequence) if sequence.steps.found)
    }

    /// Returns whether the pass ended because it would have tested single units.
    pub(super) fn gave_way(&self) -> bool {
        matches!(self, Pass::Nested(nested) if nested.gave_way())
    }

    /// Returns whether any unit stayed although no test showed that it is needed.
    pub(super) fn is_doubtful(&self) -> bool {
        each!(self, nested => !nested.unproven().is_clear(), sequence => sequence.doubtful)
    }
}
