//! Measures the decisions of a triage of 1,000 red tests in 5,000 commits: a `tell` and the following `ask`.
//!
//! `cargo run --release -p firstbad-testkit --example triage_speed -- [TESTS] [COMMITS] [CULPRITS] [JOBS]`

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use firstbad::graph::Node;
use firstbad::{ChangeSet, CommitGraph, Inspect as _, Observation, Outcome, Probe, Search as _};
use firstbad::{TestResult, TriageConfig, TriageSearch};
use firstbad_testkit::simulated::{Random, Shape, history, monotonic};

type Failed = Box<dyn std::error::Error>;

/// A night with a culprit or flakiness for each test.
struct Night {
    graph: Arc<CommitGraph>,
    ids: Vec<String>,
    /// The culprit of each test, or `None` if it is flaky.
    culprits: Vec<Option<usize>>,
    /// The outcomes with each culprit, by revision.
    outcomes: Vec<Vec<Outcome>>,
}

impl Night {
    fn new(tests: usize, shape: &Shape, culprits: usize) -> Result<Night, Failed> {
        let graph = Arc::new(history(shape, 1)?);
        let mut random = Random::new(2);
        let bad = (graph.len() - 1) as Node;
        let suspects: Vec<Node> = graph.ancestors(&[bad]).ones().skip(1).map(|node| node as Node).collect();
        let outcomes =
            (0..culprits).map(|_| monotonic(&graph, suspects[random.below(suspects.len() as u64) as usize])).collect();
        let of = (0..tests).map(|_| (!random.chance(50)).then(|| random.below(culprits as u64) as usize)).collect();
        Ok(Night { ids: (0..tests).map(|test| format!("t{test}")).collect(), culprits: of, outcomes, graph })
    }

    fn config(&self, signed: bool) -> TriageConfig {
        let has_signature = |test: usize| signed && !test.is_multiple_of(5);
        let signature =
            |test: usize| self.culprits[test].filter(|_| has_signature(test)).map(|culprit| format!("s{culprit}"));
        let red = |test: usize| TestResult { signature: signature(test), ..Outcome::Fail.into() };
        let bad = self.graph.id((self.graph.len() - 1) as Node);
        TriageConfig {
            tonight: self.ids.iter().enumerate().map(|(test, id)| (id.clone(), red(test))).collect(),
            last: self.ids.iter().map(|id| (id.clone(), Outcome::Pass.into())).collect(),
            max_tests: self.ids.len() as u32,
            ..TriageConfig::new(bad, self.ids.clone()).good([self.graph.id(0)])
        }
    }

    fn run(&self, probe: &Probe, random: &mut Random) -> Observation {
        let node = self.graph.get(probe.revision()).unwrap_or_default() as usize;
        let outcome = |test: usize, random: &mut Random| match self.culprits[test] {
            Some(culprit) => self.outcomes[culprit][node],
            None if random.chance(200) => Outcome::Fail,
            None => Outcome::Pass,
        };
        let tests = probe.target.tests.iter().flat_map(ChangeSet::iter);
        let results: BTreeMap<String, TestResult> =
            tests.map(|test| (self.ids[test].clone(), outcome(test, random).into())).collect();
        Observation::of_results(results)
    }
}

/// Plays a night and prints the durations.
fn measure(name: &str, night: &Night, signed: bool, jobs: usize) -> Result<(), Failed> {
    let mut random = Random::new(3);
    let began = Instant::now();
    let mut search = TriageSearch::new(Arc::clone(&night.graph), night.config(signed))?;
    let opened = began.elapsed();
    let mut times: Vec<Duration> = Vec::new();
    let mut asked = search.ask(jobs)?;
    while let Some(probe) = asked.pop() {
        let seen = night.run(&probe, &mut random);
        let began = Instant::now();
        search.tell(probe.id, seen)?;
        let more = search.ask(1)?;
        times.push(began.elapsed());
        asked.splice(0..0, more);
    }
    let snapshot = search.snapshot()?;
    let began = Instant::now();
    drop(TriageSearch::restore(Arc::clone(&night.graph), &snapshot)?);
    let restored = began.elapsed();
    times.sort_unstable();
    let (count, report) = (times.len(), search.report());
    println!(
        "{name:<22} {} suspects, opened in {opened:.0?}, {count} decisions: median {:.1?}, 90% {:.1?}, longest {:.1?}",
        report.suspects,
        times[count / 2],
        times[count * 9 / 10],
        times[count - 1],
    );
    println!("{:<22} restored in {restored:.1?}, {} test runs, {}", "", report.test_runs, report.message);
    Ok(())
}

fn main() -> Result<(), Failed> {
    let arguments: Vec<usize> = std::env::args().skip(1).map(|one| one.parse()).collect::<Result<_, _>>()?;
    let given = |place: usize, default: usize| arguments.get(place).copied().unwrap_or(default);
    let (tests, commits, culprits, jobs) = (given(0, 1000), given(1, 5000), given(2, 40), given(3, 1));
    let merges = Shape { roots: 0, ..Shape::branchy(commits) };
    let line = Shape { merges: 0, forks: 0, ..merges };
    for (shape, of) in [(merges, "merges"), (line, "line")] {
        let night = Night::new(tests, &shape, culprits)?;
        measure(&format!("signatures, {of}"), &night, true, jobs)?;
        measure(&format!("no signatures, {of}"), &night, false, jobs)?;
    }
    Ok(())
}
