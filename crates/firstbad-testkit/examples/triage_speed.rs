//! Measures the decisions of a triage of 1,000 red tests in 5,000 commits: a `tell` and the following `ask`.
//!
//! `cargo run --release -p firstbad-testkit --example triage_speed -- [TESTS] [COMMITS] [CULPRITS] [JOBS]`

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use firstbad::graph::Node;
use firstbad::{Observation, Outcome, Search as _, TestResult, TriageConfig, TriageSearch};
use firstbad_testkit::simulated::{Random, Shape, history};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<usize> = std::env::args().skip(1).map(|one| one.parse()).collect::<Result<_, _>>()?;
    let given = |place: usize, default: usize| arguments.get(place).copied().unwrap_or(default);
    let (tests, commits, culprits, jobs) = (given(0, 1000), given(1, 5000), given(2, 40), given(3, 1));
    for (name, signed, merges) in [
        ("signatures, merges", true, true),
        ("signatures, line", true, false),
        ("no signatures, merges", false, true),
        ("no signatures, line", false, false),
    ] {
        let shape = if merges {
            Shape::branchy(commits)
        } else {
            Shape { merges: 0, forks: 0, roots: 0, ..Shape::branchy(commits) }
        };
        let graph = Arc::new(history(&Shape { roots: 0, ..shape }, 1)?);
        let mut random = Random::new(2);
        let bad = (graph.len() - 1) as Node;
        let suspects: Vec<Node> = graph.ancestors(&[bad]).ones().skip(1).map(|node| node as Node).collect();
        let broken: Vec<Node> = (0..culprits).map(|_| suspects[random.below(suspects.len() as u64) as usize]).collect();
        let failing: Vec<_> = broken.iter().map(|&culprit| graph.descendants(&[culprit])).collect();
        let of: Vec<Option<usize>> =
            (0..tests).map(|_| (!random.chance(50)).then(|| random.below(culprits as u64) as usize)).collect();
        let ids: Vec<String> = (0..tests).map(|test| format!("t{test}")).collect();
        let signature = |test: usize| of[test].filter(|_| signed && test % 5 > 0).map(|culprit| format!("s{culprit}"));
        let red = |test: usize| TestResult { signature: signature(test), ..Outcome::Fail.into() };
        let config = TriageConfig {
            tonight: ids.iter().enumerate().map(|(test, id)| (id.clone(), red(test))).collect(),
            last: ids.iter().map(|id| (id.clone(), Outcome::Pass.into())).collect(),
            max_tests: tests as u32,
            ..TriageConfig::new(graph.id(bad), ids.clone()).good([graph.id(0)])
        };
        let began = Instant::now();
        let mut search = TriageSearch::new(Arc::clone(&graph), config)?;
        let opened = began.elapsed();
        let mut times: Vec<Duration> = Vec::new();
        let mut asked = search.ask(jobs)?;
        while let Some(probe) = asked.pop() {
            let node = graph.get(probe.revision()).unwrap_or_default();
            let run = |test: usize, random: &mut Random| match of[test] {
                Some(culprit) if failing[culprit].contains(node as usize) => Outcome::Fail,
                None if random.chance(200) => Outcome::Fail,
                _ => Outcome::Pass,
            };
            let set = probe.target.tests.iter().flat_map(firstbad::ChangeSet::iter);
            let results: BTreeMap<String, TestResult> =
                set.map(|test| (ids[test].clone(), run(test, &mut random).into())).collect();
            let seen = Observation::of_results(results);
            let began = Instant::now();
            search.tell(probe.id, seen)?;
            let more = search.ask(1)?;
            times.push(began.elapsed());
            asked.splice(0..0, more);
        }
        let replayed = Instant::now();
        let snapshot = firstbad::Inspect::snapshot(&search)?;
        drop(TriageSearch::restore(Arc::clone(&graph), &snapshot)?);
        let replayed = replayed.elapsed();
        times.sort_unstable();
        let report = search.report();
        println!(
            "{name:<22} {} suspects, opened in {opened:.0?}; {} decisions: median {:.1?}, 90% {:.1?}, longest {:.1?}; restored in {replayed:.1?}; {} culprits, {} test runs, {}",
            report.suspects,
            times.len(),
            times[times.len() / 2],
            times[times.len() * 9 / 10],
            times[times.len() - 1],
            report.culprits.len(),
            report.test_runs,
            report.message
        );
    }
    Ok(())
}
