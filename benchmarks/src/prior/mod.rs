//! Recorded histories searched with a prior from what commits touch, and what the failing test is called.

mod content;
mod intervals;
mod leaves;
mod named;
pub(crate) mod pairs;
mod ranges;
mod reading;
mod rows;
mod worthless;

use std::time::Duration;

use firstbad::Outcome;
use firstbad::graph::Node;
use firstbad::suspicion::Changelist;
use firstbad_git::{GraphOptions, Merges, Repository};
use firstbad_testkit::git_run::{Cache, bisect};
use firstbad_testkit::recorded::{Choice, History, Instance};
use firstbad_testkit::replay::Case;
use firstbad_testkit::soundness;
use firstbad_testkit::truth::suspects;

use crate::options::Options;
use crate::parallel::in_parallel;
use crate::repositories::find;

use self::content::prior;
use self::leaves::SeveralLeaves;
use self::rows::{Row, WAYS};
use self::worthless::Worthless;

/// How long git may take for a whole history.
const PATIENCE: Duration = Duration::from_secs(600);

/// Measures everything and prints it; true where every run was sound.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    println!("## A prior from what commits touch\n");
    let folder = options.repositories.as_ref().ok_or("REPOS is needed")?;
    let (mut rows, mut leaves, mut worthless) = (Vec::new(), SeveralLeaves::default(), Worthless::default());
    for history in History::read_all(&options.data.join("histories")).map_err(|failure| failure.to_string())? {
        if options.only.as_ref().is_some_and(|only| *only != history.repo) {
            continue;
        }
        let Some(path) = find(folder, &history.repo) else {
            println!("{} is not in REPOS: left out.\n", history.repo);
            continue;
        };
        let changes = changes(&path, &history)?;
        let choice = Choice::default();
        let jobs = history.chosen_functions(&choice);
        let done = in_parallel(&jobs, |&(function, swapped)| {
            let instances = history.single_leaf(function, swapped, &choice);
            instances.iter().map(|instance| row(&history, instance, &changes)).collect::<Result<Vec<_>, _>>()
        });
        for found in done {
            rows.extend(found?);
        }
        leaves.measure(&history, &jobs, &changes)?;
        worthless.measure(&history, &jobs, &changes)?;
    }
    intervals::print(&rows);
    leaves.print();
    worthless.print();
    reading::run(folder)?;
    let violations: Vec<&String> = rows.iter().flat_map(|row| &row.violations).collect();
    match violations.first() {
        None => println!("\nEvery run was sound."),
        Some(first) => println!("\nNOT SOUND: {} violations, the first: {first}", violations.len()),
    }
    Ok(violations.is_empty())
}

/// What all commits of a recorded history touch, read as searches read it, with ids of 12 digits, as it has them.
fn changes(path: &std::path::Path, history: &History) -> Result<Vec<Changelist>, String> {
    let repository = Repository::open(path).map_err(|error| error.to_string())?;
    let tips: Vec<String> = history.tips.iter().map(|&tip| history.graph.id(tip).to_owned()).collect();
    let there: Vec<String> = tips.into_iter().filter(|tip| repository.resolve(tip).is_ok()).collect();
    let words = |error: firstbad::Error| error.to_string();
    let graph = repository.graph(&GraphOptions { tips: there, ..GraphOptions::default() }).map_err(words)?;
    let (merged, plain): (Vec<Node>, Vec<Node>) =
        (0..graph.len() as Node).partition(|&node| graph.parents(node).len() > 1);
    let ids = |nodes: Vec<Node>| nodes.into_iter().map(|node| graph.id(node).to_owned()).collect::<Vec<_>>();
    let mut found = repository.touched(&ids(plain), &ids(merged), Merges::Own, PATIENCE).map_err(words)?;
    for change in &mut found {
        change.parents.iter_mut().chain([&mut change.id]).for_each(|id| id.truncate(12));
    }
    Ok(found)
}

fn row(history: &History, instance: &Instance, changes: &[Changelist]) -> Result<Row, String> {
    let case = &instance.case;
    let config = case.config();
    let mut cache = Cache::new(&case.outcomes, &case.leaves, &case.goods);
    bisect(&case.graph, case.leaves[0], &case.goods, &mut cache);
    let mut runs = [cache.asked().len(), 0, 0, 0];
    let mut violations = Vec::new();
    let mut culprit = String::new();
    let (mut clean, mut distances) = ([false; WAYS.len()], [None; WAYS.len()]);
    let name = &history.functions[instance.function].name;
    for (way, tests) in [(1, None), (2, Some(&[][..])), (3, Some(std::slice::from_ref(name)))] {
        let mut config = config.clone();
        if let Some(tests) = tests {
            config.prior = Some(prior(changes, tests, case)?);
        }
        let run = case.run(config);
        runs[way] = run.asked.len();
        violations.extend(
            soundness::violations(case, &run, true)
                .into_iter()
                .map(|words| format!("{} {} {}: {words}", history.repo, name, WAYS[way])),
        );
        let point = run.report.as_ref().and_then(|report| report.points.first());
        clean[way] = point.is_some_and(|point| point.parents_pass);
        distances[way] = point.and_then(|point| point.distances.first().copied());
        if way == 1 {
            culprit = point.map(|point| point.bad.clone()).unwrap_or_default();
        }
    }
    let unresolved = suspects(case).iter().any(|&node| case.outcome(node) == Outcome::Unresolved);
    let returns = comes_and_goes(case);
    Ok(Row {
        project: history.repo.clone(),
        swapped: instance.swapped,
        unresolved,
        returns,
        culprit,
        runs,
        clean,
        distances,
        violations,
    })
}

/// Whether a revision passes that comes after a failing one, both among the suspects.
fn comes_and_goes(case: &Case) -> bool {
    let mut after_failing = vec![false; case.graph.len()];
    suspects(case).into_iter().any(|node| {
        let is_after = case.graph.parents(node).iter().any(|&parent| after_failing[parent as usize]);
        after_failing[node as usize] = is_after || case.outcome(node) == Outcome::Fail;
        is_after && case.outcome(node) == Outcome::Pass
    })
}
