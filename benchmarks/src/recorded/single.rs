//! Searches with one leaf.

use firstbad::Outcome;
use firstbad::graph::Node;
use firstbad::regression::{Prefer, RegressionConfig, RegressionReport, SearchKind};
use firstbad_testkit::git_bisect::Step;
use firstbad_testkit::git_run::{Cache, bisect, bisect_checking_parents, bisect_following_parents};
use firstbad_testkit::recorded::{Choice, History, Instance};
use firstbad_testkit::replay::Case;
use firstbad_testkit::soundness;
use firstbad_testkit::truth::{distances_to, nearest_clean, suspects};

use super::violation::Violation;
use crate::parallel::in_parallel;

/// The algorithms in the order of a row's answers. The first three are git's.
pub(crate) const ALGORITHMS: [&str; 15] = [
    "git",
    "git + parents",
    "git + all parents",
    "auto fewest",
    "auto latest",
    "bisect",
    "weighted",
    "linear, clean",
    "binary, clean",
    "multiplying, clean",
    "gallop, clean",
    "linear",
    "binary",
    "multiplying",
    "gallop",
];

/// The place of an algorithm in a row.
pub(crate) fn place(name: &str) -> usize {
    ALGORITHMS.iter().position(|other| *other == name).unwrap_or(usize::MAX)
}

/// What one algorithm did with one instance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer {
    pub(crate) runs: usize,
    /// From the bad side to the leaf, in edges; `None` if there was no answer.
    pub(crate) distance: Option<u32>,
    /// Whether all parents of the bad side were seen to pass.
    pub(crate) clean: bool,
}

/// One instance.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) project: String,
    pub(crate) function: usize,
    pub(crate) swapped: bool,
    pub(crate) leaf: String,
    pub(crate) suspects: usize,
    /// Whether a suspect is unresolved.
    pub(crate) unresolved: bool,
    /// From the nearest clean regression point to the leaf, in edges.
    pub(crate) nearest: Option<u32>,
    pub(crate) answers: Vec<Answer>,
    /// How many runs confirm the answer of the default search with one job, which tests its ends.
    pub(crate) confirmations: u64,
}

/// The configurations of ours, in the order of [`ALGORITHMS`] from the fourth one.
fn configurations(case: &Case) -> Vec<RegressionConfig> {
    let with =
        |search: SearchKind, clean: bool| RegressionConfig { check_parents: clean, ..case.config().search(search) };
    let on_paths = [SearchKind::Linear, SearchKind::Binary, SearchKind::Multiplying, SearchKind::Gallop];
    let latest = RegressionConfig { prefer: Prefer::Latest, ..case.config() };
    let mut all = vec![case.config(), latest, with(SearchKind::Bisect, true), with(SearchKind::Weighted, true)];
    all.extend(on_paths.map(|search| with(search, true)));
    all.extend(on_paths.map(|search| with(search, false)));
    all
}

/// Runs all single-leaf instances.
pub(crate) fn run(histories: &[History], choice: &Choice) -> (Vec<Row>, Vec<Violation>) {
    let mut jobs = Vec::new();
    for history in histories {
        for (function, swapped) in history.chosen_functions(choice) {
            jobs.push((history, function, swapped));
        }
    }
    let done = in_parallel(&jobs, |&(history, function, swapped)| {
        let instances = history.single_leaf(function, swapped, choice);
        instances.iter().map(|instance| row(history, instance)).collect::<Vec<_>>()
    });
    let (rows, violations): (Vec<Row>, Vec<Vec<Violation>>) = done.into_iter().flatten().unzip();
    (rows, violations.into_iter().flatten().collect())
}

fn row(history: &History, instance: &Instance) -> (Row, Vec<Violation>) {
    let case = &instance.case;
    let leaf = case.leaves[0];
    let distances = distances_to(&case.graph, leaf);
    let suspects = suspects(case);
    let mut row = Row {
        project: history.repo.clone(),
        function: instance.function,
        swapped: instance.swapped,
        leaf: case.graph.id(leaf).to_owned(),
        suspects: suspects.len(),
        unresolved: suspects.iter().any(|&node| case.outcome(node) == Outcome::Unresolved),
        nearest: nearest_clean(case, &distances),
        answers: Vec::new(),
        confirmations: confirmations(case),
    };
    let plain = git(case, &distances, bisect);
    row.answers.push(plain.1);
    row.answers.push(git(case, &distances, bisect_checking_parents).1);
    row.answers.push(git(case, &distances, bisect_following_parents).1);
    let label = format!(
        "{} function {} ({}) polarity {} leaf {} good {}",
        history.repo,
        instance.function,
        history.functions[instance.function].name,
        if instance.swapped { "swapped" } else { "recorded" },
        row.leaf,
        case.goods.iter().map(|&good| case.graph.id(good)).collect::<Vec<_>>().join(" "),
    );
    let mut violations = Vec::new();
    for (config, algorithm) in configurations(case).into_iter().zip(&ALGORITHMS[3..]) {
        let is_halving = config.search == SearchKind::Bisect;
        let clean = config.check_parents;
        let run = case.run(config);
        let mut words = soundness::violations(case, &run, clean);
        // Where git asks nothing that it could know already, ours must ask the same, and then check parents.
        if is_halving && !run.asked.starts_with(&plain.0) {
            let differs = plain.0.iter().zip(&run.asked).take_while(|(a, b)| a == b).count();
            words.push(format!("asks otherwise than git bisect from question {differs} (0 first)"));
        }
        violations.extend(words.into_iter().map(|words| Violation { algorithm, instance: label.clone(), words }));
        let bad = run.report.as_ref().and_then(first_point).and_then(|bad| case.graph.get(bad));
        row.answers.push(Answer {
            runs: run.asked.len(),
            distance: bad.and_then(|bad| distances[bad as usize]),
            clean: bad.is_some_and(|bad| is_clean(case, bad, &run.asked)),
        });
    }
    (row, violations)
}

/// How many runs confirm an answer.
fn confirmations(case: &Case) -> u64 {
    let config = RegressionConfig { test_endpoints: true, confirm: true, ..case.config() };
    case.run(config).report.map_or(0, |report| report.confirmations)
}

/// The answer for the first leaf: the first of its points that has a good side.
fn first_point(report: &RegressionReport) -> Option<&str> {
    let leaf = report.leaves.first()?;
    let points = || leaf.points.iter().filter_map(|&place| report.points.get(place));
    let point = points().find(|point| point.good.is_some()).or_else(|| points().next())?;
    Some(&point.bad)
}

/// Whether every parent of an answer was seen to pass, or is an end that was given: for all searches alike. (By itself a point
/// that rests on an end that nobody tested is not clean.)
fn is_clean(case: &Case, bad: Node, asked: &[Node]) -> bool {
    let passed =
        |node: &Node| case.goods.contains(node) || (asked.contains(node) && case.outcome(*node) == Outcome::Pass);
    case.graph.parents(bad).iter().all(passed)
}

type Bisection = fn(&firstbad::CommitGraph, Node, &[Node], &mut Cache<'_>) -> Step;

/// What git asks, and its answer.
fn git(case: &Case, distances: &[Option<u32>], bisection: Bisection) -> (Vec<Node>, Answer) {
    let mut cache = Cache::new(&case.outcomes, &case.leaves, &case.goods);
    let end = bisection(&case.graph, case.leaves[0], &case.goods, &mut cache);
    let bad = end.answer();
    let answer = Answer {
        runs: cache.asked().len(),
        distance: bad.and_then(|bad| distances[bad as usize]),
        clean: bad.is_some_and(|bad| is_clean(case, bad, cache.asked())),
    };
    (cache.asked().to_vec(), answer)
}
