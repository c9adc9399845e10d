//! The likelihood of the facts about a test, for each suspect and each pair of rates.

use fixedbitset::FixedBitSet;

use super::evidence::{Facts, Pasts};
use super::rates::{ENVIRONMENT_FAILS, FALSE_PASS, FLAKE};
use crate::graph::Past;

/// The number of pairs of rates.
const RATES: usize = FLAKE.len() * FALSE_PASS.len();

const NONE: u32 = u32::MAX;

/// Returns the flake rate and the rate of false passes of a pair.
fn rates(lane: usize) -> (f64, f64) {
    (FLAKE[lane / FALSE_PASS.len()].0, FALSE_PASS[lane % FALSE_PASS.len()].0)
}

/// Sums the rates: the likelihood, and its parts that fail inside and outside of the past.
fn summed(shares: &[f64; RATES]) -> [f64; 3] {
    shares.iter().enumerate().fold([0.0; 3], |[all, inside, outside], (lane, share)| {
        let (f, g) = rates(lane);
        [all + share, inside + share * (1.0 - g), outside + share * f]
    })
}

/// The suspects by the observed revisions that have them in their past. The likelihood of a cell is one for all of its suspects.
pub(super) struct Cells {
    /// The cell of each suspect, by place.
    pub(super) of: Vec<u32>,
    /// The log-likelihood of each cell at each pair of rates, with the prior of the rates.
    logs: Vec<[f64; RATES]>,
    passes: f64,
    fails: f64,
    /// The log-likelihood of an environment that breaks the test.
    pub(super) environment: f64,
}

impl Cells {
    pub(super) fn new(past: &Past, pasts: &Pasts, facts: &Facts) -> Self {
        let prior = |lane: usize| (FLAKE[lane / FALSE_PASS.len()].1 * FALSE_PASS[lane % FALSE_PASS.len()].1).ln();
        let mut cells = Cells {
            of: vec![0; past.len()],
            logs: vec![std::array::from_fn(prior)],
            passes: 0.0,
            fails: 0.0,
            environment: 0.0,
        };
        if facts.red_tonight {
            cells.see(None, 0.0, 1.0);
        }
        for &(node, passes, fails) in &facts.runs {
            cells.see(Some(pasts.get(node)), f64::from(passes), f64::from(fails));
        }
        if facts.green_last {
            // The last green run was on another machine, so its environment says nothing.
            let environment = cells.environment;
            cells.see(Some(None), 1.0, 0.0);
            cells.environment = environment;
        }
        cells
    }

    /// Takes runs into account at a revision with this past. `None` stands for the bad revision, whose past is every suspect.
    fn see(&mut self, inside: Option<Option<&FixedBitSet>>, passes: f64, fails: f64) {
        self.passes += passes;
        self.fails += fails;
        self.environment += passes * (1.0 - ENVIRONMENT_FAILS).ln() + fails * ENVIRONMENT_FAILS.ln();
        let holds = |place: usize| inside.is_none_or(|past| past.is_some_and(|past| past.contains(place)));
        // The new cell of each old cell, outside and inside of the past.
        let mut split = vec![[NONE; 2]; self.logs.len()];
        let mut logs = Vec::new();
        for place in 0..self.of.len() {
            let (old, is_inside) = (self.of[place] as usize, holds(place));
            let cell = &mut split[old][usize::from(is_inside)];
            if *cell == NONE {
                *cell = logs.len() as u32;
                logs.push(std::array::from_fn(|lane| {
                    let (f, g) = rates(lane);
                    let fail = if is_inside { 1.0 - g } else { f };
                    self.logs[old][lane] + passes * (1.0 - fail).ln() + fails * fail.ln()
                }));
            }
            self.of[place] = *cell;
        }
        self.logs = logs;
    }

    /// Returns the log-likelihood of a test without a culprit that fails with probability `f`.
    pub(super) fn without_culprit(&self, f: f64) -> f64 {
        self.passes * (1.0 - f).ln() + self.fails * f.ln()
    }

    /// Returns the largest log-likelihood of a cell.
    pub(super) fn top(&self) -> f64 {
        self.logs.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns, for each cell, the likelihood relative to `top`, and its parts that fail inside and outside of the past.
    pub(super) fn shares(&self, top: f64) -> Vec<[f64; 3]> {
        self.logs.iter().map(|logs| summed(&logs.map(|log| (log - top).exp()))).collect()
    }
}
