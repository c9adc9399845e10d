//! Pieces of real histories with their merges, and what becomes of them as a list.

use std::collections::BTreeMap;

use firstbad::culprit::{CulpritStrategy, Rate};

use super::bench::Bench;
use super::bound::bound;
use super::range::{Range, pieces};
use super::trial::{Played, Score, Truth, draw_culprit, play, seeded};
use crate::figure::{Aim, Figure};

/// Pieces of each recorded graph.
const PIECES: usize = 40;

const RATE: f64 = 0.1;

/// A way to search a piece.
#[derive(Clone, Copy)]
struct Way {
    name: &'static str,
    choose: CulpritStrategy,
    /// Whether the merges are given up for a list.
    as_list: bool,
}

const WAYS: [Way; 3] = [
    Way { name: "information", choose: CulpritStrategy::Information, as_list: false },
    Way { name: "cdf", choose: CulpritStrategy::Cdf, as_list: false },
    Way { name: "as a list, information", choose: CulpritStrategy::Information, as_list: true },
];

/// Scores with the sum of the bounds.
#[derive(Default)]
struct Row {
    score: Score,
    bounds: f64,
}

impl Row {
    fn add(&mut self, played: &Played, suspects: usize) {
        self.score.add(played);
        self.bounds += bound(suspects, RATE);
    }

    fn ratio(&self) -> f64 {
        self.score.mean_runs() * self.score.all.given as f64 / self.bounds
    }
}

/// Every way on the same trials, spread over all pieces.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    let pieces = pieces(&bench.options.data, PIECES)?;
    let suspects: usize = pieces.iter().map(|piece| piece.suspects.len()).sum();
    println!(
        "\n### Real histories with merges\n\n{} pieces with 10 to 400 suspects ({:.0} on average), rate {RATE}, \
         confidence 0.99.\n\n| history | choice | accuracy | without an answer | runs | ratio to bound |\n|---|---|---|---|---|---|",
        pieces.len(),
        suspects as f64 / pieces.len() as f64,
    );
    for way in WAYS {
        let mut all = Row::default();
        let mut by_source: BTreeMap<&str, Row> = BTreeMap::new();
        for trial in 0..bench.trials {
            let piece = &pieces[trial as usize % pieces.len()];
            let played = one(piece, way, trial, bench.trials)?;
            all.add(&played, piece.suspects.len());
            by_source.entry(&piece.source).or_default().add(&played, piece.suspects.len());
        }
        by_source.insert("all", all);
        for (source, row) in &by_source {
            println!(
                "| {source} | {} | {:.2}% | {} | {:.2} | {:.3} |",
                way.name,
                100.0 * row.score.accuracy(),
                row.score.reasons(),
                row.score.mean_runs(),
                row.ratio(),
            );
        }
        let all = &by_source["all"];
        if !way.as_list {
            let what = format!("real histories with merges, {}", way.name);
            bench.target(Figure::aimed(format!("{what}: accuracy"), all.score.accuracy(), "", Aim::AtLeast(0.99)));
            bench.target(Figure::aimed(
                format!("{what}: runs over entropy / capacity"),
                all.ratio(),
                "times",
                Aim::AtMost(1.13),
            ));
        }
        bench.progress(way.name);
    }
    Ok(())
}

fn one(piece: &Range, way: Way, trial: u64, trials: u64) -> Result<Played, String> {
    let mut random = seeded(trial, 4);
    let culprit = draw_culprit(piece, trial, trials, &mut random);
    let broken = piece.broken_by(culprit);
    if !way.as_list {
        let truth = Truth { culprit, broken: &broken, flakes: RATE, false_passes: 0.0 };
        return play(piece, piece.unverified(Rate::Known(RATE), way.choose), 1, &truth, &mut random);
    }
    let list = piece.in_a_row()?;
    // The good end of the list is node 0, the first suspect node 1.
    let behind = |node: u32| node > 0 && broken(piece.suspects[node as usize - 1]);
    let place = culprit.and_then(|culprit| piece.suspects.binary_search(&culprit).ok());
    let truth =
        Truth { culprit: place.map(|place| place as u32 + 1), broken: &behind, flakes: RATE, false_passes: 0.0 };
    play(&list, list.unverified(Rate::Known(RATE), way.choose), 1, &truth, &mut random)
}
