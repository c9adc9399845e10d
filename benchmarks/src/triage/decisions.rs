//! The time of a decision: a `tell` and the following `ask`.

use std::sync::Arc;
use std::time::Duration;

use firstbad::{Inspect as _, Outcome, Search as _, TestResult, TriageConfig, TriageSearch};
use firstbad_testkit::simulated::Random;

use super::large::{COMMITS, Night};
use super::play::Signatures;
use crate::figure::{Aim, Figure};
use crate::options::Options;
use crate::time::processor_seconds;

const TESTS: usize = 1000;
/// Each decision is repeated, and the fastest one counts, because other processes empty the caches.
const REPEATS: u64 = 3;

fn words(error: firstbad::Error) -> String {
    error.to_string()
}

const SIGNATURES: [(Signatures, &str); 3] =
    [(Signatures::OfCulprits, "signatures"), (Signatures::Same, "one signature"), (Signatures::None, "no signatures")];

fn config(night: &Night, signatures: Signatures) -> TriageConfig {
    // Four of five broken tests have a signature.
    let of_culprit = |place: usize, id: &String| night.culprits[id].filter(|_| !place.is_multiple_of(5));
    let signature =
        |place: usize, id: &String| signatures.choose(of_culprit(place, id).map(|culprit| format!("s{culprit}")));
    let red = |place: usize, id: &String| TestResult { signature: signature(place, id), ..Outcome::Fail.into() };
    let tonight = night.ids.iter().enumerate().map(|(place, id)| (id.clone(), red(place, id))).collect();
    TriageConfig { tests: night.ids.clone(), tonight, ..night.config() }
}

/// Triages a night, and returns the time of each decision.
fn times(night: &Night, config: TriageConfig) -> Result<(Vec<Duration>, TriageSearch), String> {
    let mut random = Random::new(3);
    let mut search = TriageSearch::new(Arc::clone(&night.graph), config).map_err(words)?;
    let mut times = Vec::new();
    let mut asked = search.ask(1).map_err(words)?;
    while let Some(probe) = asked.pop() {
        let seen = night.run(&search, &probe, &mut random);
        let (time, more) = processor_seconds(|| {
            search.tell(probe.id, seen)?;
            search.ask(1)
        });
        times.push(Duration::from_secs_f64(time));
        asked = more.map_err(words)?;
    }
    Ok((times, search))
}

/// Measures histories with and without merges, and failures with and without signatures.
pub(super) fn run(options: &Options) -> Result<Vec<Figure>, String> {
    println!("### Decisions\n\n{TESTS} red tests, {COMMITS} commits, processor time.\n");
    println!("| night | suspects | decisions | builds | test runs | median | 90% | longest | restored |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut figures = Vec::new();
    for (has_merges, shape) in [(true, "merges"), (false, "line")] {
        let night = Night::new((0..TESTS).map(|test| format!("t{test}")).collect(), has_merges)?;
        for (signatures, name) in SIGNATURES {
            let (mut fastest, mut search) = times(&night, config(&night, signatures))?;
            for _ in 1..options.trials.unwrap_or(REPEATS) {
                let (again, last) = times(&night, config(&night, signatures))?;
                fastest.iter_mut().zip(again).for_each(|(fastest, time)| *fastest = time.min(*fastest));
                search = last;
            }
            let snapshot = search.snapshot().map_err(words)?;
            let (restored, _) = processor_seconds(|| TriageSearch::restore(Arc::clone(&night.graph), &snapshot));
            fastest.sort_unstable();
            let at = |part: usize| fastest[(fastest.len() - 1) * part / 100].as_secs_f64() * 1e3;
            let report = search.report();
            println!(
                "| {shape}, {name} | {} | {} | {} | {} | {:.1} ms | {:.1} ms | {:.1} ms | {:.0} ms |",
                report.suspects,
                fastest.len(),
                report.builds,
                report.test_runs,
                at(50),
                at(90),
                at(100),
                restored * 1e3,
            );
            figures.push(Figure::aimed(format!("longest decision, {shape}, {name}"), at(100), "ms", Aim::AtMost(50.0)));
        }
    }
    println!("\n| target | measured | aim | |\n|---|---|---|---|");
    figures.iter().for_each(Figure::print);
    Ok(figures)
}
