//! How many files change from one run to the next, where the nearest of equally good revisions is asked.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use firstbad::Outcome;
use firstbad::culprit::{Prior, PriorName};
use firstbad::graph::Node;
use firstbad::regression::{Incremental, RegressionConfig};
use firstbad::suspicion::Changelist;
use firstbad_testkit::recorded::{Choice, History};
use firstbad_testkit::replay::Case;
use firstbad_testkit::simulated::Random;
use firstbad_testkit::truth::suspects;

use super::changes;
use super::content::prior;
use super::worthless::broken_by;
use crate::options::Options;
use crate::parallel::in_parallel;
use crate::repositories::find;
use crate::rounds::list;
use crate::statistics::Average;

/// What the search knows beforehand.
const PRIORS: [&str; 3] = ["uniform", "changes", "changes, and the test's name"];

/// Runs, and files that differ from one run to the next, without and with it.
type Took = [(f64, f64); 2];

/// The searches of a history by prior, for the culprits that were recorded, and for drawn ones.
type Rows<T> = [[Vec<T>; 2]; 3];

/// How many culprits are drawn for each search, as likely as the prior says.
const DRAWS: usize = 10;

/// Measures lists and recorded histories.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    println!("## The nearest of equally good revisions\n");
    println!("| list of | more runs | fewer revisions between runs |\n|---|---|---|");
    for suspects in [30, 100, 300, 1000] {
        let case = list(suspects)?;
        let culprits: Vec<Node> = (1..=suspects as Node).collect();
        let all = in_parallel(&culprits, |&culprit| {
            let outcome = |node| if node >= culprit { Outcome::Fail } else { Outcome::Pass };
            let case = Case { outcomes: (0..=suspects as Node).map(outcome).collect(), ..case.clone() };
            took(&case, &case.config(), Incremental::Named(true), |one, other| f64::from(one.abs_diff(other)))
        });
        let rows: Vec<(String, Took)> = all.into_iter().map(|took| (String::new(), took)).collect();
        println!("| {suspects} | {} |", figures(&rows));
    }
    println!(
        "\nRecorded histories, with the culprits that were recorded, and with {DRAWS} for each that are drawn by the prior.\n"
    );
    println!(
        "| prior | searches | more runs | fewer files between runs | drawn: more runs | fewer files |\n|---|---|---|---|---|---|"
    );
    let mut rows: Rows<(String, Took)> = Default::default();
    let folder = options.repositories.as_ref().ok_or("REPOS is needed")?;
    for history in History::read_all(&options.data.join("histories")).map_err(|failure| failure.to_string())? {
        if options.only.as_ref().is_some_and(|only| *only != history.repo) {
            continue;
        }
        let Some(path) = find(folder, &history.repo) else {
            println!("{} is not in REPOS: left out.\n", history.repo);
            continue;
        };
        for (rows, more) in rows.as_flattened_mut().iter_mut().zip(of_history(&history, &path)?.as_flattened()) {
            rows.extend(more.iter().map(|&took| (history.repo.clone(), took)));
        }
    }
    for (prior, [recorded, drawn]) in PRIORS.iter().zip(&rows) {
        println!("| {prior} | {} | {} | {} |", recorded.len(), figures(recorded), figures(drawn));
    }
    Ok(true)
}

/// How many more runs there are, and how many fewer files, as averages over projects.
fn figures(rows: &[(String, Took)]) -> String {
    let ratio = |value: fn(&(f64, f64)) -> f64| {
        let [without, with] =
            [0, 1].map(|way| Average::of(rows.iter().map(|row| (row.0.as_str(), value(&row.1[way])))));
        100.0 * (with.over(without).over_projects - 1.0)
    };
    format!("{:+.2} % | {:.1} %", ratio(|took| took.0), -ratio(|took| took.1))
}

fn took(case: &Case, config: &RegressionConfig, files: Incremental, differing: impl Fn(Node, Node) -> f64) -> Took {
    [None, Some(files)].map(|incremental| {
        let run = case.run(RegressionConfig { incremental, ..config.clone() });
        let between = run.asked.windows(2).map(|pair| differing(pair[0], pair[1])).sum();
        (run.asked.len() as f64, between)
    })
}

/// The searches of a history, by prior.
fn of_history(history: &History, path: &Path) -> Result<Rows<Took>, String> {
    let changes = changes(path, history)?;
    let trees = trees(history, path)?;
    let differing = |one: Node, other: Node| differing(&trees[one as usize], &trees[other as usize]) as f64;
    let choice = Choice::default();
    let done = in_parallel(&history.chosen_functions(&choice), |&(function, swapped)| {
        let name = std::slice::from_ref(&history.functions[function].name);
        let mut rows: Rows<Took> = Default::default();
        let mut random = Random::new(function as u64);
        for instance in history.single_leaf(function, swapped, &choice) {
            let case = &instance.case;
            let priors =
                [Prior::Named(PriorName::Uniform), prior::<String>(&changes, &[], case)?, prior(&changes, name, case)?];
            for ([recorded, drawn], prior) in rows.iter_mut().zip(priors) {
                let weights = weights(case, &prior);
                let config = RegressionConfig { prior: Some(prior), ..case.config() };
                recorded.push(took(case, &config, files(&changes, history), differing));
                for _ in 0..DRAWS {
                    let case = broken_by(case, one_of(&weights, &mut random));
                    drawn.push(took(&case, &config, files(&changes, history), differing));
                }
            }
        }
        Ok::<_, String>(rows)
    });
    let mut rows: Rows<Took> = Default::default();
    for more in done {
        rows.as_flattened_mut().iter_mut().zip(more?.as_flattened()).for_each(|(rows, more)| rows.extend(more));
    }
    Ok(rows)
}

/// The suspects with how likely each is.
fn weights(case: &Case, prior: &Prior) -> Vec<(Node, f64)> {
    let weight = |node: Node| match prior {
        Prior::Reasoned(prior) => prior.weights.get(case.graph.id(node)).copied().unwrap_or(0.0),
        Prior::Named(_) | Prior::Weights(_) => 1.0,
    };
    suspects(case).into_iter().map(|node| (node, weight(node))).collect()
}

fn one_of(weights: &[(Node, f64)], random: &mut Random) -> Node {
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let mut left = sum * random.fraction();
    let found = weights.iter().find(|(_, weight)| {
        left -= weight;
        left < 0.0
    });
    found.or(weights.last()).map_or(0, |&(node, _)| node)
}

/// How many files each commit changes, as who opens a search says it.
fn files(changes: &[Changelist], history: &History) -> Incremental {
    let mut files: BTreeMap<String, f64> = history.graph.ids().map(|id| (id.to_owned(), 0.0)).collect();
    let there = changes.iter().filter(|change| history.graph.get(&change.id).is_some());
    files.extend(there.map(|change| (change.id.clone(), change.files.len() as f64)));
    Incremental::Files(files)
}

/// The files of each commit by their paths, with their modes and contents.
fn trees(history: &History, path: &Path) -> Result<Vec<BTreeMap<String, String>>, String> {
    let nodes: Vec<Node> = (0..history.graph.len() as Node).collect();
    let tree = |&node: &Node| {
        let mut command = Command::new("git");
        command.arg("-C").arg(path).args(["ls-tree", "-r", "-z", history.graph.id(node)]);
        let output = command.output().map_err(|error| format!("git: {error}"))?;
        if !output.status.success() {
            return Err(format!("{}: {}", history.repo, String::from_utf8_lossy(&output.stderr)));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let entries = text.split('\0').filter_map(|entry| entry.split_once('\t'));
        Ok(entries.map(|(what, path)| (path.to_owned(), what.to_owned())).collect())
    };
    in_parallel(&nodes, tree).into_iter().collect()
}

fn differing(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> usize {
    let changed = one.iter().filter(|(path, what)| other.get(*path) != Some(what)).count();
    changed + other.keys().filter(|path| !one.contains_key(*path)).count()
}
