//! The contents of snapshots, and their checks.

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::regression::LookBack;
use firstbad::{CommitGraph, GraphBuilder, Outcome, RegressionConfig, RegressionSearch, Search};
use serde_json::json;

/// A line of revisions. Branch `main` points at `tip`, and `release` points ten revisions before it.
fn history(length: usize, tip: usize) -> Arc<CommitGraph> {
    let mut builder = GraphBuilder::new();
    let id = |i: usize| format!("{i:040x}");
    for i in 0..length {
        builder.revision(&id(i), i.checked_sub(1).map(id).iter());
    }
    builder.name("main", id(tip));
    if let Some(before) = tip.checked_sub(10) {
        builder.name("release", id(before));
    }
    Arc::new(builder.build().expect("a line"))
}

fn half_done() -> String {
    let config = RegressionConfig::new(["main"]).good(["release"]);
    let mut search = RegressionSearch::new(history(20, 19), config).expect("main is there");
    let probe = search.ask(1).expect("k above 0").remove(0);
    search.tell(probe.id, Outcome::Fail.into()).expect("a first answer");
    search.inspect().snapshot().expect("a JSON form")
}

#[test]
fn a_snapshot_restores_after_a_branch_has_moved() {
    let snapshot = half_done();
    let search = RegressionSearch::restore(history(30, 29), &snapshot).expect("the old tip is still there");
    assert_eq!(search.inspect().snapshot().expect("it has a JSON form"), snapshot);
    assert_eq!(search.report().leaves[0].leaf, format!("{:040x}", 19));
    assert_eq!(search.inspect().configuration().expect("it has a JSON form")["good"][0], format!("{:040x}", 9));
}

/// A branch can move between a snapshot and its restore, so every option stores full ids.
#[test]
fn options_with_revisions_store_full_ids() {
    let kept = |config: RegressionConfig| {
        let search = RegressionSearch::new(history(20, 19), config).expect("main and release are there");
        search.inspect().configuration().expect("it has a JSON form")
    };
    let release = format!("{:040x}", 9);
    let find_good = LookBack::First(vec!["release".to_owned()]);
    let config = kept(RegressionConfig { find_good: Some(find_good), ..RegressionConfig::new(["main"]) });
    assert_eq!(config["find_good"], json!([release]));
    let by_name = BTreeMap::from([("release".to_owned(), 3.0)]);
    let config = RegressionConfig::new(["main"]).good([format!("{:040x}", 0)]);
    let costs = kept(RegressionConfig { costs: Some(by_name), ..config });
    assert_eq!(costs["costs"], json!({ &*release: 3.0 }));
}

#[test]
fn a_snapshot_of_another_history_is_rejected() {
    let refused =
        |graph| RegressionSearch::restore(graph, &half_done()).map(|_| ()).expect_err("another history").code();
    assert_eq!(refused(history(10, 9)), "snapshot");
    let pairs = (0..20).map(|i: usize| (format!("{i:040x}"), i.checked_sub(2).map(|i| format!("{i:040x}"))));
    assert_eq!(refused(Arc::new(CommitGraph::new(pairs).expect("two lines"))), "snapshot");
    let broken = RegressionSearch::restore(history(20, 19), "{").map(|_| ()).expect_err("no JSON");
    assert_eq!(broken.code(), "snapshot");
}
