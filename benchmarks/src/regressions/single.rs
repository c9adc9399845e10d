//! Searches with one bad revision.

use firstbad::Outcome;
use firstbad::graph::Node;
use firstbad::regression::{Prefer, RegressionConfig, RegressionReport, SearchKind};
use firstbad::suspicion::Changelist;
use firstbad_testkit::git_run::{Cache, bisect, bisect_checking_parents};
use firstbad_testkit::recorded::{Choice, History, Instance};
use firstbad_testkit::replay::Case;
use firstbad_testkit::soundness;
use firstbad_testkit::truth::{distances_to, suspects};

use super::rows::{Row, add};
use super::{jj, prior};
use crate::csv::{Csv, cells};
use crate::parallel::in_parallel;

/// The searches, in the order of the columns.
const SEARCHES: [&str; 10] = [
    "git bisect",
    "git bisect + parents",
    "jj bisect",
    "firstbad",
    "firstbad latest",
    "RPA linear",
    "RPA binary",
    "RPA multiplying",
    "firstbad + prior",
    "firstbad + prior and test",
];

/// Creates the table. Without a repository, there is no prior, and its cells are empty.
pub(super) fn table() -> Csv {
    let mut columns = cells!["project", "suspects", "unresolved"];
    columns.extend(SEARCHES.iter().flat_map(|name| ["runs", "distance", "clean"].map(|what| format!("{name} {what}"))));
    Csv::new(&columns)
}

/// The result of a search.
struct Found {
    asked: Vec<Node>,
    bad: Option<Node>,
}

/// Runs all searches of a history, and returns what was not sound.
pub(super) fn run(
    history: &History,
    choice: &Choice,
    changes: Option<&[Changelist]>,
    table: &mut Csv,
) -> Result<Vec<String>, String> {
    let rows = in_parallel(&history.chosen_functions(choice), |&(function, swapped)| {
        let instances = history.single_leaf(function, swapped, choice);
        instances.iter().map(|instance| row(history, instance, changes)).collect::<Vec<_>>()
    });
    add(table, rows.into_iter().flatten())
}

fn row(history: &History, instance: &Instance, changes: Option<&[Changelist]>) -> Result<Row, String> {
    let case = &instance.case;
    let suspects = suspects(case);
    let unresolved = suspects.iter().any(|&node| case.outcome(node) == Outcome::Unresolved);
    let mut cells = cells![history.repo, suspects.len(), u8::from(unresolved)];
    let distances = distances_to(&case.graph, case.leaves[0]);
    let mut add = |found: Option<Found>| match found {
        None => cells.extend([const { String::new() }; 3]),
        Some(Found { asked, bad }) => {
            let distance = bad.and_then(|bad| distances[bad as usize]);
            let clean = bad.is_some_and(|bad| is_clean(case, bad, &asked));
            let distance = distance.map_or_else(String::new, |distance| distance.to_string());
            cells.extend(cells![asked.len(), distance, u8::from(clean)]);
        }
    };
    let peer = |search: &dyn Fn(&mut Cache<'_>) -> Option<Node>| {
        let mut cache = Cache::new(&case.outcomes, &case.leaves, &case.goods);
        let bad = search(&mut cache);
        Found { asked: cache.asked().to_vec(), bad }
    };
    let (graph, leaf) = (&case.graph, case.leaves[0]);
    let git = peer(&|cache| bisect(graph, leaf, &case.goods, cache).answer());
    let asked_by_git = git.asked.clone();
    add(Some(git));
    add(Some(peer(&|cache| bisect_checking_parents(graph, leaf, &case.goods, cache).answer())));
    add(Some(peer(&|cache| Some(jj::bisect(graph, leaf, &case.goods, cache)))));

    let mut violations = Vec::new();
    let mut ours = |name: &str, config: RegressionConfig| {
        let (clean, halves) = (config.check_parents, config.search == SearchKind::Bisect);
        let run = case.run(config);
        let mut words = soundness::violations(case, &run, clean);
        if halves && !run.asked.starts_with(&asked_by_git) {
            words.push("differs from git bisect".to_owned());
        }
        violations.extend(words.into_iter().map(|words| format!("{}, leaf {leaf}, {name}: {words}", history.repo)));
        let bad = run.report.as_ref().and_then(first_point).and_then(|bad| graph.get(bad));
        Found { asked: run.asked, bad }
    };
    let on_path = |search: SearchKind| RegressionConfig { check_parents: false, ..case.config().search(search) };
    add(Some(ours("firstbad", case.config())));
    add(Some(ours("latest", RegressionConfig { prefer: Prefer::Latest, ..case.config() })));
    for search in [SearchKind::Linear, SearchKind::Binary, SearchKind::Multiplying] {
        add(Some(ours("on a path", on_path(search))));
    }
    let test = history.functions[instance.function].name.as_str();
    for tests in [&[][..], &[test]] {
        let prior = changes.map(|changes| prior::prior(changes, tests, case)).transpose()?;
        add(prior.map(|prior| ours("with a prior", RegressionConfig { prior: Some(prior), ..case.config() })));
    }
    // These searches have no column, but must be sound as well.
    for search in [SearchKind::Bisect, SearchKind::Weighted, SearchKind::Gallop] {
        ours("checked only", case.config().search(search));
    }
    Ok((cells, violations))
}

/// Returns the first point with a good side, or else the first point.
fn first_point(report: &RegressionReport) -> Option<&str> {
    let leaf = report.leaves.first()?;
    let points = || leaf.points.iter().filter_map(|&place| report.points.get(place));
    let point = points().find(|point| point.good.is_some()).or_else(|| points().next())?;
    Some(&point.bad)
}

/// Returns whether every parent passed in a run, or was given as good.
fn is_clean(case: &Case, bad: Node, asked: &[Node]) -> bool {
    let passed =
        |node: &Node| case.goods.contains(node) || (asked.contains(node) && case.outcome(*node) == Outcome::Pass);
    case.graph.parents(bad).iter().all(passed)
}
