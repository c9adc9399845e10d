//! Items that depend on others: a set in which one misses what it depends on says nothing.

use std::collections::BTreeMap;

use firstbad::ReductionConfig;
use firstbad::reduction::{Method, Need};

use super::bench::Bench;
use super::play::{AUTO, OURS, Played, Reducer, name, play};
use super::problem::Problem;
use crate::figure::{Aim, Figure};
use crate::statistics::mean;

const TRIALS: u64 = 300;

/// Of 1,000 items, how many depend on another one.
const DEPEND: u64 = 500;

/// One table for dependencies on earlier items, with and without telling them, and one for both ways.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    println!(
        "\n### Dependencies\n\nEvery second item depends on one of the 16 before it. *Told* is with the dependencies \
         given; *both ways*: half of them turned round, no cycles. Exact is the needed items with all they depend on.\
         \n\n| items / needed | dependencies | reducer | trials | sets asked | unresolved | kept | exact |\n|---|---|---|\
         ---|---|---|---|---|"
    );
    let published = [Reducer::Ddmin, Reducer::Recursion];
    for needed in [3, 10] {
        for reducer in published.into_iter().chain(OURS) {
            backward(bench, needed, reducer, false)?;
        }
        for reducer in OURS {
            backward(bench, needed, reducer, true)?;
        }
        bench.progress(format!("backward, {needed} needed"));
    }
    for (count, needed, depend) in [(64, 3, 200), (512, 3, DEPEND), (512, 10, DEPEND)] {
        for reducer in [Reducer::Recursion, Reducer::Fixpoint].into_iter().chain(OURS) {
            let trials = bench.trials.unwrap_or(TRIALS);
            let problem = |seed| Problem::dependent(count, needed, depend, 500, seed);
            let row = Row { name: format!("{count} / {needed}"), kind: "both ways", reducer, told: false };
            let share = measure(&row, trials, &problem)?.exact as f64 / trials as f64;
            if let Reducer::Ours(algorithm) = reducer {
                let algorithm = name(algorithm);
                bench.hold(share == 1.0, || format!("{}, both ways, {algorithm}: exact in {share}", row.name));
                let what = format!("{}, both ways, {algorithm}: share of exact results", row.name);
                bench.target(Figure::aimed(what, share, "", Aim::AtLeast(1.0)));
            }
        }
        bench.progress(format!("both ways, {count} / {needed}"));
    }
    Ok(())
}

fn backward(bench: &mut Bench, needed: usize, reducer: Reducer, told: bool) -> Result<(), String> {
    let slow = matches!(reducer, Reducer::Ddmin | Reducer::Ours(Method::Ddmin));
    let trials = bench.trials.unwrap_or(if slow { TRIALS / 10 } else { TRIALS });
    let problem = |seed| Problem::dependent(512, needed, DEPEND, 0, seed);
    let kind = if told { "earlier, told" } else { "earlier" };
    let row = Row { name: format!("512 / {needed}"), kind, reducer, told };
    let measured = measure(&row, trials, &problem)?;
    let what = format!("{}, {kind}, {}", row.name, reducer.name());
    bench.hold(measured.exact == trials, || format!("{what}: exact in {} of {trials}", measured.exact));
    if (reducer, needed) == (AUTO, 10) {
        let aim = Aim::AtMost(if told { 94.0 } else { 128.0 });
        bench.target(Figure::aimed(format!("{what}: sets asked"), measured.asked, "", aim));
    }
    Ok(())
}

/// One row of the table.
struct Row {
    name: String,
    kind: &'static str,
    reducer: Reducer,
    told: bool,
}

struct Measured {
    asked: f64,
    exact: u64,
}

fn measure(row: &Row, trials: u64, problem: &dyn Fn(u64) -> Problem) -> Result<Measured, String> {
    let mut all: Vec<Played> = Vec::new();
    let mut exact = 0;
    for seed in 0..trials {
        let problem = problem(seed);
        let mut config = ReductionConfig::default();
        if row.told {
            config = config.dependencies(dependencies(&problem));
        }
        let played = play(row.reducer, problem.count, &config, &mut |set| problem.outcome(set))?;
        exact += u64::from(played.kept == problem.answer);
        all.push(played);
    }
    let over = |value: fn(&Played) -> f64| mean(&all.iter().map(value).collect::<Vec<_>>());
    let asked = over(|played| played.asked as f64);
    println!(
        "| {} | {} | {} | {trials} | {asked:.1} | {:.0}% | {:.1} | {exact} |",
        row.name,
        row.kind,
        row.reducer.name(),
        100.0 * over(|played| played.unresolved as f64) / asked,
        over(|played| played.kept.len() as f64),
    );
    Ok(Measured { asked, exact })
}

fn dependencies(problem: &Problem) -> BTreeMap<usize, Vec<Need>> {
    let all = problem.needs.iter().enumerate().filter(|(_, needs)| !needs.is_empty());
    all.map(|(item, needs)| (item, needs.iter().map(|&other| Need::Item(other)).collect())).collect()
}
