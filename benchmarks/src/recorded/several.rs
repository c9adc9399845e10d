//! Searches with several leaves.

use firstbad::graph::Node;
use firstbad::regression::{Prefer, RegressionConfig, SearchKind};
use firstbad_testkit::git_run::{Cache, bisect, bisect_checking_parents};
use firstbad_testkit::recorded::{Choice, History, Instance};
use firstbad_testkit::replay::Case;
use firstbad_testkit::soundness;

use super::violation::Violation;
use crate::parallel::in_parallel;

/// The algorithms in the order of a total's queries. The first two are git's, each leaf on its own with a common
/// cache of outcomes.
pub(crate) const ALGORITHMS: [&str; 10] = [
    "git, shared cache",
    "git + parents, shared cache",
    "auto fewest (several)",
    "auto fewest, not propagated",
    "auto latest (several)",
    "halving (several)",
    "binary, propagated",
    "binary, not propagated",
    "multiplying, propagated",
    "multiplying, not propagated",
];

/// One instance with several leaves.
#[derive(Debug, Clone)]
pub(crate) struct Total {
    pub(crate) project: String,
    pub(crate) leaves: usize,
    pub(crate) runs: Vec<usize>,
    /// Whether every point of the third algorithm is clean.
    pub(crate) clean: bool,
}

fn configurations(case: &Case) -> Vec<RegressionConfig> {
    let path = |search: SearchKind, propagate: bool| RegressionConfig {
        check_parents: false,
        propagate: Some(propagate),
        ..case.config().search(search)
    };
    vec![
        case.config(),
        RegressionConfig { propagate: Some(false), ..case.config() },
        RegressionConfig { prefer: Prefer::Latest, ..case.config() },
        case.config().search(SearchKind::Bisect),
        path(SearchKind::Binary, true),
        path(SearchKind::Binary, false),
        path(SearchKind::Multiplying, true),
        path(SearchKind::Multiplying, false),
    ]
}

/// Runs all instances with several leaves.
pub(crate) fn run(histories: &[History], choice: &Choice) -> (Vec<Total>, Vec<Violation>) {
    let mut jobs = Vec::new();
    for history in histories {
        for (function, swapped) in history.chosen_functions(choice) {
            jobs.extend(history.several_leaves(function, swapped, choice).map(|instance| (history, instance)));
        }
    }
    let done = in_parallel(&jobs, |(history, instance)| total(history, instance));
    let (totals, violations): (Vec<Total>, Vec<Vec<Violation>>) = done.into_iter().unzip();
    (totals, violations.into_iter().flatten().collect())
}

fn total(history: &History, instance: &Instance) -> (Total, Vec<Violation>) {
    let case = &instance.case;
    let label = format!(
        "{} function {} ({}) polarity {} all {} leaves",
        history.repo,
        instance.function,
        history.functions[instance.function].name,
        if instance.swapped { "swapped" } else { "recorded" },
        case.leaves.len(),
    );
    let mut total =
        Total { project: history.repo.clone(), leaves: case.leaves.len(), runs: git(case).to_vec(), clean: false };
    let mut violations = Vec::new();
    for (place, (config, algorithm)) in configurations(case).into_iter().zip(&ALGORITHMS[2..]).enumerate() {
        let clean = config.check_parents;
        let run = case.run(config);
        let words = soundness::violations(case, &run, clean);
        violations.extend(words.into_iter().map(|words| Violation { algorithm, instance: label.clone(), words }));
        if place == 0 {
            total.clean = run.report.is_some_and(|report| report.points.iter().all(|point| point.parents_pass));
        }
        total.runs.push(run.asked.len());
    }
    (total, violations)
}

/// git, each leaf on its own: what it asks in all, plain and with parents checked.
fn git(case: &Case) -> [usize; 2] {
    [bisect, bisect_checking_parents].map(|bisection| {
        let mut cache = Cache::new(&case.outcomes, &case.leaves, &case.goods);
        for &leaf in &case.leaves {
            let above = case.graph.ancestors(&[leaf]);
            let goods: Vec<Node> = case.goods.iter().copied().filter(|&good| above.contains(good as usize)).collect();
            bisection(&case.graph, leaf, &goods, &mut cache);
        }
        cache.asked().len()
    })
}
