//! Rounds: how long a search takes with several tests at a time.

mod driven;

use std::sync::Arc;

use firstbad::culprit::{CulpritConfig, Rate};
use firstbad::graph::Node;
use firstbad::regression::{RegressionConfig, SearchKind};
use firstbad::{CommitGraph, CulpritSearch, Outcome, Search};
use firstbad_testkit::recorded::{Choice, History, Instance};
use firstbad_testkit::replay::Case;
use firstbad_testkit::simulated::{self, Random, Shape};
use firstbad_testkit::truth::suspects;

pub(crate) use self::driven::list;
use self::driven::{Took, by_clock, config, even_quantiles, in_rounds, search};
use crate::figure::{Aim, Figure};
use crate::graphs::bare_graph;
use crate::options::Options;
use crate::parallel::in_parallel;
use crate::statistics::Average;

const JOBS: [usize; 4] = [2, 4, 8, 16];

/// For each list at most so many culprits, spread evenly: in rounds, with a clock, and with a flaky test.
const CULPRITS: [u64; 3] = [10_000, 1000, 200];

/// What is said of each row.
const HEAD: &str = "| rounds: ours | even quantiles | git's halving, both outcomes | probes: ours | even | halving |";
const RULE: &str = "|---|---|---|---|---|---|";

/// Measures everything and prints it.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    println!("# Rounds\n");
    let only = |part: &str| options.only.as_deref().is_none_or(|only| only == part);
    let mut figures = Vec::new();
    if only("lists") {
        lists(&mut figures, options.trials.unwrap_or(CULPRITS[0]))?;
    }
    if only("clock") {
        clock(&mut figures, options.trials.unwrap_or(CULPRITS[1]))?;
    }
    if only("flaky") {
        flaky(options.trials.unwrap_or(CULPRITS[2]))?;
    }
    if only("histories") {
        histories(&mut figures, options)?;
    }
    if only("time") {
        time(&mut figures, options)?;
    }
    println!("| figure | measured | aim | |\n|---|---|---|---|");
    figures.iter().for_each(Figure::print);
    Ok(true)
}

/// The mean depth of a leaf in the shallowest tree with `suspects` leaves and at most `jobs + 1` children for a node,
/// which is what dynamic programming finds.
fn optimum(suspects: usize, jobs: usize) -> f64 {
    let (mut depth, mut leaves) = (0, 1);
    while leaves * (jobs + 1) <= suspects {
        leaves *= jobs + 1;
        depth += 1;
    }
    let nodes = (suspects - leaves).div_ceil(jobs);
    depth as f64 + (suspects - leaves + nodes) as f64 / suspects as f64
}

fn mean(all: &[Took]) -> Took {
    let of = |value: fn(&Took) -> f64| all.iter().map(value).sum::<f64>() / all.len() as f64;
    Took {
        time: of(|took| took.time),
        probes: of(|took| took.probes),
        called_off: of(|took| took.called_off),
        idle: of(|took| took.idle),
    }
}

/// For culprits spread evenly over a list.
fn over_culprits(
    suspects: usize,
    most: u64,
    work: impl Fn(Node) -> Result<Took, String> + Sync,
) -> Result<Took, String> {
    let count = (suspects as u64).min(most);
    let culprits: Vec<Node> = (0..count).map(|i| (1 + (2 * i + 1) * suspects as u64 / (2 * count)) as Node).collect();
    let all: Result<Vec<Took>, String> = in_parallel(&culprits, |&culprit| work(culprit)).into_iter().collect();
    Ok(mean(&all?))
}

fn at(culprit: Node) -> impl Fn(Node) -> Outcome {
    move |node| if node >= culprit { Outcome::Fail } else { Outcome::Pass }
}

fn lists(figures: &mut Vec<Figure>, most: u64) -> Result<(), String> {
    println!(
        "## Lists\n\nAll suspects alike; up to {most} culprits, spread evenly; `jobs` answers come, then the next are asked.\n"
    );
    println!("| suspects | jobs | optimum {HEAD}\n|---|---|---{RULE}");
    for suspects in [100, 1000, 10_000] {
        let case = list(suspects)?;
        for jobs in JOBS {
            let ours = over_culprits(suspects, most, |at_| in_rounds(&case, SearchKind::Auto, jobs, at(at_)))?;
            let halving = over_culprits(suspects, most, |at_| in_rounds(&case, SearchKind::Bisect, jobs, at(at_)))?;
            let even = over_culprits(suspects, most, |at_| Ok(even_quantiles(&case, jobs, at(at_), one())))?;
            let optimum = optimum(suspects, jobs);
            println!(
                "| {suspects} | {jobs} | {optimum:.3} | {:.3} ({:.3}) | {:.3} ({:.3}) | {:.3} ({:.3}) | {:.1} | {:.1} | {:.1} |",
                ours.time,
                ours.time / optimum,
                even.time,
                even.time / optimum,
                halving.time,
                halving.time / optimum,
                ours.probes,
                even.probes,
                halving.probes,
            );
            let what = format!("list of {suspects}, {jobs} jobs: rounds, of the optimum");
            figures.push(Figure::aimed(what, ours.time / optimum, "", Aim::AtMost(1.03)));
        }
    }
    println!();
    Ok(())
}

/// Each run of a round takes a round.
fn one() -> impl FnMut() -> f64 {
    || 1.0
}

/// How long runs take, 1 on average.
#[derive(Clone, Copy)]
enum Times {
    Uniform,
    Exponential,
}

impl Times {
    fn name(self) -> &'static str {
        match self {
            Times::Uniform => "0.5 to 1.5, evenly",
            Times::Exponential => "exponential",
        }
    }

    fn draw(self, seed: u64) -> impl FnMut() -> f64 {
        let mut random = Random::new(seed);
        move || {
            let share = random.fraction();
            match self {
                Times::Uniform => 0.5 + share,
                Times::Exponential => -(1.0 - share).ln(),
            }
        }
    }
}

fn clock(figures: &mut Vec<Figure>, most: u64) -> Result<(), String> {
    println!("## Runs of unequal time\n");
    println!(
        "Lists, with a simulated clock in units of an average run. Ours and halving take the next probe when a worker is free, and end what has become useless; even quantiles wait for the slowest of a round.\n"
    );
    println!(
        "| suspects | jobs | a run takes | time: ours | even quantiles | git's halving, both outcomes | ours: idle | halving: idle | probes: ours | even | halving |\n|---|---|---|---|---|---|---|---|---|---|---|"
    );
    for suspects in [100, 1000, 10_000] {
        let case = list(suspects)?;
        for jobs in JOBS {
            for times in [Times::Uniform, Times::Exponential] {
                let drive = |kind| {
                    over_culprits(suspects, most, |at_| {
                        by_clock(
                            &case,
                            &mut search(&case, config(&case, kind))?,
                            jobs,
                            at(at_),
                            times.draw(u64::from(at_)),
                        )
                    })
                };
                let (ours, halving) = (drive(SearchKind::Auto)?, drive(SearchKind::Bisect)?);
                let even = over_culprits(suspects, most, |at_| {
                    Ok(even_quantiles(&case, jobs, at(at_), times.draw(u64::from(at_))))
                })?;
                println!(
                    "| {suspects} | {jobs} | {} | {:.3} | {:.3} | {:.3} | {:.1}% | {:.1}% | {:.1} | {:.1} | {:.1} |",
                    times.name(),
                    ours.time,
                    even.time,
                    halving.time,
                    100.0 * ours.idle,
                    100.0 * halving.idle,
                    ours.probes,
                    even.probes,
                    halving.probes,
                );
                let what =
                    format!("list of {suspects}, {jobs} jobs, {}: time, of the better of the others", times.name());
                let ratio = ours.time / even.time.min(halving.time);
                figures.push(Figure::aimed(what, ratio, "", Aim::AtMost(1.0)));
            }
        }
    }
    println!();
    Ok(())
}

/// With a flaky test and its verification: what several workers do with their time.
fn flaky(most: u64) -> Result<(), String> {
    println!("## Flaky tests\n");
    println!(
        "Lists, verified, with the same clock; runs take 0.5 to 1.5, evenly. A healthy revision fails at the rate. *Regression* is `search = \"bayes\"`, *culprit* `find_culprit`. *Called off* are runs that were begun and have become useless.\n"
    );
    println!(
        "| search | suspects | rate | jobs | time | times faster | runs begun | called off | idle |\n|---|---|---|---|---|---|---|---|---|"
    );
    let rates = [(0.1, Some(Rate::Known(0.1))), (0.1, None), (0.3, Some(Rate::Known(0.3)))];
    for (kind, suspects) in [("regression", 100), ("regression", 1000), ("culprit", 100), ("culprit", 1000)] {
        let case = list(suspects)?;
        for (rate, told) in rates {
            let mut alone = None;
            for jobs in [1, 2, 4, 8] {
                let took = over_culprits(suspects, most, |culprit| {
                    let mut search: Box<dyn Search> = if kind == "regression" {
                        let config = RegressionConfig { flake_rate: told, ..config(&case, SearchKind::Bayes) };
                        Box::new(search(&case, config)?)
                    } else {
                        let config = CulpritConfig::new(format!("r{suspects}"), told.unwrap_or(Rate::Estimate));
                        let search = CulpritSearch::new(Arc::clone(&case.graph), config.good(["r0"]));
                        Box::new(search.map_err(|error| error.to_string())?)
                    };
                    let mut flakes = Random::new(u64::from(culprit));
                    let seen = |node| {
                        let is_flake = flakes.fraction() < rate;
                        if node >= culprit || is_flake { Outcome::Fail } else { Outcome::Pass }
                    };
                    by_clock(&case, &mut *search, jobs, seen, Times::Uniform.draw(u64::from(culprit)))
                })?;
                let faster = *alone.get_or_insert(took.time) / took.time;
                let about = if told.is_some() { "told" } else { "unknown" };
                println!(
                    "| {kind} | {suspects} | {rate}, {about} | {jobs} | {:.2} | {faster:.2} | {:.1} | {:.1} | {:.1}% |",
                    took.time,
                    took.probes,
                    took.called_off,
                    100.0 * took.idle,
                );
            }
        }
    }
    println!();
    Ok(())
}

/// One instance of a recorded history: its project, the rounds that as many suspects take on a list and in the limit of
/// many, and what the three ways took.
type Row = (String, [f64; 2], [Took; 3]);

/// How long it takes to choose for 16 jobs.
fn time(figures: &mut Vec<Figure>, options: &Options) -> Result<(), String> {
    let mut cases = vec![];
    for suspects in [128, 300, 1000, 1_000_000] {
        cases.push((format!("list of {suspects}"), list(suspects)?));
    }
    let million = simulated::history(&Shape::branchy(1_000_000), 7).map_err(|error| error.to_string())?;
    cases.push(("random merges, 1000000".into(), whole(Arc::new(million))));
    let small = simulated::history(&Shape::branchy(128), 7).map_err(|error| error.to_string())?;
    cases.push(("random merges, 128".into(), whole(Arc::new(small))));
    cases.push(("git's own history".into(), whole(bare_graph(&options.data, "git+git")?.graph)));
    for (name, case) in cases {
        for jobs in [1, 16] {
            let took = driven::time_of_first(&case, jobs)?;
            figures.push(Figure::told(format!("{name}: choosing for {jobs} jobs"), took * 1e3, "ms"));
        }
    }
    Ok(())
}

/// From the revision with the most ancestors, among the newest, to a root.
fn whole(graph: Arc<CommitGraph>) -> Case {
    let outcomes = vec![Outcome::Pass; graph.len()].into();
    let newest = graph.leaves().collect::<Vec<Node>>().into_iter().rev().take(50);
    let leaf = newest.max_by_key(|&leaf| graph.ancestors(&[leaf]).count_ones(..));
    Case { outcomes, leaves: leaf.into_iter().collect(), goods: graph.roots().take(1).collect(), graph }
}

fn histories(figures: &mut Vec<Figure>, options: &Options) -> Result<(), String> {
    println!("## Recorded histories\n");
    println!(
        "One bad end; rounds over those of the optimum on a list with as many suspects, averaged over projects. Ours and halving also test the parents that a clean answer needs; even quantiles do not.\n"
    );
    println!("| jobs | instances {HEAD}\n|---|---{RULE}");
    let all = History::read_all(&options.data.join("histories")).map_err(|failure| failure.to_string())?;
    let choice = Choice::default();
    for jobs in JOBS {
        let mut rows: Vec<Row> = Vec::new();
        for history in &all {
            let functions = history.chosen_functions(&choice);
            let done = in_parallel(&functions, |&(function, swapped)| {
                let instances = history.single_leaf(function, swapped, &choice);
                instances.iter().filter_map(|instance| row(history, instance, jobs).transpose()).collect()
            });
            for found in done {
                let found: Result<Vec<Row>, String> = found;
                rows.extend(found?);
            }
        }
        let average = |value: &dyn Fn(&Row) -> f64| Average::of(rows.iter().map(|row| (row.0.as_str(), value(row))));
        let limits = [0, 1].map(|limit| average(&|row| row.1[limit]));
        let rounds = [0, 1, 2].map(|way| average(&|row| row.2[way].time).over(limits[0]).over_projects);
        let probes = [0, 1, 2].map(|way| average(&|row| row.2[way].probes).over_projects);
        println!(
            "| {jobs} | {} | {:.3} | {:.3} | {:.3} | {:.1} | {:.1} | {:.1} |",
            rows.len(),
            rounds[0],
            rounds[1],
            rounds[2],
            probes[0],
            probes[1],
            probes[2]
        );
        let what = format!("histories, {jobs} jobs: rounds, of the optimum on a list of as many");
        figures.push(Figure::told(what, rounds[0], ""));
        let of_limit = average(&|row| row.2[0].time).over(limits[1]).over_projects;
        figures.push(Figure::told(format!("histories, {jobs} jobs: rounds, of log(n) / log(k + 1)"), of_limit, ""));
    }
    println!();
    Ok(())
}

/// `None` where nothing is to be asked.
fn row(history: &History, instance: &Instance, jobs: usize) -> Result<Option<Row>, String> {
    let case = &instance.case;
    let count = suspects(case).len();
    if count < 2 {
        return Ok(None);
    }
    let outcome = |node| case.outcome(node);
    let ours = in_rounds(case, SearchKind::Auto, jobs, outcome)?;
    let even = even_quantiles(case, jobs, outcome, one());
    let halving = in_rounds(case, SearchKind::Bisect, jobs, outcome)?;
    let limits = [optimum(count, jobs), (count as f64).ln() / ((jobs + 1) as f64).ln()];
    Ok(Some((history.repo.clone(), limits, [ours, even, halving])))
}
