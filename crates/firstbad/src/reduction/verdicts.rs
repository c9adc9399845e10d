//! Verdicts of sets of items: whether the property holds. No set is tested twice.

use crate::belief::{Rates, RunCounts};
use crate::search::{Items, Key};
use fixedbitset::FixedBitSet;

/// The key of the set of all items, which is registered first.
pub(crate) const FULL: Key = 0;

/// The verdict of one set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The set has the property.
    Holds,
    /// The set lacks the property.
    Fails,
    /// The set is unresolved (Zeller's `?`).
    Unresolved,
}

/// A function that returns the known verdict of a set.
pub(super) type Lookup<'a> = &'a dyn Fn(&FixedBitSet) -> Option<Verdict>;

/// The observations of one set.
#[derive(Debug, Clone, Default)]
struct Seen {
    tally: RunCounts,
    /// The number of unresolved runs.
    blanks: u32,
    verdict: Option<Verdict>,
}

/// The verdicts of all registered sets.
#[derive(Debug, Clone)]
pub(crate) struct Verdicts {
    seen: Vec<Seen>,
    /// For a monotonic property, the smallest sets that have it and the largest that lack it.
    frontier: Option<(Vec<Key>, Vec<Key>)>,
    noise: Option<Noise>,
}

/// The parameters for an oracle whose outcomes can be wrong.
#[derive(Debug, Clone)]
pub(super) struct Noise {
    rates: Rates,
    confidence: f64,
    /// An estimate of the number of sets to judge. More sets need a higher confidence for each.
    judgements: f64,
    /// All runs of sets that hold and of sets that fail.
    holding: RunCounts,
    failing: RunCounts,
    judged: u32,
}

impl Noise {
    pub(super) fn new(rates: Rates, confidence: f64, items: usize) -> Self {
        let judgements = 8.0 + 2.0 * (items as f64 + 1.0).log2();
        Noise { rates, confidence, judgements, holding: RunCounts::default(), failing: RunCounts::default(), judged: 0 }
    }

    fn forget(&mut self) {
        (self.holding, self.failing, self.judged) = (RunCounts::default(), RunCounts::default(), 0);
    }

    /// Returns the verdict that the runs of one set suffice for.
    ///
    /// All accepted sets together must hold with the confidence, because later tests build on them. A wrong rejection costs
    /// at most one item, except for the full set, which would end the search.
    fn verdict(&self, tally: RunCounts, is_full: bool) -> Option<Verdict> {
        let holds = self.rates.fit(self.holding + tally, self.failing).ln_likelihood;
        let fails = self.rates.fit(self.holding, self.failing + tally).ln_likelihood;
        if holds == f64::NEG_INFINITY && fails == f64::NEG_INFINITY {
            return None;
        }
        let odds = (holds - fails).exp();
        let doubt = (1.0 - self.confidence) / (self.judgements + f64::from(self.judged));
        if 1.0 <= odds * doubt {
            Some(Verdict::Holds)
        } else if odds <= if is_full { doubt } else { 1.0 - self.confidence } {
            Some(Verdict::Fails)
        } else {
            None
        }
    }

    fn learn(&mut self, verdict: Verdict, runs: RunCounts) {
        match verdict {
            Verdict::Holds => self.holding += runs,
            Verdict::Fails => self.failing += runs,
            Verdict::Unresolved => {}
        }
    }
}

impl Verdicts {
    pub(super) fn new(monotonic: bool, noise: Option<Noise>) -> Self {
        Verdicts { seen: Vec::new(), frontier: monotonic.then(Default::default), noise }
    }

    /// Forgets all observations. Sets keep their keys.
    pub(super) fn forget(&mut self) {
        self.seen.iter_mut().for_each(|seen| *seen = Seen::default());
        if let Some(frontier) = &mut self.frontier {
            *frontier = Default::default();
        }
        if let Some(noise) = &mut self.noise {
            noise.forget();
        }
    }

    /// Returns the verdict from a set's own runs.
    pub(crate) fn of(&self, key: Key) -> Option<Verdict> {
        self.seen.get(key as usize)?.verdict
    }

    /// Returns the verdict of a set, or the one that follows from other sets.
    pub(super) fn verdict(&self, items: &Items, set: &FixedBitSet) -> Option<Verdict> {
        let words = trimmed(set);
        let own = items.find_words(words).and_then(|key| self.of(key));
        own.or_else(|| self.follows(items, words))
    }

    fn follows(&self, items: &Items, words: &[usize]) -> Option<Verdict> {
        let (holding, failing) = self.frontier.as_ref()?;
        if holding.iter().any(|&key| is_within(items.set(key).words(), words)) {
            return Some(Verdict::Holds);
        }
        failing.iter().any(|&key| is_within(words, items.set(key).words())).then_some(Verdict::Fails)
    }

    /// Adds runs of a set and returns the verdict if they settle it. Without runs, the set is unresolved.
    pub(super) fn learn(&mut self, items: &Items, key: Key, runs: RunCounts) -> Option<Verdict> {
        if self.seen.len() <= key as usize {
            self.seen.resize_with(key as usize + 1, Seen::default);
        }
        let seen = &mut self.seen[key as usize];
        seen.tally += runs;
        seen.blanks += u32::from(runs.runs() == 0);
        let tally = seen.tally;
        if let Some(verdict) = seen.verdict {
            if let Some(noise) = &mut self.noise {
                noise.learn(verdict, runs);
            }
            return None;
        }
        let verdict = match &self.noise {
            // With noise, one unresolved run does not make the set unresolved.
            _ if seen.blanks > 2 * tally.runs() => Verdict::Unresolved,
            Some(noise) => noise.verdict(tally, key == FULL)?,
            None if tally.passes > 0 && tally.fails == 0 => Verdict::Holds,
            None if tally.fails > 0 && tally.passes == 0 => Verdict::Fails,
            None => Verdict::Unresolved,
        };
        seen.verdict = Some(verdict);
        if let Some(noise) = &mut self.noise {
            noise.learn(verdict, tally);
            noise.judged += 1;
        }
        self.widen(items, key, verdict);
        Some(verdict)
    }

    fn widen(&mut self, items: &Items, key: Key, verdict: Verdict) {
        let Some((holding, failing)) = &mut self.frontier else { return };
        let words = |key: Key| items.set(key).words();
        match verdict {
            Verdict::Holds => {
                holding.retain(|&other| !is_within(words(key), words(other)));
                holding.push(key);
            }
            Verdict::Fails => {
                failing.retain(|&other| !is_within(words(other), words(key)));
                failing.push(key);
            }
            Verdict::Unresolved => {}
        }
    }
}

/// Returns the words of a set without trailing zeros.
pub(super) fn trimmed(set: &FixedBitSet) -> &[usize] {
    let words = set.as_slice();
    let used = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
    &words[..used]
}

/// Returns whether the first set is a subset of the second. Both are trimmed.
fn is_within(inner: &[usize], outer: &[usize]) -> bool {
    inner.len() <= outer.len() && inner.iter().zip(outer).all(|(inner, outer)| inner & !outer == 0)
}
