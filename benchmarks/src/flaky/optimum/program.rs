//! The dynamic programme over what is known about a list of suspects.
//!
//! A pass clears all suspects up to its place, and earlier evidence no longer tells the others apart. So a state is the
//! first suspect left, with the failures at each place from there on. It can fail forever: branches that are hardly
//! ever reached are closed with an estimate.

use std::collections::HashMap;

use super::super::bound::{capacity, entropy};

/// Suspects on a list, and when the search for one ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Model {
    pub(super) suspects: usize,
    pub(super) rate: f64,
    /// How likely it is beforehand that it was nobody.
    pub(super) none: f64,
    pub(super) confidence: f64,
}

/// What was seen, as far as it still matters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct State {
    from: u8,
    /// Failures at each place from `from` on.
    fails: Box<[u8]>,
}

/// The posterior in a state.
pub(super) struct View {
    from: usize,
    rate: f64,
    /// Of the suspects from `from` on; the last one is "no culprit".
    posterior: Vec<f64>,
    cumulated: Vec<f64>,
}

impl State {
    /// Passes and failures by place.
    pub(super) fn seen(&self) -> impl Iterator<Item = (usize, u32, u32)> {
        let from = usize::from(self.from);
        let pass = from.checked_sub(1).map(|place| (place, 1, 0));
        let fails = self.fails.iter().enumerate().filter(|(_, fails)| **fails > 0);
        pass.into_iter().chain(fails.map(move |(offset, &fails)| (from + offset, 0, u32::from(fails))))
    }

    pub(super) fn after(&self, place: usize, failed: bool) -> State {
        let mut next = self.clone();
        let offset = place - usize::from(self.from);
        if failed {
            next.fails[offset] += 1;
        } else {
            next.from = place as u8 + 1;
            next.fails = self.fails[offset + 1..].into();
        }
        next
    }
}

impl Model {
    pub(super) fn start(&self) -> State {
        State { from: 0, fails: vec![0; self.suspects].into() }
    }

    pub(super) fn view(&self, state: &State) -> View {
        let each = (1.0 - self.none) / self.suspects as f64;
        let mut posterior = Vec::with_capacity(state.fails.len() + 1);
        let mut flaked = 1.0;
        for &fails in &state.fails {
            posterior.push(each * flaked);
            flaked *= self.rate.powi(i32::from(fails));
        }
        posterior.push(self.none * flaked);
        let sum: f64 = posterior.iter().sum();
        posterior.iter_mut().for_each(|p| *p /= sum);
        let add = |sum: &mut f64, p: &f64| {
            *sum += p;
            Some(*sum)
        };
        let cumulated = posterior.iter().scan(0.0, |sum, p| add(sum, p)).collect();
        View { from: usize::from(state.from), rate: self.rate, posterior, cumulated }
    }
}

impl View {
    /// The probability of the likeliest hypothesis.
    fn top(&self) -> f64 {
        self.posterior.iter().copied().fold(0.0, f64::max)
    }

    /// How likely a run at a place fails, or passes.
    pub(super) fn chance(&self, place: usize, failed: bool) -> f64 {
        let Some(offset) = place.checked_sub(self.from) else { return f64::from(u8::from(!failed)) };
        let healthy = 1.0 - self.cumulated[offset];
        let pass = (healthy * (1.0 - self.rate)).max(0.0);
        if failed { 1.0 - pass } else { pass }
    }

    fn information(&self, place: usize) -> f64 {
        let healthy = 1.0 - self.cumulated[place - self.from];
        entropy(self.chance(place, true)) - healthy * entropy(self.rate)
    }

    /// About how many runs remain.
    pub(super) fn estimate(&self, capacity: f64) -> f64 {
        let entropy: f64 = self.posterior.iter().filter(|&&p| p > 0.0).map(|p| -p * p.log2()).sum();
        0.7 + entropy / capacity
    }
}

/// Among which places the best one is sought.
#[derive(Debug, Clone, Copy)]
pub(super) struct Breadth {
    /// Those that tell at least this share of the most that any tells,
    pub(super) share: f64,
    /// and at most so many; the last suspect, whose pass proves a flake, always.
    pub(super) most: usize,
    /// Branches less likely than this are closed with an estimate.
    pub(super) reach: f64,
}

impl Breadth {
    pub(super) fn words(self) -> String {
        if self.most == usize::MAX { "all".into() } else { format!("best {}", self.most) }
    }
}

/// A value computed for a state stands until the state is met 20 times as likely (pruned branches count more then).
pub(super) const ENOUGH: f64 = 0.05;

/// The expected runs of the best choices.
pub(super) struct Optimum<'m> {
    model: &'m Model,
    breadth: Breadth,
    capacity: f64,
    known: HashMap<State, (f64, f64)>,
}

impl<'m> Optimum<'m> {
    pub(super) fn new(model: &'m Model, breadth: Breadth) -> Self {
        Optimum { model, breadth, capacity: capacity(model.rate), known: HashMap::new() }
    }

    pub(super) fn runs(mut self) -> f64 {
        let start = self.model.start();
        self.remaining(&start, 1.0)
    }

    fn remaining(&mut self, state: &State, reach: f64) -> f64 {
        if let Some(&(runs, _)) = self.known.get(state).filter(|known| known.1 >= ENOUGH * reach) {
            return runs;
        }
        let view = self.model.view(state);
        if view.top() >= self.model.confidence - 1e-12 {
            return 0.0;
        }
        if reach < self.breadth.reach {
            return view.estimate(self.capacity);
        }
        let mut best = f64::INFINITY;
        for place in self.candidates(&view) {
            let mut runs = 1.0;
            for failed in [false, true] {
                let chance = view.chance(place, failed);
                if chance > 1e-15 && runs < best {
                    runs += chance * self.remaining(&state.after(place, failed), reach * chance);
                }
            }
            best = best.min(runs);
        }
        self.known.insert(state.clone(), (best, reach));
        best
    }

    /// Places to try, the most informative first.
    fn candidates(&self, view: &View) -> Vec<usize> {
        let last = self.model.suspects - 1;
        let mut told: Vec<(f64, usize)> =
            (view.from..=last).map(|place| (view.information(place), place)).filter(|told| told.0 > 1e-12).collect();
        told.sort_by(|a, b| b.0.total_cmp(&a.0));
        let most = told.first().map_or(0.0, |told| told.0);
        let mut places: Vec<usize> = told
            .iter()
            .take(self.breadth.most)
            .filter(|told| told.0 >= self.breadth.share * most)
            .map(|told| told.1)
            .collect();
        if !places.contains(&last) && told.iter().any(|told| told.1 == last && told.0 > 1e-6) {
            places.push(last);
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_suspect_takes_runs_until_a_pass_or_enough_failures() {
        // Nobody at 0.4: each failure at rate 0.1 divides the odds by ten, and two make 0.9934 of 0.6.
        let model = Model { suspects: 1, rate: 0.1, none: 0.4, confidence: 0.99 };
        let runs = Optimum::new(&model, Breadth { share: 0.0, most: usize::MAX, reach: 1e-9 }).runs();
        assert!((runs - (1.0 + (1.0 - 0.4 * 0.9))).abs() < 1e-12, "{runs}");
    }

    #[test]
    fn without_flakes_it_is_a_huffman_tree() {
        // 0.4, and four times 0.15, with 0.15 and 0.15 below each branch: 0.4 * 1 + 0.6 * 3.
        let model = Model { suspects: 4, rate: 0.0, none: 0.4, confidence: 0.99 };
        let runs = Optimum::new(&model, Breadth { share: 0.0, most: usize::MAX, reach: 1e-9 }).runs();
        assert!((runs - 2.2).abs() < 1e-12, "{runs}");
    }
}
