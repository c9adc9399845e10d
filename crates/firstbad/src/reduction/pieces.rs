//! What hangs together and lies together: the recursion, then neighbours again and again where something went beside them.
//!
//! In a text that says nothing about its lines most sets cannot even be read, and a refused line tells little: it may go once
//! its neighbours did. Halves of halves find what goes as it is. What is left then mostly goes from the inside outwards, a
//! bracket with the bracket that has become its neighbour, so only that is tried whose neighbours have changed, until nothing
//! goes any more.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;

use super::recursive::Recursive;
use super::steps::Steps;
use super::verdicts::Verdict;

/// The recursion, and then neighbours.
#[derive(Debug, Clone)]
pub(super) struct Pieces {
    recursion: Recursive,
    /// Single units and neighbours, by the first and the last one, that were refused, and what lay beside them then.
    refused: BTreeMap<(usize, usize), Beside>,
    /// How many units there were at the start, or when the neighbours were gone through from the newest on.
    begun: usize,
    /// The older one of the neighbours that are tried, and whether it is tried by itself.
    at: Option<(usize, bool)>,
}

/// The units before and behind.
type Beside = (Option<usize>, Option<usize>);

impl Pieces {
    pub(super) fn new(recursion: Recursive) -> Self {
        let begun = recursion.kept().count_ones(..);
        Pieces { recursion, refused: BTreeMap::new(), begun, at: None }
    }

    fn is_open(&self, unit: usize) -> bool {
        self.recursion.kept().contains(unit) && self.recursion.proved().is_none_or(|proved| !proved.contains(unit))
    }

    fn before(&self, unit: usize) -> Option<usize> {
        (0..unit).rev().find(|&unit| self.is_open(unit))
    }

    fn behind(&self, unit: usize) -> Option<usize> {
        (unit + 1..self.recursion.kept().len()).find(|&unit| self.is_open(unit))
    }

    fn beside(&self, first: usize, last: usize) -> Beside {
        (self.before(first), self.behind(last))
    }

    /// The first and the last one of what is tried.
    fn tried(&self, (unit, alone): (usize, bool)) -> Option<(usize, usize)> {
        if alone { Some((unit, unit)) } else { self.behind(unit).map(|next| (unit, next)) }
    }

    fn following(&self, (unit, alone): (usize, bool)) -> Option<(usize, bool)> {
        if alone { self.before(unit).map(|unit| (unit, false)) } else { Some((unit, true)) }
    }

    /// On to what was not refused as it lies now, from here on; from the newest on again after something went.
    fn seek(&mut self, from: Option<(usize, bool)>) {
        let mut at = from.or_else(|| self.begin_again());
        while let Some(here) = at {
            let tried = self.tried(here);
            if tried.is_some_and(|(first, last)| self.refused.get(&(first, last)) != Some(&self.beside(first, last))) {
                break;
            }
            at = self.following(here).or_else(|| self.begin_again());
        }
        self.at = at;
    }

    /// The newest, if something went since it was last begun with.
    fn begin_again(&mut self) -> Option<(usize, bool)> {
        let kept = self.recursion.kept();
        let (left, end) = (kept.count_ones(..), kept.len());
        let has_changed = left < std::mem::replace(&mut self.begun, left);
        self.before(end).filter(|_| has_changed).map(|unit| (unit, false))
    }

    fn refuse(&mut self, first: usize, last: usize) {
        let beside = self.beside(first, last);
        self.refused.insert((first, last), beside);
    }
}

impl Steps for Pieces {
    const LITERAL: bool = false;

    fn next(&self) -> Option<FixedBitSet> {
        let Some((first, last)) = self.at.and_then(|at| self.tried(at)) else { return self.recursion.next() };
        let mut wanted = self.recursion.kept().clone();
        wanted.remove(first);
        wanted.remove(last);
        Some(wanted)
    }

    fn take(&mut self, kept: &FixedBitSet, verdict: Verdict) {
        match self.at.and_then(|at| Some((at, self.tried(at)?))) {
            None => {
                let piece = self.recursion.piece();
                self.recursion.take(kept, verdict);
                if let (false, Some((first, last))) = (verdict == Verdict::Holds, piece) {
                    self.refuse(first, last);
                }
                if self.recursion.next().is_none() {
                    self.seek(None);
                }
            }
            Some((at, (first, last))) => {
                let before = self.before(at.0).map(|unit| (unit, false));
                let from = if verdict == Verdict::Holds {
                    self.recursion.keep(kept);
                    before
                } else {
                    self.refuse(first, last);
                    if verdict == Verdict::Fails && at.1 {
                        self.recursion.prove(first);
                    }
                    if at.1 { before } else { self.following(at) }
                };
                self.seek(from);
            }
        }
    }

    fn kept(&self) -> &FixedBitSet {
        self.recursion.kept()
    }

    fn proved(&self) -> Option<&FixedBitSet> {
        self.recursion.proved()
    }
}
