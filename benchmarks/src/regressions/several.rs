//! Searches with several bad revisions.

use firstbad::graph::Node;
use firstbad::regression::{Prefer, RegressionConfig, SearchKind};
use firstbad::suspicion::Changelist;
use firstbad_testkit::git_run::{Cache, bisect, bisect_checking_parents};
use firstbad_testkit::recorded::{Choice, History, Instance};
use firstbad_testkit::replay::Case;
use firstbad_testkit::soundness;

use super::prior;
use super::rows::{Row, add};
use crate::csv::{Csv, cells};
use crate::parallel::in_parallel;

/// Creates the table. Git searches each bad revision on its own, with a common cache of outcomes.
pub(super) fn table() -> Csv {
    Csv::new(&[
        "project",
        "leaves",
        "git bisect",
        "git bisect + parents",
        "firstbad",
        "firstbad latest",
        "RPA binary",
        "RPA binary propagated",
        "RPA multiplying",
        "RPA multiplying propagated",
        "firstbad + prior",
        "firstbad clean",
    ])
}

/// Runs all searches of a history, and returns what was not sound.
pub(super) fn run(
    history: &History,
    choice: &Choice,
    changes: Option<&[Changelist]>,
    table: &mut Csv,
) -> Result<Vec<String>, String> {
    let functions = history.chosen_functions(choice);
    let instances: Vec<Instance> =
        functions.iter().filter_map(|&(function, swapped)| history.several_leaves(function, swapped)).collect();
    add(table, in_parallel(&instances, |instance| row(history, instance, changes)))
}

fn row(history: &History, instance: &Instance, changes: Option<&[Changelist]>) -> Result<Row, String> {
    let case = &instance.case;
    let path = |search: SearchKind, propagate: bool| RegressionConfig {
        check_parents: false,
        propagate: Some(propagate),
        ..case.config().search(search)
    };
    let mut configs = vec![
        case.config(),
        RegressionConfig { prefer: Prefer::Latest, ..case.config() },
        path(SearchKind::Binary, false),
        path(SearchKind::Binary, true),
        path(SearchKind::Multiplying, false),
        path(SearchKind::Multiplying, true),
    ];
    if let Some(changes) = changes {
        configs.push(RegressionConfig { prior: Some(prior::prior(changes, &[], case)?), ..case.config() });
    }
    let mut cells = cells![history.repo, case.leaves.len()];
    cells.extend(git(case).map(|runs| runs.to_string()));
    let (mut violations, mut clean) = (Vec::new(), None);
    for config in configs {
        let is_clean = config.check_parents;
        let run = case.run(config);
        let words = soundness::violations(case, &run, is_clean);
        violations.extend(words.into_iter().map(|words| format!("{}, several leaves: {words}", history.repo)));
        clean = clean.or(run.report.map(|report| report.points.iter().all(|point| point.parents_pass)));
        cells.push(run.asked.len().to_string());
    }
    cells.resize(11, String::new());
    cells.push(u8::from(clean == Some(true)).to_string());
    Ok((cells, violations))
}

/// Returns the runs of Git for all leaves: plain, and with the parents tested.
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
