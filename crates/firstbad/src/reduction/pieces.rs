//! Recursion, followed by passes over neighboring units until nothing changes.
//!
//! Without knowledge of its structure, most subsets of a text's lines are invalid, and a rejected line may be removable once
//! its neighbors are gone. The recursion removes independent lines first. The rest often goes from the inside out, such
//! as brackets that have become neighbors. Therefore only units whose neighbors changed are tried again.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;

use super::recursive::Recursive;
use super::steps::Steps;
use super::verdicts::Verdict;

#[derive(Debug, Clone)]
pub(super) struct Pieces {
    recursion: Recursive,
    /// Units and pairs that could not be removed, by first and last unit, with their neighbors at that time.
    refused: BTreeMap<(usize, usize), Beside>,
    /// The number of units when the current run over neighbors started.
    begun: usize,
    /// The older unit of the pair to try, and whether it is tried alone.
    at: Option<(usize, bool)>,
}

/// The previous and the next unit.
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

    /// The first and the last unit to try.
    fn tried(&self, (unit, alone): (usize, bool)) -> Option<(usize, usize)> {
        if alone { Some((unit, unit)) } else { self.behind(unit).map(|next| (unit, next)) }
    }

    fn following(&self, (unit, alone): (usize, bool)) -> Option<(usize, bool)> {
        if alone { self.before(unit).map(|unit| (unit, false)) } else { Some((unit, true)) }
    }

    /// Moves to the next candidate that was not rejected with its current neighbors. Starts again at the newest unit after a
    /// removal.
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

    /// Restarts from the newest unit if anything was removed since the last start.
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
