//! Red nights of recorded histories: the expense and the verdicts of each search.

use firstbad::suite::SuiteCosts;
use firstbad_testkit::nights::{Choice, Night, nights};

use super::play::{self, Played, Signatures, Way};
use super::separate::{self, Peer};
use crate::csv::{Csv, cells, rounded};
use crate::options::Options;
use crate::parallel::in_parallel;

const SEEDS: [u64; 2] = [101, 202];
/// The nights of each project and seed.
const NIGHTS: u64 = 12;

/// The costs of a build and of a test.
const RATIOS: [(&str, SuiteCosts); 3] = [
    ("10:1", SuiteCosts { build: 10.0, test: 1.0 }),
    ("1:1", SuiteCosts { build: 1.0, test: 1.0 }),
    ("1:10", SuiteCosts { build: 1.0, test: 10.0 }),
];

/// A search of a night.
#[derive(Debug, Clone, Copy)]
enum Search {
    Peer(Peer),
    Triage(Way),
}

const SEARCHES: [(&str, Search); 7] = [
    ("one bisection for each test", Search::Peer(Peer::Single)),
    ("the same + 3 reruns", Search::Peer(Peer::Reruns)),
    ("FACF for each test", Search::Peer(Peer::Culprit)),
    ("shared builds + 3 reruns", Search::Peer(Peer::Shared)),
    ("firstbad", Search::Triage(Way::DEFAULT)),
    ("firstbad confidence .99", Search::Triage(Way { confidence: 0.99, ..Way::DEFAULT })),
    ("firstbad no signatures", Search::Triage(Way { signatures: Signatures::None, ..Way::DEFAULT })),
];

/// Writes `triage.csv`.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let mut table =
        Csv::new(&["project", "night", "search", "costs", "tests", "builds", "runs", "cost", "right", "wrong", "sets"]);
    let seeds = if options.seeds.is_empty() { SEEDS.to_vec() } else { options.seeds.clone() };
    let choice = Choice { nights: options.trials.unwrap_or(NIGHTS) as usize, ..Choice::default() };
    for seed in seeds {
        let drawn = nights(&options.data.join("histories"), &choice, seed).map_err(|failure| failure.to_string())?;
        let all: Vec<(u64, Night)> = (0..).zip(drawn).collect();
        for (name, search) in SEARCHES {
            for (ratio, costs) in RATIOS {
                let played = in_parallel(&all, |(number, night)| match search {
                    Search::Peer(peer) => separate::play(night, peer, *number),
                    Search::Triage(way) => play::play(night, way, costs, 7 + number),
                });
                for ((number, night), played) in all.iter().zip(played) {
                    table.row(row(night, &format!("{seed}-{number}"), name, (ratio, costs), &played?));
                }
            }
        }
    }
    table.write(options, "triage")
}

fn row(night: &Night, number: &str, name: &str, (ratio, costs): (&str, SuiteCosts), played: &Played) -> Vec<String> {
    let Played { builds, runs, score } = played;
    let cost = rounded(costs.build * builds + costs.test * runs, 2);
    cells![night.repo, number, name, ratio, score.tests, builds, runs, cost, score.right, score.wrong, score.sets]
}
