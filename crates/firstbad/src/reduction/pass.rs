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

/// A pass on its way.
#[derive(Debug, Clone)]
pub(super) enum Pass {
    Nested(Box<Nested>),
    Ddmin(Sequence<Ddmin>),
    Recursive(Sequence<Recursive>),
    Pieces(Sequence<Pieces>),
    Singles(Sequence<Singles>),
}

/// Whether units are gone through for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    First,
    Again,
    /// Again, and the first one gave way.
    InPieces,
}

/// Does the same with whatever algorithm of one set after another it is.
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
    /// A pass from `start`, a set that has the property. Units in `fixed` are known to be needed.
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
            // What stays although nothing was seen to need it hangs together: in pieces of any length it may go.
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

    /// A pass that tries to do without single units, at most so many, and then without two of those that are next to each
    /// other in one of these rows.
    pub(super) fn singles(units: &Units, start: &FixedBitSet, most: usize, rows: Vec<Vec<usize>>) -> Pass {
        let singles = Singles::new(&units.touched_by(start.clone()), most, rows);
        Pass::Singles(Sequence::new(units.clone(), start, singles))
    }

    /// Moves on by what is known.
    pub(super) fn settle(&mut self, tested: &TestedSets, requirements: Option<&Requirements>) {
        let known = |set: &FixedBitSet| tested.known(set);
        each!(self, nested => nested.settle(&known, requirements), sequence => sequence.settle(&known, requirements));
    }

    /// Takes a verdict that has just come into account.
    pub(super) fn absorb(&mut self, set: &FixedBitSet, verdict: Verdict, requirements: Option<&Requirements>) {
        if let Pass::Nested(nested) = self {
            nested.absorb(set, verdict, requirements);
        }
    }

    /// The set to ask when nothing is in flight; `None` if the pass is over.
    pub(super) fn next(&self) -> Option<&FixedBitSet> {
        each!(self, nested => nested.next(), sequence => sequence.next())
    }

    /// Whether there is nothing left to ask.
    pub(super) fn is_over(&self) -> bool {
        self.next().is_none()
    }

    /// At most `want` sets that tell of one place each, beside those in flight; none if the algorithm asks one after another.
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

    /// The items that are left.
    pub(super) fn kept(&self) -> FixedBitSet {
        each!(self, nested => nested.believed().clone(), sequence => sequence.kept())
    }

    /// The units that were seen to be needed.
    pub(super) fn proved(&self) -> Option<&FixedBitSet> {
        match self {
            Pass::Nested(nested) => Some(nested.proved()),
            Pass::Recursive(sequence) => sequence.steps.proved(),
            Pass::Pieces(sequence) => sequence.steps.proved(),
            _ => None,
        }
    }

    /// Whether it ended because units would have been asked for one by one.
    pub(super) fn gave_way(&self) -> bool {
        matches!(self, Pass::Nested(nested) if nested.gave_way())
    }

    /// Whether something stayed although it was not seen to be needed.
    pub(super) fn is_doubtful(&self) -> bool {
        each!(self, nested => !nested.unproven().is_clear(), sequence => sequence.doubtful)
    }
}
