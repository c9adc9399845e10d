//! What is told about the test, and how it is: who is named if the two differ.

use firstbad::culprit::{Conclusion, CulpritStrategy, Rate};

use super::bench::Bench;
use super::range::Range;
use super::trial::{Played, Truth, play, seeded};
use crate::figure::{Aim, Figure};

/// What the search is told of the flake rate; it is told nothing of false passes.
const TOLD: [Option<f64>; 5] = [Some(0.0), Some(0.01), Some(0.05), Some(0.2), None];

/// How often healthy revisions fail, and how often broken ones pass.
const FLAKES: [f64; 5] = [0.0, 0.05, 0.1, 0.3, 0.5];
const FALSE_PASSES: [f64; 3] = [0.0, 0.1, 0.3];

/// Suspects, and the most trials of a cell: there are 150 cells.
const SUSPECTS: usize = 100;
const MOST: u64 = 1000;

/// Runs before rates were checked and culprits verified, where the model is true: told, how often it fails, with a
/// culprit and without.
const BEFORE: [(Option<f64>, f64, f64, f64); 7] = [
    (Some(0.0), 0.0, 7.35, 2.00),
    (Some(0.05), 0.05, 9.22, 2.46),
    (None, 0.0, 13.61, 1.00),
    (None, 0.05, 14.77, 1.42),
    (None, 0.1, 15.79, 1.73),
    (None, 0.3, 20.77, 4.01),
    (None, 0.5, 28.34, 9.47),
];

/// What came of the trials of one cell.
#[derive(Default)]
struct Cell {
    trials: u64,
    wrong_names: u64,
    wrong_flakes: u64,
    unanswered: u64,
    runs: u64,
}

impl Cell {
    fn add(&mut self, played: &Played) {
        self.trials += 1;
        self.runs += played.runs;
        match played.conclusion {
            Conclusion::Culprit => self.wrong_names += u64::from(!played.right),
            Conclusion::Flake => self.wrong_flakes += u64::from(!played.right),
            Conclusion::Inconclusive => self.unanswered += 1,
        }
    }

    fn share(&self, count: u64) -> f64 {
        count as f64 / self.trials as f64
    }

    fn runs(&self) -> f64 {
        self.share(self.runs)
    }
}

/// Every cell, with a culprit and with none.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    let trials = bench.trials.min(MOST);
    println!(
        "\n### What was told, and how it is\n\n{SUSPECTS} suspects in a row, `cdf`, confidence 0.99, {trials} trials with one \
         culprit and as many with none. *Named*: an innocent revision is called the culprit; *flake*: there is a culprit, and \
         the failure is called a flake; *open*: no answer, which is no error.\n\n| told | fails | passes by mistake | one: \
         named | flake | open | runs | nobody: named | open | runs |\n|---|---|---|---|---|---|---|---|---|---|"
    );
    let range = Range::list(SUSPECTS)?;
    let (mut worst_name, mut worst_flake, mut over) = (0.0f64, 0.0f64, Vec::new());
    for told in TOLD {
        for flakes in FLAKES {
            for false_passes in FALSE_PASSES {
                let one = cell(&range, told, flakes, false_passes, true, trials)?;
                let none = cell(&range, told, flakes, false_passes, false, trials)?;
                print_row(told, flakes, false_passes, &one, &none);
                worst_name = worst_name.max(one.share(one.wrong_names)).max(none.share(none.wrong_names));
                worst_flake = worst_flake.max(one.share(one.wrong_flakes));
                let before = BEFORE.iter().find(|row| (row.0, row.1) == (told, flakes) && false_passes == 0.0);
                if let Some(&(_, _, with_one, with_none)) = before {
                    over.push((told, flakes, (one.runs(), with_one), (none.runs(), with_none)));
                }
            }
        }
        bench.progress(format!("told {}", word(told)));
    }
    bench.target(Figure::aimed("innocent revisions named, worst of 150 cells", worst_name, "", Aim::AtMost(0.02)));
    bench.target(Figure::told("culprits called a flake, worst of 75 cells", worst_flake, ""));
    for (told, flakes, one, none) in over {
        let what = |who: &str| format!("told {}, fails {flakes}, {who}: runs over those before", word(told));
        let mixed = |place: fn((f64, f64)) -> f64| 0.6 * place(one) + 0.4 * place(none);
        let (after, before) = (mixed(|runs| runs.0), mixed(|runs| runs.1));
        bench.target(Figure::told(what("one"), one.0 - one.1, "runs"));
        bench.target(Figure::told(what("nobody"), none.0 - none.1, "runs"));
        bench.target(if flakes <= 0.1 {
            Figure::aimed(what("one in 60%"), after - before, "runs", Aim::AtMost(4.0))
        } else {
            Figure::aimed(what("one in 60%"), after / before, "times", Aim::AtMost(1.25))
        });
    }
    Ok(())
}

fn word(told: Option<f64>) -> String {
    told.map_or("estimate".to_owned(), |rate| rate.to_string())
}

fn cell(
    range: &Range,
    told: Option<f64>,
    flakes: f64,
    false_passes: f64,
    is_one: bool,
    trials: u64,
) -> Result<Cell, String> {
    let config = range.verified(told.map_or(Rate::Estimate, Rate::Known), CulpritStrategy::Cdf);
    let mut cell = Cell::default();
    for trial in 0..trials {
        let mut random = seeded(trial, (flakes * 1e6) as u64 ^ ((false_passes * 1e6) as u64) << 24);
        // Spread evenly.
        let place = ((trial as f64 + random.fraction()) / trials as f64 * range.suspects.len() as f64) as usize;
        let culprit = is_one.then(|| range.suspects[place.min(range.suspects.len() - 1)]);
        let broken = range.broken_by(culprit);
        let truth = Truth { culprit, broken: &broken, flakes, false_passes };
        cell.add(&play(range, config.clone(), 1, &truth, &mut random)?);
    }
    Ok(cell)
}

fn print_row(told: Option<f64>, flakes: f64, false_passes: f64, one: &Cell, none: &Cell) {
    let percent = |cell: &Cell, count: u64| format!("{:.1}%", 100.0 * cell.share(count));
    println!(
        "| {} | {flakes} | {false_passes} | {} | {} | {} | {:.2} | {} | {} | {:.2} |",
        word(told),
        percent(one, one.wrong_names),
        percent(one, one.wrong_flakes),
        percent(one, one.unanswered),
        one.runs(),
        percent(none, none.wrong_names),
        percent(none, none.unanswered),
        none.runs(),
    );
}
