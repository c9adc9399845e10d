//! The fewest runs that any search can do with, by dynamic programming, and how near the real ones come.

mod program;

use std::collections::HashMap;

use firstbad::culprit::{CulpritStrategy, Rate};
use firstbad::{CulpritConfig, CulpritSearch, Observation, Search};

use self::program::{Breadth, ENOUGH, Model, Optimum, State};
use super::bench::Bench;
use super::bound::capacity;
use super::range::Range;
use crate::figure::Figure;

/// Suspects, rate, and what the optimum is sought among: wide where it is quick.
const CASES: [(usize, f64, Breadth); 18] = [
    (6, 0.01, WIDE),
    (8, 0.01, WIDE),
    (12, 0.01, NARROW),
    (16, 0.01, NARROW),
    (24, 0.01, NARROW),
    (32, 0.01, NARROW),
    (6, 0.1, NARROW),
    (8, 0.1, NARROW),
    (12, 0.1, NARROW),
    (16, 0.1, NARROW),
    (24, 0.1, NARROWER),
    (32, 0.1, NARROWER),
    (6, 0.3, NARROW),
    (8, 0.3, NARROW),
    (12, 0.3, NARROWER),
    (16, 0.3, NARROWEST),
    (6, 0.5, NARROWER),
    (8, 0.5, NARROWER),
];

const WIDE: Breadth = Breadth { share: 0.0, most: usize::MAX, reach: 1e-7 };
const NARROW: Breadth = Breadth { share: 0.5, most: 8, reach: 1e-7 };
const NARROWER: Breadth = Breadth { share: 0.7, most: 5, reach: 1e-6 };
const NARROWEST: Breadth = Breadth { share: 0.8, most: 4, reach: 1e-6 };

/// The optimum beside the exact expectation of the real searches.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    println!(
        "\n### Exact optimum\n\nExpected runs at confidence 0.99, computed and not sampled. Where not all \
         places are tried in each state, the optimum may be lower by a few thousandths.\n\n| suspects | rate | optimum | \
         tried per state | information | over optimum | cdf | over optimum |\n|---|---|---|---|---|---|---|---|"
    );
    let mut worst = [0.0f64; 2];
    let mut sums = [0.0f64; 2];
    for (suspects, rate, breadth) in CASES {
        let model = Model { suspects, rate, none: 0.4, confidence: 0.99 };
        let optimum = Optimum::new(&model, breadth).runs();
        let mut over = [0.0; 2];
        let mut runs = [0.0; 2];
        for (place, choose) in [CulpritStrategy::Information, CulpritStrategy::Cdf].into_iter().enumerate() {
            runs[place] = Policy::new(&model, choose)?.runs()?;
            over[place] = runs[place] / optimum;
            worst[place] = worst[place].max(over[place]);
            sums[place] += over[place];
        }
        println!(
            "| {suspects} | {rate} | {optimum:.3} | {} | {:.3} | {:.3} | {:.3} | {:.3} |",
            breadth.words(),
            runs[0],
            over[0],
            runs[1],
            over[1]
        );
        bench.progress(format!("optimum: {suspects} suspects, rate {rate}"));
    }
    for (place, name) in ["information", "cdf"].into_iter().enumerate() {
        let mean = sums[place] / CASES.len() as f64;
        bench.target(Figure::told(format!("{name} over the exact optimum: mean of the cases"), mean, "times"));
        bench.target(Figure::told(format!("{name} over the exact optimum: worst case"), worst[place], "times"));
    }
    Ok(())
}

/// Branches less likely than this are closed with an estimate.
const REACH: f64 = 1e-7;

/// A real search, played through all outcomes.
struct Policy<'m> {
    model: &'m Model,
    config: CulpritConfig,
    range: Range,
    capacity: f64,
    /// Expected runs that remain, with the likelihood that it was computed for.
    known: HashMap<State, (f64, f64)>,
}

impl<'m> Policy<'m> {
    fn new(model: &'m Model, choose: CulpritStrategy) -> Result<Self, String> {
        let range = Range::list(model.suspects)?;
        let config =
            CulpritConfig { confidence: model.confidence, ..range.unverified(Rate::Known(model.rate), choose) };
        Ok(Policy { model, config, range, capacity: capacity(model.rate), known: HashMap::new() })
    }

    fn runs(mut self) -> Result<f64, String> {
        let start = self.model.start();
        self.remaining(&start, 1.0)
    }

    fn remaining(&mut self, state: &State, reach: f64) -> Result<f64, String> {
        if let Some(&(runs, _)) = self.known.get(state).filter(|known| known.1 >= ENOUGH * reach) {
            return Ok(runs);
        }
        let Some(place) = self.choice(state)? else { return Ok(0.0) };
        let view = self.model.view(state);
        if reach < REACH {
            return Ok(view.estimate(self.capacity));
        }
        let mut runs = 1.0;
        for failed in [true, false] {
            let chance = view.chance(place, failed);
            if chance > 0.0 {
                runs += chance * self.remaining(&state.after(place, failed), chance * reach)?;
            }
        }
        self.known.insert(state.clone(), (runs, reach));
        Ok(runs)
    }

    /// What the search asks first, told what was seen; `None` if it is done.
    fn choice(&self, state: &State) -> Result<Option<usize>, String> {
        let words = |error: firstbad::Error| error.to_string();
        let mut search = CulpritSearch::new(self.range.graph.clone(), self.config.clone()).map_err(words)?;
        for (place, passes, fails) in state.seen() {
            // The good end is node 0, the first suspect node 1.
            let id = self.range.graph.id(place as u32 + 1);
            search.observe(&id.into(), Observation::counted(passes, fails)).map_err(words)?;
        }
        if search.is_done() {
            return Ok(None);
        }
        let probe = search.ask(1).map_err(words)?.pop().ok_or("asks nothing")?;
        let node = self.range.graph.get(probe.revision()).ok_or("asks for an unknown revision")?;
        Ok(Some(node as usize - 1))
    }
}
