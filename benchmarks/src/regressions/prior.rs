//! The prior from what commits change.

use std::path::Path;
use std::time::Duration;

use firstbad::culprit::Prior;
use firstbad::graph::Node;
use firstbad::suspicion::{Changelist, rank_commits_in};
use firstbad_git::{GraphOptions, Merges, Repository};
use firstbad_testkit::recorded::History;
use firstbad_testkit::replay::Case;

/// The time that Git may take for a whole history.
const PATIENCE: Duration = Duration::from_secs(600);

/// Returns what the commits of a recorded history change, with ids of 12 digits, as the history has them.
pub(super) fn changes(path: &Path, history: &History) -> Result<Vec<Changelist>, String> {
    let words = |error: firstbad::Error| error.to_string();
    let repository = Repository::open(path).map_err(words)?;
    let tips = history.tips.iter().map(|&tip| history.graph.id(tip).to_owned());
    let tips = tips.filter(|tip| repository.resolve(tip).is_ok()).collect();
    let graph = repository.graph(&GraphOptions { tips, ..GraphOptions::default() }).map_err(words)?;
    let (merged, plain): (Vec<Node>, Vec<Node>) =
        (0..graph.len() as Node).partition(|&node| graph.parents(node).len() > 1);
    let ids = |nodes: Vec<Node>| nodes.into_iter().map(|node| graph.id(node).to_owned()).collect::<Vec<_>>();
    let mut found = repository.touched(&ids(plain), &ids(merged), Merges::Own, PATIENCE).map_err(words)?;
    for change in &mut found {
        change.parents.iter_mut().chain([&mut change.id]).for_each(|id| id.truncate(12));
    }
    Ok(found)
}

/// Returns the prior of a search from changes and the names of tests.
pub(super) fn prior(changes: &[Changelist], tests: &[&str], case: &Case) -> Result<Prior, String> {
    let config = case.config();
    let ranking = rank_commits_in(changes, tests, &case.graph, &config.bad, &config.good);
    ranking.map(|ranking| ranking.prior().into()).map_err(|error| error.to_string())
}
