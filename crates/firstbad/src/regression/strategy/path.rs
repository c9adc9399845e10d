//! Linear, binary, and multiplying search on a path from a passing revision to a failing one (RPA, Section 3.2).
//!
//! ```text
//!     multSearch(p)             p = <v_0, ..., v_l>, v_0 is valid, v_l is not       Algorithm 3
//!  2      if l = 1
//!  3          return (v_0, v_1)
//!  4      k = 1
//!  5      while l - (2^k - 1) > 0
//!  6          if valid(v_{l-(2^k-1)})
//!  7              return multSearch(<v_{l-(2^k-1)}, ..., v_{l-(2^(k-1)-1)}>)
//!  8          k = k + 1
//!  9      return multSearch(<v_0, ..., v_{l-(2^(k-1)-1)}>)
//! ```
//!
//! Recursion is a loop here: `low` is v_0 and `high` is the oldest invalid vertex. The search leaves unresolved positions in
//! growing steps.

use crate::belief::Blocks;
use crate::regression::config::SearchKind;
use crate::search::Outcome;

/// How to choose the next position on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathKind {
    /// One by one, back from the leaf.
    Linear,
    /// The middle, rounded up.
    Binary,
    /// Doubling gaps from the leaf, and again in the last gap (Algorithm 3).
    Multiplying,
    /// Doubling gaps from the leaf, then halving.
    Gallop,
}

impl PathKind {
    /// Returns the kind of path search for an option, if it is one.
    pub(super) fn of(search: SearchKind) -> Option<Self> {
        match search {
            SearchKind::Linear => Some(PathKind::Linear),
            SearchKind::Binary => Some(PathKind::Binary),
            SearchKind::Multiplying => Some(PathKind::Multiplying),
            SearchKind::Gallop => Some(PathKind::Gallop),
            SearchKind::Auto | SearchKind::Bisect | SearchKind::Weighted | SearchKind::Bayes => None,
        }
    }
}

/// The next step of a path search.
pub(super) enum PathStep {
    /// Test a position, which fails with this probability if all culprits are equally likely.
    Ask { position: usize, fail_chance: f64 },
    /// The search is over. `low` passes, `high` fails, and all positions between them are unresolved or treated as unresolved.
    Done { low: usize, high: usize },
}

/// A search on positions `0..=length`. Position 0 passes and the last one fails.
#[derive(Debug, Clone)]
pub(super) struct PathSearch {
    kind: PathKind,
    low: usize,
    pub(super) high: usize,
    /// Algorithm 3's `l`, from which the doubling gaps are counted, and its `k`.
    l: usize,
    k: u32,
    /// The unresolved positions between `low` and `high` that the search has collected, ascending.
    unresolved: Vec<usize>,
}

impl PathSearch {
    pub(super) fn new(kind: PathKind, length: usize) -> Self {
        PathSearch { kind, low: 0, high: length, l: length, k: 1, unresolved: Vec::new() }
    }

    /// The next position without a known outcome.
    pub(super) fn next(&mut self, outcome: impl Fn(usize) -> Option<Outcome>) -> PathStep {
        while self.high - self.low > 1 {
            let wish = self.wish();
            let position = if self.unresolved.is_empty() { Some(wish) } else { self.beside(wish) };
            let Some(position) = position else {
                if self.narrow(&outcome) {
                    continue;
                }
                break;
            };
            match outcome(position) {
                // Collect the known unresolved positions before asking.
                None if self.unresolved.is_empty() && self.gather(&outcome) => continue,
                None => {
                    let fail_chance = (position - self.low) as f64 / (self.high - self.low) as f64;
                    return PathStep::Ask { position, fail_chance };
                }
                Some(Outcome::Pass) => {
                    self.low = position;
                    self.l = self.high;
                    self.k = 1;
                    if self.kind == PathKind::Gallop {
                        self.kind = PathKind::Binary;
                    }
                }
                Some(Outcome::Fail) => self.high = position,
                Some(Outcome::Unresolved) => {
                    self.gather(&outcome);
                }
            }
            let (low, high) = (self.low, self.high);
            self.unresolved.retain(|&position| low < position && position < high);
        }
        PathStep::Done { low: self.low, high: self.high }
    }

    /// Adds outcomes that were not requested, such as those from other searches. Passes always shorten the path. Failures do so
    /// only in a binary search. Returns whether any did.
    pub(super) fn learn(&mut self, known: &[(usize, Outcome)]) -> bool {
        let before = (self.low, self.high);
        for wanted in [Outcome::Pass, Outcome::Fail] {
            for &(position, outcome) in known {
                if outcome != wanted || position <= self.low || position >= self.high {
                    continue;
                }
                match outcome {
                    Outcome::Pass => self.low = position,
                    _ if self.kind == PathKind::Binary => self.high = position,
                    _ => {}
                }
            }
        }
        before != (self.low, self.high)
    }

    /// Collects all known unresolved positions. Returns whether there are any.
    fn gather(&mut self, outcome: &impl Fn(usize) -> Option<Outcome>) -> bool {
        let is_unresolved = |&position: &usize| outcome(position) == Some(Outcome::Unresolved);
        self.unresolved = (self.low + 1..self.high).filter(is_unresolved).collect();
        !self.unresolved.is_empty()
    }

    /// Narrows the range by known outcomes that were never chosen, if nothing is left to ask: the newest pass, then the
    /// oldest failure after it. Returns whether the range changed.
    fn narrow(&mut self, outcome: &impl Fn(usize) -> Option<Outcome>) -> bool {
        let before = (self.low, self.high);
        let is = |wanted: Outcome| move |&position: &usize| outcome(position) == Some(wanted);
        self.low = (self.low + 1..self.high).rev().find(is(Outcome::Pass)).unwrap_or(self.low);
        self.high = (self.low + 1..self.high).find(is(Outcome::Fail)).unwrap_or(self.high);
        (self.l, self.k) = (self.high, 1);
        let (low, high) = (self.low, self.high);
        self.unresolved.retain(|&position| low < position && position < high);
        before != (low, high)
    }

    /// The position that this kind of search tests next.
    fn wish(&mut self) -> usize {
        let middle = (self.low + self.high).div_ceil(2);
        match self.kind {
            PathKind::Linear => self.high - 1,
            PathKind::Binary => middle,
            PathKind::Multiplying | PathKind::Gallop => loop {
                // v_{l - (2^k - 1)}, but below `high`. Leaving unresolved revisions can have lowered `high`.
                let gap = 1usize.checked_shl(self.k).map_or(usize::MAX, |power| power - 1);
                match self.l.checked_sub(gap) {
                    Some(position) if position > self.low && position < self.high => break position,
                    Some(position) if position >= self.high => self.k += 1,
                    _ if self.kind == PathKind::Gallop => {
                        self.kind = PathKind::Binary;
                        break middle;
                    }
                    _ => {
                        self.l = self.high;
                        self.k = 1;
                    }
                }
            },
        }
    }

    /// The position to test instead of an unresolved one: near the wish, but away from the unresolved block.
    fn beside(&self, wish: usize) -> Option<usize> {
        let blocks = Blocks::new(&self.unresolved);
        let below = (wish - self.low) as f64;
        let above = (self.high - wish) as f64;
        let score = |position: usize| {
            let nearness = ((position - self.low) as f64 / below).min((self.high - position) as f64 / above);
            nearness * blocks.chance(position, None)
        };
        let mut best = None;
        for position in (self.low + 1..self.high).rev() {
            let score = score(position);
            if score > best.map_or(0.0, |(score, _)| score) {
                best = Some((score, position));
            }
        }
        best.map(|(_, position)| position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(kind: PathKind, outcomes: &[Outcome]) -> (Vec<usize>, (usize, usize)) {
        let mut known = vec![None; outcomes.len()];
        let mut search = PathSearch::new(kind, outcomes.len() - 1);
        let mut asked = Vec::new();
        loop {
            match search.next(|position| known[position]) {
                PathStep::Ask { position, .. } => {
                    assert!(known[position].is_none(), "asked twice");
                    known[position] = Some(outcomes[position]);
                    asked.push(position);
                }
                PathStep::Done { low, high } => return (asked, (low, high)),
            }
        }
    }

    #[test]
    fn leaves_a_long_unresolved_block_in_few_runs() {
        for (start, end) in [(300, 700), (480, 520), (10, 990), (400, 999)] {
            let outcome = |position| match position {
                p if p < start => Outcome::Pass,
                p if p < end => Outcome::Unresolved,
                _ => Outcome::Fail,
            };
            let outcomes: Vec<_> = (0..=1000).map(outcome).collect();
            let (asked, found) = run(PathKind::Binary, &outcomes);
            assert_eq!(found, (start - 1, end));
            assert!(asked.len() <= 40, "{} runs for {start}..{end}", asked.len());
        }
    }

    #[test]
    fn scattered_unresolved_revisions_do_not_hide_the_edge() {
        let outcome = |position: usize| match position {
            p if p % 5 == 2 => Outcome::Unresolved,
            p if p < 614 => Outcome::Pass,
            _ => Outcome::Fail,
        };
        let outcomes: Vec<_> = (0..=1000).map(outcome).collect();
        for kind in [PathKind::Linear, PathKind::Binary, PathKind::Multiplying, PathKind::Gallop] {
            assert_eq!(run(kind, &outcomes).1, (613, 614), "{kind:?}");
        }
    }
}
