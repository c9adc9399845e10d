//! What a decision costs: one ask plus one tell.

use std::time::Instant;

use firstbad::culprit::{CulpritStrategy, Rate};
use firstbad::graph::Node;
use firstbad::{CulpritSearch, Search};

use super::bench::Bench;
use super::range::Range;
use super::trial::{Truth, seeded};
use crate::figure::{Aim, Figure};
use crate::graphs::bare_graph;
use crate::statistics::median;

const RATE: f64 = 0.1;

const CHOICES: [(CulpritStrategy, &str); 3] = [
    (CulpritStrategy::Cdf, "cdf"),
    (CulpritStrategy::ExpectedGain, "expected-gain"),
    (CulpritStrategy::Information, "information"),
];

/// A search is cut off after so many decisions: the time of one is wanted.
const MOST: u32 = 100;

/// Seconds per decision.
struct Timed {
    mean: f64,
    most: f64,
    runs: f64,
    /// To make a search.
    open: f64,
}

/// Lists of up to a million suspects, and whole histories.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    println!(
        "\n### A decision\n\nOne ask plus one tell, rate {RATE}, one culprit, by the clock on the wall; searches \
         are cut off after {MOST} decisions.\n\n| suspects | \
         rate | choice | mean | longest | runs | making the search |\n|---|---|---|---|---|---|---|"
    );
    let lists = [(1_000_000, true, 10e-6), (100_000, false, 1e-3), (1_000_000, false, f64::INFINITY)];
    for (suspects, known, limit) in lists {
        let range = Range::list(suspects)?;
        for (choose, name) in CHOICES {
            let rounds: Result<Vec<Timed>, String> =
                (0..3).map(|round| timed(&range, known, choose, 10, round)).collect();
            let rounds = rounds?;
            let mean = median(rounds.iter().map(|timed| timed.mean).collect());
            row(&format!("list of {suspects}"), known, name, mean, &rounds);
            if limit.is_finite() {
                let what = format!("{suspects} suspects in a list, {} rate, {name}: a decision", word(known));
                bench.target(Figure::aimed(what, 1e6 * mean, "us", Aim::AtMost(1e6 * limit)));
            }
        }
        bench.progress(format!("list of {suspects}, {} rate", word(known)));
    }
    for name in ["git+git", "rails+rails"] {
        let range = whole(bench, name)?;
        for known in [true, false] {
            for (choose, choice) in CHOICES {
                let rounds = [timed(&range, known, choose, 2, 1)?];
                row(
                    &format!("{} with {} suspects", range.source, range.suspects.len()),
                    known,
                    choice,
                    rounds[0].mean,
                    &rounds,
                );
                let what =
                    format!("all of {} suspected, {} rate, {choice}: longest decision", range.source, word(known));
                bench.target(Figure::aimed(what, 1e3 * rounds[0].most, "ms", Aim::AtMost(100.0)));
            }
            bench.progress(format!("{name}, {} rate", word(known)));
        }
    }
    Ok(())
}

fn word(known: bool) -> &'static str {
    if known { "known" } else { "unknown" }
}

fn row(suspects: &str, known: bool, choice: &str, mean: f64, rounds: &[Timed]) {
    let most = rounds.iter().map(|timed| timed.most).fold(0.0, f64::max);
    let over = |value: fn(&Timed) -> f64| rounds.iter().map(value).sum::<f64>() / rounds.len() as f64;
    println!(
        "| {suspects} | {} | {choice} | {} | {} | {:.1} | {} |",
        word(known),
        time(mean),
        time(most),
        over(|timed| timed.runs),
        time(over(|timed| timed.open)),
    );
}

fn time(seconds: f64) -> String {
    if seconds < 1e-3 { format!("{:.1} us", 1e6 * seconds) } else { format!("{:.1} ms", 1e3 * seconds) }
}

/// The head of a recorded graph, with everything before it under suspicion but its oldest root.
fn whole(bench: &Bench, name: &str) -> Result<Range, String> {
    let bare = bare_graph(&bench.options.data, name)?;
    let suspects: Vec<Node> = bare.graph.ancestors(&[bare.head_node]).ones().map(|node| node as Node).collect();
    let good = vec![suspects[0]];
    Ok(Range { source: bare.repo, graph: bare.graph, bad: bare.head_node, good, suspects: suspects[1..].to_vec() })
}

fn timed(range: &Range, known: bool, choose: CulpritStrategy, searches: u64, seed: u64) -> Result<Timed, String> {
    let words = |error: firstbad::Error| error.to_string();
    let mut sum = Timed { mean: 0.0, most: 0.0, runs: 0.0, open: 0.0 };
    for trial in 0..searches {
        let mut random = seeded(trial, 7 + seed);
        let culprit = range.suspects[random.below(range.suspects.len() as u64) as usize];
        let broken = range.broken_by(Some(culprit));
        let truth = Truth { culprit: Some(culprit), broken: &broken, flakes: RATE, false_passes: 0.0 };
        let config = range.verified(if known { Rate::Known(RATE) } else { Rate::Estimate }, choose);
        let start = Instant::now();
        let mut search = CulpritSearch::new(range.graph.clone(), config).map_err(words)?;
        sum.open += start.elapsed().as_secs_f64();
        let mut asked = 0;
        while !search.is_done() && asked < MOST {
            asked += 1;
            let start = Instant::now();
            let probe = search.ask(1).map_err(words)?.pop().ok_or("asks nothing")?;
            let choosing = start.elapsed();
            let node = range.graph.get(probe.revision()).ok_or("asks for an unknown revision")?;
            let outcome = truth.run(node, &mut random);
            let start = Instant::now();
            search.tell(probe.id, outcome.into()).map_err(words)?;
            let spent = (choosing + start.elapsed()).as_secs_f64();
            sum.mean += spent;
            sum.most = sum.most.max(spent);
            sum.runs += 1.0;
        }
    }
    let count = searches as f64;
    Ok(Timed { mean: sum.mean / sum.runs, most: sum.most, runs: sum.runs / count, open: sum.open / count })
}
