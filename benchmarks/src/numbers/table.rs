//! One step in a list of 100 suspects.

use firstbad_testkit::simulated::Random;

use super::play::{LEAST, answer, config};
use super::ways::{Answer, asv, every, people};
use super::world::{Machine, Noise, World};
use crate::csv::{Csv, cells, rounded};
use crate::options::Options;
use crate::parallel::in_parallel;

/// The sums of many trials.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Score {
    pub(super) trials: f64,
    pub(super) right: f64,
    /// Another commit, a set without the culprit, or no change.
    pub(super) wrong: f64,
    pub(super) measurements: f64,
    pub(super) builds: f64,
}

impl Score {
    pub(super) fn add(&mut self, machine: &Machine<'_>, answer: &Answer) {
        let matters = |step: &&(_, f64)| step.1 >= LEAST.ln_1p();
        let culprits: Vec<_> = machine.world.steps.iter().filter(matters).map(|step| step.0).collect();
        let changed: f64 = machine.world.steps.iter().map(|step| step.1).sum();
        self.trials += 1.0;
        match answer {
            Answer::Commit(commit) if culprits.contains(commit) => self.right += 1.0,
            Answer::None if changed < LEAST.ln_1p() => self.right += 1.0,
            Answer::Spread | Answer::Undecided => {}
            Answer::Set(members) if members.iter().any(|member| culprits.contains(member)) => {}
            _ => self.wrong += 1.0,
        }
        self.measurements += machine.count as f64;
        self.builds += machine.builds() as f64;
    }
}

type Way = fn(&mut Machine<'_>) -> Result<Answer, String>;

const WAYS: [(&str, Way); 5] = [
    ("bisection: median of 3", |machine| Ok(people(machine, 3))),
    ("bisection: median of 10", |machine| Ok(people(machine, 10))),
    ("asv find", |machine| Ok(asv(machine, 3))),
    ("every commit 3 times", |machine| Ok(every(machine, 3))),
    ("firstbad", |machine| answer(machine, config(machine))),
];

/// The effects and deviations of the table.
const CASES: [(f64, f64); 4] = [(0.05, 0.01), (0.10, 0.03), (0.05, 0.03), (0.10, 0.10)];

/// Plays trials with one step at a random suspect.
fn score(way: Way, (effect, deviation): (f64, f64), noise: Noise, seeds: &[u64]) -> Result<Score, String> {
    let mut score = Score::default();
    for &seed in seeds {
        let mut world = World::list(100)?;
        world.steps = vec![(1 + Random::new(seed).below(100) as u32, effect.ln_1p())];
        let mut machine = Machine::new(&world, noise, deviation, seed ^ 0x5eed);
        let answer = way(&mut machine)?;
        score.add(&machine, &answer);
    }
    Ok(score)
}

/// Writes `numbers.csv`: one step in a list of 100 suspects.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let first = options.seeds.first().copied().unwrap_or(9005);
    let seeds: Vec<u64> = (0..options.trials.unwrap_or(100)).map(|trial| first * 1_000_003 + trial).collect();
    let mut table =
        Csv::new(&["effect", "deviation", "noise", "way", "trials", "right", "wrong", "measurements", "builds"]);
    let cells: Vec<_> = CASES
        .iter()
        .flat_map(|&case| Noise::ALL.map(|noise| (case, noise)))
        .flat_map(|(case, noise)| WAYS.map(|(name, way)| (case, noise, name, way)))
        .collect();
    let scores = in_parallel(&cells, |&(case, noise, _, way)| score(way, case, noise, &seeds));
    for (&((effect, deviation), noise, name, _), score) in cells.iter().zip(scores) {
        let score = score?;
        let mean = |sum: f64| rounded(sum / score.trials, 2);
        let (measurements, builds) = (mean(score.measurements), mean(score.builds));
        table.row(cells![
            effect,
            deviation,
            noise.name(),
            name,
            score.trials,
            score.right,
            score.wrong,
            measurements,
            builds
        ]);
    }
    table.write(options, "numbers")
}
