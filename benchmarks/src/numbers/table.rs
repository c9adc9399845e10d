//! One step in a list of 100 suspects.

use firstbad_testkit::simulated::Random;

use super::play::{LEAST, answer, config};
use super::ways::{Answer, asv, every, people};
use super::world::{Machine, Noise, World};
use crate::figure::{Aim, Figure};
use crate::options::Options;

/// What many trials of a way came to.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Score {
    pub(super) trials: f64,
    pub(super) right: f64,
    pub(super) spread: f64,
    /// A set that has the culprit.
    pub(super) sets: f64,
    /// Another commit, a set without the culprit, or no change.
    pub(super) wrong: f64,
    /// "No change" among the wrong answers.
    pub(super) missed: f64,
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
            Answer::Spread if culprits.is_empty() && changed > LEAST => self.right += 1.0,
            Answer::Spread => self.spread += 1.0,
            Answer::Set(members) if members.iter().any(|member| culprits.contains(member)) => self.sets += 1.0,
            Answer::Undecided => {}
            Answer::None => (self.wrong, self.missed) = (self.wrong + 1.0, self.missed + 1.0),
            _ => self.wrong += 1.0,
        }
        self.measurements += machine.count as f64;
        self.builds += machine.builds() as f64;
    }

    pub(super) fn cell(&self) -> String {
        let mean = |sum: f64| sum / self.trials;
        let wrong = mean(self.wrong);
        format!("{:.2}/{wrong:.2}@{:.0}({:.0})", mean(self.right), mean(self.measurements), mean(self.builds))
    }
}

type Way = fn(&mut Machine<'_>) -> Result<Answer, String>;

const WAYS: [(&str, Way); 7] = [
    ("people 1", |machine| Ok(people(machine, 1))),
    ("people 3", |machine| Ok(people(machine, 3))),
    ("people 10", |machine| Ok(people(machine, 10))),
    ("asv find", |machine| Ok(asv(machine, 3))),
    ("every commit once", |machine| Ok(every(machine, 1))),
    ("every commit 3 times", |machine| Ok(every(machine, 3))),
    ("firstbad", |machine| answer(machine, config(machine))),
];

/// The effects and deviations of the table.
const CASES: [(f64, f64); 4] = [(0.05, 0.01), (0.10, 0.03), (0.05, 0.03), (0.10, 0.10)];

/// Plays trials with one step at a random suspect.
fn score(
    way: Way,
    count: usize,
    (effect, deviation): (f64, f64),
    noise: Noise,
    seeds: &[u64],
) -> Result<Score, String> {
    let mut score = Score::default();
    for &seed in seeds {
        let mut world = World::list(count)?;
        world.steps = vec![(1 + Random::new(seed).below(count as u64) as u32, effect.ln_1p())];
        let mut machine = Machine::new(&world, noise, deviation, seed ^ 0x5eed);
        let answer = way(&mut machine)?;
        score.add(&machine, &answer);
    }
    Ok(score)
}

pub(super) fn seeds(options: &Options, trials: u64) -> Vec<u64> {
    let first = options.seeds.first().copied().unwrap_or(5000);
    (0..options.trials.unwrap_or(trials)).map(|trial| first * 1_000_003 + trial).collect()
}

pub(super) fn run(options: &Options) -> Result<Vec<Figure>, String> {
    let count = 100;
    let seeds = seeds(options, 200);
    println!("### One step in {count} suspects\n\nright/wrong@measurements(builds), {} trials.\n", seeds.len());
    println!("| effect/deviation, noise | {} |", WAYS.map(|(name, _)| name).join(" | "));
    println!("|---{}|", "|---".repeat(WAYS.len()));
    let mut figures = Vec::new();
    for case in CASES {
        for noise in Noise::ALL {
            let mut scores = Vec::new();
            for (_, way) in WAYS {
                scores.push(score(way, count, case, noise, &seeds)?);
            }
            let cells: Vec<String> = scores.iter().map(Score::cell).collect();
            let what = format!("{:.0}/{:.0} {}", 100.0 * case.0, 100.0 * case.1, noise.name());
            println!("| {what} | {} |", cells.join(" | "));
            if let [people, .., own] = &scores[..] {
                figures.extend(aims(&what, case, noise, own, people));
            }
        }
    }
    println!("\n| target | measured | aim | |\n|---|---|---|---|");
    figures.iter().for_each(Figure::print);
    Ok(figures)
}

/// Returns the figures of a case with their aims.
fn aims(what: &str, (effect, deviation): (f64, f64), noise: Noise, own: &Score, people: &Score) -> Vec<Figure> {
    let ratio = effect / deviation;
    let named = own.right + own.wrong - own.missed;
    let of = |name: &str, value: f64, aim: Aim| Figure::aimed(format!("{what}: {name}"), value, "", aim);
    let (right, most) = match (ratio, noise) {
        (3.0.., _) => (0.97, 1.5 * 100f64.log2() + 20.0),
        (1.5.., Noise::Bimodal) => (0.80, 90.0),
        (1.5.., _) => (0.95, 70.0),
        _ => (0.0, 150.0),
    };
    let mut figures = vec![
        of("right", own.right / own.trials, Aim::AtLeast(right)),
        of("measurements", own.measurements / own.trials, Aim::AtMost(most)),
        of("builds of people's way", own.builds / people.builds, Aim::AtMost(1.2)),
    ];
    if named > 0.0 {
        figures.push(of("named rightly", own.right / named, Aim::AtLeast(0.985)));
        figures.push(Figure::told(format!("{what}: \"no change\", wrongly"), own.missed / own.trials, ""));
    }
    figures
}
