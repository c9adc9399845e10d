//! A large build graph made from a seed.

use firstbad::suspicion::{BuildGraph, BuildGraphBuilder, Changelist, RankOptions, rank};
use firstbad_testkit::simulated::Random;

use crate::figure::{Aim, Figure};
use crate::memory::{forget_peak, status_mib};
use crate::time::processor_seconds;

const TARGETS: u64 = 100_000;
const EDGES: u64 = 1_000_000;
const CHANGES: u64 = 10_000;
const FILES: u64 = 5;

fn name(target: u64) -> String {
    format!("//package{}/part{}:target{target}", target / 100, target / 10 % 10)
}

fn file(target: u64, number: u64) -> String {
    format!("package{}/part{}/target{target}/file{number}.cc", target / 100, target / 10 % 10)
}

/// Targets of five files that depend on ten others each: half of them near by, half anywhere behind; without circles, or
/// with a circle in every hundred targets.
fn graph(circles: bool) -> Result<BuildGraph, String> {
    let mut random = Random::new(7);
    let mut builder = BuildGraphBuilder::new();
    for target in 0..TARGETS {
        builder.target(&name(target));
        (0..FILES).for_each(|number| {
            builder.file(&file(target, number));
        });
        let behind = TARGETS - target - 1;
        for number in 0..EDGES / TARGETS {
            if behind > 0 {
                let reach = if number % 2 == 0 { behind.min(200) } else { behind };
                builder.dep(&name(target + 1 + random.below(reach)));
            }
        }
        if circles && target % 100 == 99 {
            builder.dep(&name(target - 50));
        }
    }
    builder.build().map_err(|error| error.to_string())
}

fn changes() -> Vec<Changelist> {
    let mut random = Random::new(8);
    (0..CHANGES)
        .map(|number| {
            let near = random.below(TARGETS);
            let files: Vec<String> = (0..1 + random.below(10))
                .map(|_| file((near + random.below(30)) % TARGETS, random.below(FILES)))
                .collect();
            Changelist::new(format!("{number:040x}"), files)
        })
        .collect()
}

/// Time and memory, on one core.
pub(super) fn run() -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    for circles in [false, true] {
        forget_peak();
        let (building, graph) = processor_seconds(|| graph(circles));
        let graph = graph?;
        let changes = changes();
        let (_, _) = (graph.len(), graph.dependency_count());
        let (ranking, ranked) = processor_seconds(|| rank(&graph, &changes, &[name(0)], &RankOptions::default()));
        let ranked = ranked.map_err(|error| error.to_string())?;
        let (both, _) = processor_seconds(|| {
            let options = RankOptions { before: Some(&graph), ..RankOptions::default() };
            rank(&graph, &changes, &[name(0)], &options)
        });
        // FACF's average range with a culprit.
        let tests: Vec<String> = (0..224).map(name).collect();
        let (several, _) = processor_seconds(|| rank(&graph, &changes, &tests, &RankOptions::default()));
        let what = format!(
            "{} targets, {} edges, {} changes, {}",
            graph.len(),
            graph.dependency_count(),
            changes.len(),
            if circles { "with circles" } else { "without circles" }
        );
        figures.push(Figure::aimed(
            format!("{what}: ranking ({} suspects)", ranked.suspects.len()),
            ranking,
            "s",
            Aim::AtMost(1.0),
        ));
        figures.push(Figure::aimed("  with a graph before the changes as large", both, "s", Aim::AtMost(1.0)));
        figures.push(Figure::told("  with 224 tests that fail at once", several, "s"));
        figures.push(Figure::told("  building the graph, names made as well", building, "s"));
        figures.push(Figure::aimed("  building and ranking", building + ranking, "s", Aim::AtMost(1.0)));
        figures.push(Figure::aimed("  peak memory of the process", status_mib("VmHWM"), "MiB", Aim::AtMost(1024.0)));
    }
    Ok(figures)
}
