//! The cost of searches as their work grows. Each measurement runs in its own process.

use std::process::Command;
use std::sync::Arc;

use firstbad::culprit::Rate;
use firstbad::graph::Node;
use firstbad::regression::RegressionConfig;
use firstbad::{ChangeSet, CommitGraph, CulpritConfig, CulpritSearch, Minimizer, Outcome, ReductionConfig};
use firstbad::{RegressionSearch, Search};
use firstbad_testkit::git_repository::GitRepository;
use firstbad_testkit::simulated::{Random, Shape, history, monotonic};

use crate::csv::{Csv, cells, rounded};
use crate::memory::status_mib;
use crate::options::Options;
use crate::problem::Problem;
use crate::time::{processor_seconds, seconds};

/// The outcome counts and the time of a search.
struct Measured {
    runs: usize,
    decisions: usize,
    seconds: f64,
}

type Measure = fn(usize) -> Result<Measured, String>;

/// The name of a series, the size that it grows with, its sizes, and what is measured.
type Series = (&'static str, &'static str, &'static [usize], Measure);

const SERIES: [Series; 8] = [
    ("find_regressions in a line", "commits", &[1000, 10_000, 100_000, 1_000_000], |size| regression(&line(size)?, 1)),
    ("find_regressions with merges", "commits", &[1000, 10_000, 100_000, 1_000_000], |size| {
        regression(&merges(size)?, 1)
    }),
    ("git rev-list --bisect with merges", "commits", &[1000, 10_000, 100_000], git),
    ("find_regressions in 100000 commits", "bad leaves", &[1, 10, 100, 1000], |size| {
        regression(&merges(100_000)?, size)
    }),
    ("find_culprit in a line", "suspects", &[10, 100, 1000, 10_000, 100_000, 1_000_000], |size| culprit(&line(size)?)),
    ("find_culprit with merges", "suspects", &[10, 100, 1000, 10_000, 100_000, 1_000_000], |size| {
        culprit(&merges(size)?)
    }),
    ("minimize with 10 needed", "changes", &[10, 100, 1000, 10_000, 100_000], reduction),
    ("find_regressions in 1000 commits", "jobs", &[1, 2, 4, 8, 16], rounds),
];

fn words(error: firstbad::Error) -> String {
    error.to_string()
}

/// Writes `scale.csv`. In the series of jobs, the decisions are the rounds.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut table = Csv::new(&["series", "size_is", "size", "runs", "decisions", "us_per_decision", "peak_mib"]);
    for (number, (_, _, sizes, _)) in SERIES.iter().enumerate() {
        for size in *sizes {
            let output = Command::new(&program).args(["child", &number.to_string(), &size.to_string()]).output();
            let output = output.map_err(|error| error.to_string())?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into_owned());
            }
            let printed = String::from_utf8_lossy(&output.stdout);
            table.row(printed.trim().split(',').map(str::to_owned).collect::<Vec<_>>());
        }
    }
    table.write(options, "scale")
}

/// Measures one size of a series, and prints the row.
pub(crate) fn run_child(number: &str, size: &str) -> Result<(), String> {
    let number: usize = number.parse().map_err(|_| "no number")?;
    let size: usize = size.parse().map_err(|_| "no size")?;
    let (name, size_is, _, measure) = SERIES.get(number).ok_or("no such series")?;
    let Measured { runs, decisions, seconds } = measure(size)?;
    let decision = rounded(1e6 * seconds / decisions as f64, 2);
    println!("{}", cells![name, size_is, size, runs, decisions, decision, rounded(status_mib("VmHWM"), 0)].join(","));
    Ok(())
}

fn line(size: usize) -> Result<Arc<CommitGraph>, String> {
    CommitGraph::linear((0..=size).map(|place| format!("{place:x}"))).map(Arc::new).map_err(words)
}

fn merges(size: usize) -> Result<Arc<CommitGraph>, String> {
    history(&Shape { roots: 0, ..Shape::branchy(size + 1) }, 1).map(Arc::new).map_err(words)
}

/// Searches one culprit from the oldest revision to so many bad revisions, spread over those that fail.
fn regression(graph: &Arc<CommitGraph>, leaves: usize) -> Result<Measured, String> {
    let newest = (graph.len() - 1) as Node;
    let above: Vec<Node> = graph.ancestors(&[newest]).ones().map(|node| node as Node).collect();
    let outcomes = monotonic(graph, above[above.len() / 3]);
    let failing: Vec<Node> = above.into_iter().filter(|&node| outcomes[node as usize] == Outcome::Fail).collect();
    let bad = (0..leaves).map(|place| graph.id(failing[failing.len() - 1 - place * failing.len() / leaves]));
    let config = RegressionConfig::new(bad).good([graph.id(0)]);
    let mut search = RegressionSearch::new(Arc::clone(graph), config).map_err(words)?;
    play(&mut search, graph, &|node| outcomes[node as usize])
}

fn play(search: &mut impl Search, graph: &CommitGraph, outcome: &dyn Fn(Node) -> Outcome) -> Result<Measured, String> {
    let mut runs = 0;
    let (seconds, played) = processor_seconds(|| {
        while let Some(probe) = search.ask(1).map_err(words)?.pop() {
            runs += 1;
            let node = graph.get(probe.revision()).ok_or("an unknown revision")?;
            search.tell(probe.id, outcome(node).into()).map_err(words)?;
        }
        Ok::<_, String>(())
    });
    played?;
    Ok(Measured { runs, decisions: runs, seconds })
}

fn git(size: usize) -> Result<Measured, String> {
    let repository = GitRepository::new(&*merges(size)?).map_err(|failure| failure.to_string())?;
    let (seconds, chosen) = seconds(|| repository.rev_list_bisect(size as Node, &[0]));
    chosen.map_err(|failure| failure.to_string())?;
    Ok(Measured { runs: 1, decisions: 1, seconds })
}

fn culprit(graph: &Arc<CommitGraph>) -> Result<Measured, String> {
    const RATE: f64 = 0.1;
    let newest = (graph.len() - 1) as Node;
    let above: Vec<Node> = graph.ancestors(&[newest]).ones().map(|node| node as Node).collect();
    let broken = graph.descendants(&[above[(above.len() - 1) / 3 + 1]]);
    let config = CulpritConfig::new(graph.id(newest), Rate::Known(RATE)).good([graph.id(0)]);
    let mut search = CulpritSearch::new(Arc::clone(graph), config).map_err(words)?;
    let random = std::cell::RefCell::new(Random::new(1));
    let fails = |node: Node| broken.contains(node as usize) || random.borrow_mut().fraction() < RATE;
    play(&mut search, graph, &|node| if fails(node) { Outcome::Fail } else { Outcome::Pass })
}

fn reduction(size: usize) -> Result<Measured, String> {
    let problem = Problem::scattered(size, 10, 1);
    let (mut runs, mut spent) = (0, 0.0);
    let mut search = Minimizer::new(size, ReductionConfig::default()).map_err(words)?;
    loop {
        let (seconds, asked) = processor_seconds(|| search.ask(1));
        spent += seconds;
        let Some(probe) = asked.map_err(words)?.pop() else { break };
        let outcome = problem.outcome(probe.changes().ok_or("no set of changes")?);
        let (seconds, told) = processor_seconds(|| search.tell(probe.id, outcome.into()));
        told.map_err(words)?;
        (runs, spent) = (runs + 1, spent + seconds);
    }
    let kept: ChangeSet = search.report().kept.into_iter().collect();
    if kept == problem.answer {
        Ok(Measured { runs, decisions: runs, seconds: spent })
    } else {
        Err("not exact".into())
    }
}

/// Runs batches for each of 1,000 culprits, and returns the sums.
fn rounds(jobs: usize) -> Result<Measured, String> {
    let graph = line(1000)?;
    let (mut runs, mut rounds, mut spent) = (0, 0, 0.0);
    for culprit in 1..=1000 {
        let config = RegressionConfig::new([graph.id(1000)]).good([graph.id(0)]).no_test_endpoints().unconfirmed();
        let mut search = RegressionSearch::new(Arc::clone(&graph), config).map_err(words)?;
        let (seconds, played) = processor_seconds(|| {
            while !search.is_done() {
                let probes = search.ask(jobs)?;
                rounds += 1;
                runs += probes.len();
                for probe in probes {
                    let fails = graph.get(probe.revision()).is_some_and(|node| node >= culprit);
                    search.tell(probe.id, if fails { Outcome::Fail } else { Outcome::Pass }.into())?;
                }
            }
            Ok::<_, firstbad::Error>(())
        });
        played.map_err(words)?;
        spent += seconds;
    }
    Ok(Measured { runs, decisions: rounds, seconds: spent })
}
