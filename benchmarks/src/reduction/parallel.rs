//! Several sets at a time: workers that sleep instead of testing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use firstbad::reduction::Method;
use firstbad::{ChangeSet, Minimizer, Outcome, ReductionConfig, Search};

use super::bench::Bench;
use super::play;
use super::problem::Problem;
use crate::figure::{Aim, Figure};
use crate::statistics::mean;

const TRIALS: u64 = 6;
const WORKERS: usize = 8;
const TEST: Duration = Duration::from_millis(30);

/// Items, needed ones, neighbours or not.
const SETS: [(usize, usize, bool); 2] = [(512, 10, false), (512, 10, true)];

/// One table: eight workers beside one.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    println!(
        "\n### Workers\n\nA test takes {} ms; what is no longer wanted goes on to its end, or is called off. Sets asked \
         with the full one.\n\n| items / needed | algorithm | workers | called off | seconds | sets asked | times faster | \
         times the sets |\n|---|---|---|---|---|---|---|---|",
        TEST.as_millis()
    );
    let trials = bench.trials.unwrap_or(TRIALS);
    for (count, needed, cluster) in SETS {
        for method in [Method::Recursive, Method::Auto] {
            let algorithm = play::name(method);
            let name = format!("{count} / {needed}{}", if cluster { "c" } else { "s" });
            let mut one = None;
            for (workers, call_off) in [(1, false), (WORKERS, false), (WORKERS, true)] {
                let (mut spent, mut asked) = (Vec::new(), Vec::new());
                for seed in 0..trials {
                    let problem = if cluster {
                        Problem::clustered(count, needed, seed)
                    } else {
                        Problem::scattered(count, needed, seed)
                    };
                    let mut search = Minimizer::new(count, ReductionConfig::default().algorithm(method))
                        .map_err(|error| error.to_string())?;
                    let start = Instant::now();
                    asked.push(drive(&mut search, workers, call_off, &problem)? as f64);
                    spent.push(start.elapsed().as_secs_f64());
                    let kept: ChangeSet = search.report().kept.into_iter().collect();
                    bench.hold(kept == problem.answer, || format!("{name}, {algorithm}, {workers} workers: not exact"));
                }
                let (seconds, asked) = (mean(&spent), mean(&asked));
                let (alone, sets) = *one.get_or_insert((seconds, asked));
                println!(
                    "| {name} | {algorithm} | {workers} | {} | {seconds:.2} | {asked:.1} | {:.2} | {:.2} |",
                    if call_off { "yes" } else { "no" },
                    alone / seconds,
                    asked / sets
                );
                if algorithm == "auto" && workers > 1 && !call_off {
                    let what = format!("{name}, auto, {workers} workers");
                    bench.target(Figure::aimed(
                        format!("{what}: times faster"),
                        alone / seconds,
                        "",
                        Aim::AtLeast(4.0),
                    ));
                    bench.target(Figure::aimed(format!("{what}: times the sets"), asked / sets, "", Aim::AtMost(2.0)));
                }
            }
            bench.progress(format!("workers, {name}, {algorithm}"));
        }
    }
    Ok(())
}

/// A test that a worker is to make.
struct Job {
    id: u64,
    set: ChangeSet,
    called_off: Arc<AtomicBool>,
}

/// What a worker answers: the worker, the probe, and the outcome, `None` if the test was called off.
type Answer = (usize, u64, Option<Outcome>);

/// Runs a search with so many workers to its end; the number of tests begun.
fn drive(search: &mut dyn Search, workers: usize, call_off: bool, problem: &Problem) -> Result<u64, String> {
    let words = |error: firstbad::Error| error.to_string();
    thread::scope(|scope| {
        let (answers, answered) = channel();
        let hands: Vec<(Sender<Job>, thread::Thread)> = (0..workers)
            .map(|number| {
                let (jobs, work) = channel();
                let answers = answers.clone();
                let handle = scope.spawn(move || worker(number, &work, &answers, problem));
                (jobs, handle.thread().clone())
            })
            .collect();
        let mut idle: Vec<usize> = (0..workers).collect();
        let mut flying: Vec<(u64, usize, Arc<AtomicBool>)> = Vec::new();
        let mut begun = 0;
        while !search.is_done() {
            let probes = if idle.is_empty() { Vec::new() } else { search.ask(idle.len()).map_err(words)? };
            for probe in probes {
                let number = idle.pop().ok_or("asks for more than it may")?;
                let set = probe.changes().ok_or("asks for no changes")?.clone();
                let called_off = Arc::new(AtomicBool::new(false));
                flying.push((probe.id, number, called_off.clone()));
                hands[number].0.send(Job { id: probe.id, set, called_off }).map_err(|error| error.to_string())?;
                begun += 1;
            }
            if flying.is_empty() {
                return Err("asks nothing, and nothing is in flight".to_owned());
            }
            let (number, id, outcome) = answered.recv().map_err(|error| error.to_string())?;
            idle.push(number);
            flying.retain(|(other, ..)| *other != id);
            match outcome {
                Some(outcome) => search.tell(id, outcome.into()).map_err(words)?,
                None => search.abandon(id).map_err(words)?,
            }
            for (id, number, called_off) in &flying {
                if call_off && !search.wanted(*id).map_err(words)? {
                    called_off.store(true, Ordering::Release);
                    hands[*number].1.unpark();
                }
            }
        }
        // What is still running is of no use any more.
        for (_, number, called_off) in &flying {
            called_off.store(true, Ordering::Release);
            hands[*number].1.unpark();
        }
        Ok(begun)
    })
}

fn worker(number: usize, jobs: &Receiver<Job>, answers: &Sender<Answer>, problem: &Problem) {
    for Job { id, set, called_off } in jobs {
        let end = Instant::now() + TEST;
        while !called_off.load(Ordering::Acquire) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            thread::park_timeout(left);
        }
        let outcome = (!called_off.load(Ordering::Acquire)).then(|| problem.outcome(&set));
        if answers.send((number, id, outcome)).is_err() {
            return;
        }
    }
}
