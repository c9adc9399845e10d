//! Red nights of recorded histories: the expense and the verdicts of each search.

use firstbad_testkit::nights::{Choice, Night, nights};

use super::play::{self, Played, Signatures, Way};
use super::separate::{self, Peer};
use super::table::{self, Nights, Quantity, RATIOS, Row};
use crate::figure::{Aim, Figure};
use crate::options::Options;
use crate::parallel::in_parallel;

const SEEDS: [u64; 2] = [101, 202];
/// The nights of each project and seed.
const NIGHTS: u64 = 12;

/// The columns of every table.
const EXPENSE: [Quantity; 5] = [Quantity::Builds, Quantity::Cost, Quantity::Right, Quantity::Wrong, Quantity::Sets];

/// A search of a night.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Peer(Peer),
    Rule(Way),
}

const SEPARATE: (&str, Kind) = ("separate, 3 reruns, good checked", Kind::Peer(Peer::Reruns));
const UNSIGNED: (&str, Kind) =
    ("this rule, no signatures", Kind::Rule(Way { signatures: Signatures::None, ..Way::DEFAULT }));
const SAME: (&str, Kind) =
    ("this rule, one signature for all tests", Kind::Rule(Way { signatures: Signatures::Same, ..Way::DEFAULT }));
const RULE: (&str, Kind) = ("this rule", Kind::Rule(Way::DEFAULT));
const STRICT: (&str, Kind) = ("this rule, confidence .99", Kind::Rule(Way { confidence: 0.99, ..Way::DEFAULT }));

/// Nights with their number within the seed, and the separate bisections of each.
struct Set {
    nights: Vec<(u64, Night)>,
    base: Vec<Played>,
}

impl Set {
    fn new(options: &Options, choice: Choice) -> Result<Set, String> {
        let folder = options.data.join("histories");
        let choice = Choice { nights: options.trials.unwrap_or(NIGHTS) as usize, ..choice };
        let seeds = if options.seeds.is_empty() { SEEDS.to_vec() } else { options.seeds.clone() };
        let mut all = Vec::new();
        for &seed in &seeds {
            let drawn = nights(&folder, &choice, seed).map_err(|failure| failure.to_string())?;
            all.extend((0..).zip(drawn));
        }
        let mut set = Set { nights: all, base: Vec::new() };
        set.base = set.play(SEPARATE.1, 0)?;
        let tests: usize = set.nights.iter().map(|(_, night)| night.tests.len()).sum();
        let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
        println!("{} nights, {tests} red tests. Seeds: {}.\n", set.nights.len(), seeds.join(", "));
        Ok(set)
    }

    fn play(&self, kind: Kind, ratio: usize) -> Result<Vec<Played>, String> {
        let one = |(number, night): &(u64, Night)| match kind {
            Kind::Peer(peer) => separate::play(night, peer, *number),
            Kind::Rule(way) => play::play(night, way, RATIOS[ratio], 7 + number),
        };
        in_parallel(&self.nights, one).into_iter().collect()
    }

    fn row(&self, (name, kind): (&'static str, Kind)) -> Result<Row<'_>, String> {
        let nights = |ratio: usize| -> Result<Nights<'_>, String> {
            let pairs = self.play(kind, ratio)?.into_iter().zip(&self.base);
            Ok(self.nights.iter().zip(pairs).map(|((_, night), (own, base))| (&night.repo[..], own, base)).collect())
        };
        // A peer does not know the costs.
        let first = nights(0)?;
        let ratios = match kind {
            Kind::Peer(_) => [first.clone(), first.clone(), first],
            Kind::Rule(_) => [first, nights(1)?, nights(2)?],
        };
        Ok(Row { name, ratios })
    }

    fn rows(&self, all: &[(&'static str, Kind)]) -> Result<Vec<Row<'_>>, String> {
        all.iter().map(|&one| self.row(one)).collect()
    }
}

/// Plays every search and prints its expense relative to separate bisections.
pub(super) fn recorded(options: &Options) -> Result<Vec<Figure>, String> {
    println!("### Recorded nights\n");
    let set = Set::new(options, Choice::default())?;
    let rows = set.rows(&[
        ("separate, single runs", Kind::Peer(Peer::Single)),
        SEPARATE,
        ("separate FACF, rates unknown, not verified", Kind::Peer(Peer::Culprit { verify: false })),
        ("separate FACF, rates unknown", Kind::Peer(Peer::Culprit { verify: true })),
        ("shared builds, one after another, 3 reruns", Kind::Peer(Peer::Shared)),
        SAME,
        UNSIGNED,
        RULE,
        STRICT,
    ])?;
    table::print(&rows, &EXPENSE);
    table::print_misses(&rows);
    table::aims_head();
    let [.., unsigned, rule, strict] = &rows[..] else { return Ok(Vec::new()) };
    let same = |aim: Aim| [aim; 3];
    let mut figures = Vec::new();
    for row in [rule, unsigned] {
        let costs = if row.name == rule.name { [0.33, 0.58, 0.76] } else { [0.37, 0.66, 0.88] };
        figures.extend(row.aim(Quantity::Builds, same(Aim::AtMost(0.27))));
        figures.extend(row.aim(Quantity::Cost, costs.map(Aim::AtMost)));
        figures.extend(row.aim(Quantity::Right, same(Aim::AtLeast(0.985))));
        figures.extend(row.aim(Quantity::Wrong, same(Aim::AtMost(0.012))));
    }
    figures.extend(strict.aim(Quantity::Builds, same(Aim::AtMost(0.27))));
    figures.extend(strict.aim(Quantity::Wrong, same(Aim::AtMost(0.004))));
    Ok(figures)
}

/// Plays nights with many flaky tests.
pub(super) fn stress(options: &Options) -> Result<Vec<Figure>, String> {
    println!("### A quarter of the red tests flaky\n");
    let set = Set::new(options, Choice { flaky: [0.25, 0.15], ..Choice::default() })?;
    let rows = set.rows(&[SEPARATE, UNSIGNED, RULE, STRICT])?;
    table::print(&rows, &EXPENSE);
    table::aims_head();
    Ok(rows.last().map_or_else(Vec::new, |row| row.aim(Quantity::Wrong, [Aim::AtMost(0.015); 3])))
}

/// Plays nights with four workers.
pub(super) fn workers(options: &Options) -> Result<Vec<Figure>, String> {
    println!("### Four workers\n");
    let set = Set::new(options, Choice::default())?;
    let four = Way { workers: 4, ..Way::DEFAULT };
    let rows = set.rows(&[
        ("one worker", Kind::Rule(Way::DEFAULT)),
        ("four workers, free", Kind::Rule(four)),
        ("four workers, in rounds", Kind::Rule(Way { rounds: true, ..four })),
    ])?;
    table::print(&rows, &[&[Quantity::Elapsed], &EXPENSE[..]].concat());
    table::aims_head();
    Ok(rows[1].aim(Quantity::Elapsed, [0.11, 0.2, 0.26].map(Aim::AtMost)))
}
