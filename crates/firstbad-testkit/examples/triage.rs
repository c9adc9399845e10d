//! Plays red nights of recorded histories and compares triage with one bisection for each test.
//!
//! `cargo run --release -p firstbad-testkit --example triage -- FOLDER [NIGHTS] [SEED] [MODE]` prints a line for each policy. `FOLDER`
//! contains recorded histories. `MODE` is `default`, `stress` (a quarter of the tests are flaky), or `small` (4 red tests or more).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::path::Path;

use firstbad::suite::{All, KeepBuilds, SuiteCosts};
use firstbad::{
    Error, Observation, Outcome, Search as _, Stage, TestResult, TriageConfig, TriageReport, TriageSearch, Verdict,
};
use firstbad_testkit::nights::{Choice, Night, nights};
use firstbad_testkit::simulated::Random;

/// A way to search a night.
#[derive(Debug, Clone, Copy)]
struct Policy {
    name: &'static str,
    signatures: bool,
    confidence: f64,
    jobs: usize,
}

/// The costs of a build and of a test.
const RATIOS: [(&str, f64, f64); 3] = [("10:1", 10.0, 1.0), ("1:1", 1.0, 1.0), ("1:10", 1.0, 10.0)];

/// The costs of a night, and the number of right, wrong, and undecided verdicts.
#[derive(Debug, Default, Clone, Copy)]
struct Played {
    builds: f64,
    runs: f64,
    probes: f64,
    elapsed: f64,
    right: f64,
    wrong: f64,
    undecided: f64,
    tests: f64,
}

fn config(night: &Night, policy: Policy, costs: (f64, f64)) -> TriageConfig {
    let ids: Vec<String> = (0..night.tests.len()).map(|test| format!("t{test}")).collect();
    let signature = |test: usize| night.tests[test].signature.clone().filter(|_| policy.signatures);
    let red = |test: usize| TestResult { signature: signature(test), ..Outcome::Fail.into() };
    TriageConfig {
        tonight: ids.iter().enumerate().map(|(test, id)| (id.clone(), red(test))).collect(),
        last: ids.iter().map(|id| (id.clone(), Outcome::Pass.into())).collect(),
        costs: Some(SuiteCosts { build: costs.0, test: costs.1 }),
        keep_builds: KeepBuilds::All(All::All),
        confidence: policy.confidence,
        ..TriageConfig::new(night.bad.to_string(), ids).good(["good"])
    }
}

/// Plays a night with `policy.jobs` workers that ask whenever they are free.
fn play(
    night: &Night,
    policy: Policy,
    costs: (f64, f64),
    random: &mut Random,
) -> Result<(TriageReport, Played), Error> {
    let mut search = TriageSearch::new(std::sync::Arc::clone(&night.graph), config(night, policy, costs))?;
    let mut result = Played::default();
    let mut built: HashSet<String> = HashSet::new();
    let mut busy: BinaryHeap<Reverse<(u64, u64)>> = BinaryHeap::new();
    let mut now = 0.0;
    while !search.is_done() {
        let probes = if busy.len() < policy.jobs { search.ask(policy.jobs - busy.len())? } else { Vec::new() };
        for probe in &probes {
            let tests = probe.target.tests.as_ref().map_or(0, firstbad::ChangeSet::len) as f64;
            let place = probe.revision().parse::<usize>().ok();
            let is_broken = place.is_some_and(|place| night.unbuildable[place]);
            let is_new = !built.contains(probe.revision());
            let build = if is_new { costs.0 } else { 0.05 * costs.0 };
            let spent = build + if is_broken { 0.0 } else { tests * costs.1 };
            result.builds += f64::from(is_new);
            result.runs += if is_broken { 0.0 } else { tests };
            result.probes += 1.0;
            built.insert(probe.revision().to_owned());
            busy.push(Reverse((((now + spent) * 1000.0) as u64, probe.id)));
        }
        let Some(Reverse((time, id))) = busy.pop() else { break };
        now = time as f64 / 1000.0;
        let Some(probe) = search.in_flight().into_iter().find(|probe| probe.id == id) else { continue };
        let place = probe.revision().parse::<usize>().ok();
        let seen = if place.is_some_and(|place| night.unbuildable[place]) {
            Observation { stage: Some(Stage::Build), ..Observation::new(Outcome::Unresolved) }
        } else {
            let tests = probe.target.tests.iter().flat_map(firstbad::ChangeSet::iter);
            Observation::of_results(tests.map(|test| (format!("t{test}"), night.run(test, place, random).into())))
        };
        search.tell(id, seen)?;
    }
    result.elapsed = now;
    Ok((search.report(), result))
}

/// Compares the verdicts with the truth.
fn judge(night: &Night, report: &TriageReport, result: &mut Played, wrong: &mut BTreeMap<String, usize>) {
    for (test, one) in report.tests.iter().enumerate() {
        let place = |id: &String| id.parse::<usize>().unwrap_or(usize::MAX);
        let is_flaky = night.tests[test].culprits.is_none();
        let is_right = match one.verdict {
            Verdict::Undecided | Verdict::Infra => None,
            Verdict::BrokenIn => Some(!is_flaky && one.candidates.iter().any(|id| night.is_plausible(test, place(id)))),
            Verdict::Flaky | Verdict::Environment | Verdict::FailedBefore => Some(is_flaky),
            _ => Some(!is_flaky && one.culprit.as_ref().is_some_and(|id| night.is_right(test, place(id)))),
        };
        result.tests += 1.0;
        *(match is_right {
            None => &mut result.undecided,
            Some(true) => &mut result.right,
            Some(false) => &mut result.wrong,
        }) += 1.0;
        if is_right != Some(true) {
            *wrong
                .entry(format!("{} of {}", one.verdict.as_str(), if is_flaky { "flaky" } else { "broken" }))
                .or_default() += 1;
        }
    }
}

/// Returns the mean over projects of the mean over their nights.
fn by_project(rows: &[(&str, f64)]) -> f64 {
    let mut by: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    rows.iter().for_each(|&(repo, value)| by.entry(repo).or_default().push(value));
    let means: Vec<f64> = by.values().map(|all| all.iter().sum::<f64>() / all.len() as f64).collect();
    means.iter().sum::<f64>() / means.len() as f64
}

fn row(all: &[Night], base: &[(u64, u64)], policy: Policy, ratio: (&str, f64, f64)) -> Result<(), Error> {
    let costs = (ratio.1, ratio.2);
    let mut wrong = BTreeMap::new();
    let mut results = Vec::new();
    for (number, night) in all.iter().enumerate() {
        let (report, mut result) = play(night, policy, costs, &mut Random::new(7 + number as u64))?;
        judge(night, &report, &mut result, &mut wrong);
        results.push(result);
    }
    let mean = |value: &dyn Fn(&Played, &(u64, u64)) -> f64| {
        let rows = results.iter().zip(base).zip(all);
        by_project(&rows.map(|((result, base), night)| (&night.repo[..], value(result, base))).collect::<Vec<_>>())
    };
    let relative = |spent: &dyn Fn(&Played) -> f64| {
        mean(&|result, base| spent(result) / (costs.0 * base.0 as f64 + costs.1 * base.1 as f64))
    };
    let cost = relative(&|result| costs.0 * result.builds + costs.1 * result.runs);
    let elapsed = relative(&|result| result.elapsed);
    let sum = |of: fn(&Played) -> f64| results.iter().map(of).sum::<f64>();
    let tests = sum(|result| result.tests);
    println!(
        "{:<24} {:>5} | builds {:.3} cost {:.3} elapsed {:.3} | probes {:.1} | right {:.4} wrong {:.4} undecided {:.4} | {wrong:?}",
        policy.name,
        ratio.0,
        mean(&|result, base| result.builds / base.0 as f64),
        cost,
        elapsed,
        sum(|result| result.probes) / all.len() as f64,
        sum(|result| result.right) / tests,
        sum(|result| result.wrong) / tests,
        sum(|result| result.undecided) / tests,
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = |place: usize, default: &str| arguments.get(place).map_or(default, String::as_str).to_owned();
    let mode = given(3, "default");
    let choice = Choice {
        nights: given(1, "3").parse()?,
        tests: if mode == "small" { 4 } else { 10 },
        flaky: if mode == "stress" { [0.25, 0.15] } else { [0.05, 0.05] },
        ..Choice::default()
    };
    let all = nights(Path::new(&given(0, "benchmarks/data/histories")), &choice, given(2, "1").parse()?)?;
    let base: Vec<(u64, u64)> =
        all.iter().enumerate().map(|(number, night)| night.separate(&mut Random::new(number as u64))).collect();
    println!("{} nights, {} tests", all.len(), all.iter().map(|night| night.tests.len()).sum::<usize>());
    let policy = |name, signatures, confidence, jobs| Policy { name, signatures, confidence, jobs };
    for policy in [
        policy("signatures", true, 0.95, 1),
        policy("no signatures", false, 0.95, 1),
        policy("signatures .99", true, 0.99, 1),
        policy("signatures, 4 jobs", true, 0.95, 4),
    ] {
        for ratio in RATIOS {
            row(&all, &base, policy, ratio)?;
        }
    }
    Ok(())
}
