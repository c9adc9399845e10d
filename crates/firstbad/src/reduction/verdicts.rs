//! What is known about sets of items: whether the property holds for them. Nothing is asked twice.

use crate::belief::{Rates, RunCounts};
use crate::search::{Items, Key};
use fixedbitset::FixedBitSet;

/// The key of the set of all items, which is met first.
pub(crate) const FULL: Key = 0;

/// What is known about one set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It has the property.
    Holds,
    /// It has not.
    Fails,
    /// It cannot be told (Zeller's `?`).
    Unresolved,
}

/// What is known about sets of items.
pub(super) type Lookup<'a> = &'a dyn Fn(&FixedBitSet) -> Option<Verdict>;

/// What was seen of one set.
#[derive(Debug, Clone, Default)]
struct Seen {
    tally: RunCounts,
    /// Runs that told nothing.
    blanks: u32,
    verdict: Option<Verdict>,
}

/// What is known about the sets that were ever met.
#[derive(Debug, Clone)]
pub(crate) struct Verdicts {
    /// By key.
    seen: Vec<Seen>,
    /// If the property is monotonic: the smallest sets that have it, the largest that have it not.
    frontier: Option<(Vec<Key>, Vec<Key>)>,
    noise: Option<Noise>,
}

/// What it takes to be sure although the oracle errs.
#[derive(Debug, Clone)]
pub(super) struct Noise {
    rates: Rates,
    confidence: f64,
    /// How many sets will be judged, at a guess: the more, the surer each has to be.
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

    /// The verdict that runs of one set are enough for. A set is accepted only so surely that all that are accepted
    /// together hold with the confidence: what comes after rests on them. A wrong refusal
    /// costs an item at most, apart from that of the full set, which would end it all.
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

    /// Forgets all that was seen; sets keep their keys.
    pub(super) fn forget(&mut self) {
        self.seen.iter_mut().for_each(|seen| *seen = Seen::default());
        if let Some(frontier) = &mut self.frontier {
            *frontier = Default::default();
        }
        if let Some(noise) = &mut self.noise {
            noise.forget();
        }
    }

    /// What is known of a set by itself.
    pub(crate) fn of(&self, key: Key) -> Option<Verdict> {
        self.seen.get(key as usize)?.verdict
    }

    /// What is known of a set, or follows for it.
    pub(super) fn verdict(&self, items: &Items, set: &FixedBitSet) -> Option<Verdict> {
        let words = trimmed(set);
        let own = items.find(words).and_then(|key| self.of(key));
        own.or_else(|| self.follows(items, words))
    }

    fn follows(&self, items: &Items, words: &[usize]) -> Option<Verdict> {
        let (holding, failing) = self.frontier.as_ref()?;
        if holding.iter().any(|&key| is_within(items.set(key).words(), words)) {
            return Some(Verdict::Holds);
        }
        failing.iter().any(|&key| is_within(words, items.set(key).words())).then_some(Verdict::Fails)
    }

    /// Takes runs of a set into account and says whether that settles it now; no runs at all is unresolved.
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
            // With noise, one run that could not be told is not yet a set that cannot.
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

/// The words of a set without those at the end that are zero.
pub(super) fn trimmed(set: &FixedBitSet) -> &[usize] {
    let words = set.as_slice();
    let used = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
    &words[..used]
}

/// Whether the first set lies within the second; both trimmed.
fn is_within(inner: &[usize], outer: &[usize]) -> bool {
    inner.len() <= outer.len() && inner.iter().zip(outer).all(|(inner, outer)| inner & !outer == 0)
}
