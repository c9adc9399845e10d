//! Counts of a few simulated searches. They must not get worse than recorded.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::regression::{Prefer, RegressionConfig};
use firstbad::suite::SuiteCosts;
use firstbad::{CommitGraph, GraphBuilder, Minimizer, Outcome, ReductionConfig, Search};
use firstbad_testkit::nights::{Night, RedTest};
use firstbad_testkit::replay::Case;
use firstbad_testkit::simulated::{Random, Shape, alternating, history, monotonic};
use firstbad_testkit::sliced::{SUBJECTS, SlicedHistory};
use firstbad_testkit::soundness;

use crate::culprits::{self, Range};
use crate::numbers::{self, Machine, Noise, World};
use crate::problem::Problem;
use crate::{slicing, triage};

/// The counts by name. Less is better.
type Counts = BTreeMap<String, u64>;

type Measure = fn(&mut Counts) -> Result<(), String>;

const PARTS: [Measure; 6] = [regressions, flaky, reductions, slices, nights, changes];

fn words(error: firstbad::Error) -> String {
    error.to_string()
}

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/quick.csv")
}

/// Compares all counts with the recorded ones, or records them.
///
/// # Errors
///
/// If a count is larger than recorded.
pub(crate) fn run(record: bool) -> Result<(), String> {
    let mut counts = Counts::new();
    PARTS.iter().try_for_each(|measure| measure(&mut counts))?;
    let text: String = counts.iter().map(|(name, count)| format!("{name},{count}\n")).collect();
    let path = file();
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    if record {
        return std::fs::write(&path, format!("count,recorded\n{text}")).map_err(failed);
    }
    let recorded = std::fs::read_to_string(&path).map_err(failed)?;
    let recorded: BTreeMap<&str, u64> = recorded
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(','))
        .map(|(name, count)| (name, count.parse().unwrap_or(0)))
        .collect();
    let mut worse = Vec::new();
    for (name, count) in &counts {
        match recorded.get(name.as_str()) {
            Some(before) if count == before => {}
            Some(before) if count < before => println!("better: {name}: {count}, recorded {before}"),
            before => worse.push(format!("{name}: {count}, recorded {}", before.map_or("none".into(), u64::to_string))),
        }
    }
    let gone = recorded.keys().filter(|name| !counts.contains_key(**name)).map(|name| format!("{name}: not counted"));
    worse.extend(gone);
    if worse.is_empty() {
        println!("{} counts are as recorded, or better.", counts.len());
        return Ok(());
    }
    Err(format!(
        "Counts got worse:\n{}\nIf this is intended, run make bench-quick RECORD=1 and explain it in the commit.",
        worse.join("\n")
    ))
}

/// One and several bad revisions in histories with merges.
fn regressions(counts: &mut Counts) -> Result<(), String> {
    for seed in 0..300 {
        let graph = Arc::new(history(&Shape { roots: 0, ..Shape::branchy(400) }, seed).map_err(words)?);
        let newest = (graph.len() - 1) as Node;
        let above: Vec<Node> = graph.ancestors(&[newest]).ones().skip(1).map(|node| node as Node).collect();
        let culprit = above[Random::new(seed).below(above.len() as u64) as usize];
        let mut returning = alternating(&graph, 5, seed);
        (returning[0], returning[newest as usize]) = (Outcome::Pass, Outcome::Fail);
        let all = [("one culprit", monotonic(&graph, culprit)), ("several points", returning)];
        for (name, outcomes) in all {
            let tips: Vec<Node> = graph.leaves().filter(|&leaf| outcomes[leaf as usize] == Outcome::Fail).collect();
            let case = Case { graph: graph.clone(), outcomes: outcomes.into(), leaves: vec![newest], goods: vec![0] };
            let latest = RegressionConfig { prefer: Prefer::Latest, ..case.config() };
            let many = Case { leaves: tips, ..case.clone() };
            let searches =
                [("", &case, case.config()), (" latest", &case, latest), (" branches", &many, many.config())];
            for (kind, case, config) in searches {
                let run = case.run(config);
                if let Some(violation) = soundness::violations(case, &run, true).first() {
                    return Err(format!("{name}{kind}, seed {seed}: {violation}"));
                }
                *counts.entry(format!("regressions {name}{kind}: runs")).or_default() += run.asked.len() as u64;
            }
        }
    }
    Ok(())
}

/// Culprits of flaky tests.
fn flaky(counts: &mut Counts) -> Result<(), String> {
    let range = Range::list(200)?;
    for (name, told) in [("rate told", Some(0.2)), ("rates unknown", None)] {
        for trial in 0..400 {
            let (right, runs) = culprits::trial(&range, told, 0.2, trial)?;
            *counts.entry(format!("culprits {name}: runs")).or_default() += runs;
            *counts.entry(format!("culprits {name}: wrong")).or_default() += u64::from(!right);
        }
    }
    Ok(())
}

/// Reductions of 512 items of which 10 are needed.
fn reductions(counts: &mut Counts) -> Result<(), String> {
    type Make = fn(usize, usize, u64) -> Problem;
    let kinds: [(&str, Make); 3] =
        [("scattered", Problem::scattered), ("clustered", Problem::clustered), ("dependent", Problem::dependent)];
    for (name, make) in kinds {
        for seed in 0..100 {
            let problem = make(512, 10, seed);
            let mut search = Minimizer::new(512usize, ReductionConfig::default()).map_err(words)?;
            while let Some(probe) = search.ask(1).map_err(words)?.pop() {
                let outcome = problem.outcome(probe.changes().ok_or("no set of changes")?);
                search.tell(probe.id, outcome.into()).map_err(words)?;
                *counts.entry(format!("reductions {name}: calls")).or_default() += 1;
            }
            let left = search.report().kept.len() - problem.answer.len();
            *counts.entry(format!("reductions {name}: items too many")).or_default() += left as u64;
        }
    }
    Ok(())
}

/// Slices of histories with the sizes of the paper's subjects.
fn slices(counts: &mut Counts) -> Result<(), String> {
    for subject in SUBJECTS {
        for seed in 0..20 {
            let proven = slicing::taken(slicing::DEFAULT, &SlicedHistory::new(subject, seed), seed)?.proven;
            *counts.entry("slices: runs".into()).or_default() += proven.runs as u64;
            *counts.entry("slices: sets that do not build".into()).or_default() += proven.unbuilt as u64;
        }
    }
    Ok(())
}

/// Red nights with four culprits and some flaky tests in 60 commits.
fn nights(counts: &mut Counts) -> Result<(), String> {
    for seed in 0..60 {
        let played = triage::play_default(&night(seed)?, SuiteCosts { build: 10.0, test: 1.0 }, seed)?;
        *counts.entry("triage: builds".into()).or_default() += played.builds as u64;
        *counts.entry("triage: test runs".into()).or_default() += played.runs as u64;
        *counts.entry("triage: wrong".into()).or_default() += played.score.wrong as u64;
    }
    Ok(())
}

fn night(seed: u64) -> Result<Night, String> {
    const SUSPECTS: usize = 60;
    let mut random = Random::new(seed);
    let mut builder = GraphBuilder::new();
    let names: Vec<String> = (0..SUSPECTS).map(|place| place.to_string()).collect();
    builder.revision("good", &[""; 0]);
    for place in 0..SUSPECTS {
        let before = if place == 0 { "good" } else { &names[place - 1] };
        builder.revision(&names[place], &[before]);
    }
    let graph: CommitGraph = builder.build().map_err(words)?;
    let culprits: Vec<usize> = (0..4).map(|_| random.below(SUSPECTS as u64) as usize).collect();
    let tests = (0..40).map(|test| {
        let culprit = culprits[random.below(4) as usize];
        let is_flaky = random.chance(80);
        let fails = |place: usize| if !is_flaky && place >= culprit { Outcome::Fail } else { Outcome::Pass };
        RedTest {
            outcomes: (0..SUSPECTS).map(fails).collect(),
            culprits: (!is_flaky).then(|| vec![culprit]),
            flake: if is_flaky { 0.2 } else { 0.0 },
            false_pass: 0.0,
            signature: (test % 5 != 0 && !is_flaky).then(|| format!("s{culprit}")),
        }
    });
    Ok(Night {
        repo: "simulated".into(),
        tests: tests.collect(),
        graph: graph.into(),
        parents: (0..SUSPECTS).map(|place| place.checked_sub(1).into_iter().collect()).collect(),
        ancestors: (0..SUSPECTS).map(|place| (0..SUSPECTS).map(|other| other <= place).collect()).collect(),
        bad: SUSPECTS - 1,
        unbuildable: (0..SUSPECTS).map(|place| place % 20 == 7).collect(),
    })
}

/// Steps in numbers with each kind of noise.
fn changes(counts: &mut Counts) -> Result<(), String> {
    for noise in Noise::ALL {
        for seed in 0..20 {
            let mut world = World::list(100)?;
            world.steps = vec![(1 + Random::new(seed).below(100) as u32, 0.1f64.ln_1p())];
            let mut machine = Machine::new(&world, noise, 0.03, seed ^ 0x5eed);
            let config = numbers::config(&machine);
            let report = numbers::search(&mut machine, config)?;
            let named = report.main.steps.first().and_then(|step| world.graph.get(&step.commit));
            let wrong = named != Some(world.steps[0].0);
            *counts.entry("numbers: measurements".into()).or_default() += machine.count as u64;
            *counts.entry("numbers: builds".into()).or_default() += machine.builds() as u64;
            *counts.entry("numbers: not right".into()).or_default() += u64::from(wrong);
        }
    }
    Ok(())
}
