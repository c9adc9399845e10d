//! Culprit Finder compared with an independent implementation of its definitions.

use std::collections::{BTreeMap, BTreeSet};

use firstbad::suspicion::{
    BuildGraph, BuildGraphBuilder, Changelist, Heuristic, PriorBy, PriorOptions, RankOptions, Ranking, fit_sharpness,
    rank, weighted_distance,
};
use proptest::prelude::*;

type Given = Vec<(&'static str, Vec<&'static str>, Vec<&'static str>)>;

fn graph(targets: Given) -> BuildGraph {
    let mut builder = BuildGraphBuilder::new();
    for (name, files, deps) in targets {
        builder.target(name);
        files.iter().for_each(|file| {
            builder.file(file);
        });
        deps.iter().for_each(|dep| {
            builder.dep(dep);
        });
    }
    builder.build().unwrap()
}

fn order(ranking: &Ranking) -> Vec<&str> {
    ranking.suspects.iter().map(|suspect| suspect.change.as_str()).collect()
}

/// Figure 6: the test depends on T1, which depends on T2. The test does not depend on T3.
fn figure_6() -> BuildGraph {
    graph(vec![
        ("test", vec!["test.java"], vec!["T1"]),
        ("T1", vec!["t1.java"], vec!["T2"]),
        ("T2", vec!["t2.java"], vec![]),
        ("T3", vec!["t3.java"], vec!["T2"]),
    ])
}

#[test]
fn figure_6_of_the_paper_is_reproduced() {
    assert!((weighted_distance(1) - 0.98).abs() < 0.005);
    assert!((weighted_distance(2) - 0.957).abs() < 0.0005);
    let changes = [
        Changelist::new("both", ["t1.java", "t2.java"]),
        Changelist::new("far", ["t2.java"]),
        Changelist::new("beside", ["t3.java"]),
        Changelist::new("near", ["t1.java"]),
    ];
    let ranking = rank(&figure_6(), &changes, &["test"], &RankOptions::default()).unwrap();
    assert_eq!(order(&ranking), ["both", "near", "far"]);
    assert_eq!(ranking.excluded, ["beside"]);
    assert_eq!(ranking.suspects[2].reasons[0].path, ["test", "T1", "T2"]);
    assert_eq!((ranking.suspects[0].distance, ranking.suspects[2].distance), (1, 2));
    assert!((ranking.suspects[0].score - weighted_distance(1) - weighted_distance(2)).abs() < 1e-12);
}

#[test]
fn a_target_counts_once_and_ties_go_to_more_files_then_to_newer_changes() {
    let graph = graph(vec![("test", vec!["t"], vec!["lib"]), ("lib", vec!["a", "b", "c"], vec![])]);
    let changes = [
        Changelist::new("old", ["a"]),
        Changelist::new("more", ["a", "b", "a"]),
        Changelist::new("new", ["c"]),
        Changelist::new("itself", ["t"]),
    ];
    let ranking = rank(&graph, &changes, &["test"], &RankOptions::default()).unwrap();
    assert_eq!(order(&ranking), ["more", "itself", "new", "old"]);
    assert_eq!(ranking.suspects[0].size, 2);
    assert_eq!(ranking.suspects[0].reasons.len(), 1);
}

#[test]
fn folders_own_unlisted_files_and_the_deepest_folder_wins() {
    let mut builder = BuildGraphBuilder::new();
    builder.target("app").folder("app").dep("lib");
    builder.target("deep").folder("app/deep/");
    builder.target("lib").folder("./lib").file("app/shared.txt");
    builder.target("lib's twin").folder("lib");
    let without_root = builder.build().unwrap();
    let mut builder = BuildGraphBuilder::new();
    builder.target("root").folder(".");
    builder.target("app").folder("app");
    let with_root = builder.build().unwrap();
    let owners = |graph: &BuildGraph, file: &str| graph.targets_of(file).collect::<Vec<_>>().join(", ");
    for (file, expected) in [
        ("app/a", "app"),
        ("app/x/y/z", "app"),
        ("app/deep/a", "deep"),
        ("app/deeper/a", "app"),
        ("app/deep", "app"),
        ("app", ""),
        ("application/a", ""),
        ("app/shared.txt", "lib"),
        ("lib/a", "lib, lib's twin"),
        ("a", ""),
        ("", ""),
    ] {
        assert_eq!(owners(&without_root, file), expected, "{file}");
    }
    for (file, expected) in [("a", "root"), ("x/y", "root"), ("app/y", "app")] {
        assert_eq!(owners(&with_root, file), expected, "{file}");
    }
    assert_eq!(without_root.file_count(), 1);
    let changes = [Changelist::new("c", ["lib/x", "app/y"]), Changelist::new("beside", ["app/deep/y"])];
    let ranking = rank(&without_root, &changes, &["app"], &RankOptions::default()).unwrap();
    assert_eq!(order(&ranking), ["c"]);
    assert_eq!(ranking.suspects[0].reasons.len(), 2);
    assert!(ranking.unplaced.is_empty());
}

#[test]
fn each_heuristic_has_its_order() {
    let changes = [
        Changelist::new("near", ["t1.java"]),
        Changelist::new("large", ["t2.java", "x", "y"]),
        Changelist::new("far", ["t2.java"]),
    ];
    let by = |by| {
        let ranking = rank(&figure_6(), &changes, &["test"], &RankOptions { by, ..RankOptions::default() }).unwrap();
        order(&ranking).join(" ")
    };
    assert_eq!(by(Heuristic::Suspiciousness), "near large far");
    assert_eq!(by(Heuristic::Size), "large far near");
    assert_eq!(by(Heuristic::Distance), "near large far");
    assert_eq!(by(Heuristic::Changelog), "far large near");
}

/// A mass change touches more dependencies of the test than any other change. Documentation does not count as source.
#[test]
fn mass_changes_are_less_suspicious() {
    let sources: Vec<String> = (0..80).map(|number| format!("lib/part_{number}.py")).collect();
    let mut builder = BuildGraphBuilder::new();
    let names: Vec<String> = sources.iter().map(|file| format!("//{file}")).collect();
    for (name, file) in names.iter().zip(&sources) {
        builder.target(name).file(file);
    }
    names.iter().fold(builder.target("//app:test").file("app_test.py"), |test, name| test.dep(name));
    let graph = builder.build().unwrap();
    let touching = |id: &str, count: usize, documents: usize| {
        let documents = (0..documents).map(|number| format!("docs/page_{number}.md"));
        Changelist::new(id, sources.iter().take(count).cloned().chain(documents))
    };
    let changes = [touching("all", 80, 0), touching("two", 2, 0), touching("most", 16, 40), touching("one", 1, 0)];
    let ranking = rank(&graph, &changes, &["//app:test"], &RankOptions::default()).unwrap();
    assert_eq!(order(&ranking), ["most", "two", "one", "all"]);
    let score = |change: &str| ranking.suspects[ranking.place(change).unwrap()].score;
    // 80 / 16 is 5.
    assert!((score("all") - 80.0 * score("one") / 125.0).abs() < 1e-12, "{}", score("all"));
    assert!((score("most") - 16.0 * score("one")).abs() < 1e-12);
    let prior = ranking.prior(&PriorOptions::default()).unwrap();
    assert!(prior["two"] > prior["all"], "{prior:?}");
}

#[test]
fn deleted_files_and_removed_dependencies_use_the_graph_before_the_change() {
    let before = graph(vec![
        ("test", vec!["t"], vec!["lib", "gone"]),
        ("lib", vec!["lib.py", "old.py"], vec![]),
        ("gone", vec!["gone.py"], vec![]),
        ("other", vec!["other.py"], vec![]),
    ]);
    let now = graph(vec![
        ("test", vec!["t"], vec!["lib"]),
        ("lib", vec!["lib.py"], vec![]),
        ("gone", vec!["gone.py"], vec![]),
    ]);
    let changes = [
        Changelist::new("deletes", ["old.py"]),
        Changelist::new("loses", ["gone.py"]),
        Changelist::new("beside", ["other.py"]),
        Changelist::new("both", ["lib.py", "old.py"]),
    ];
    let ranked = |before| rank(&now, &changes, &["test"], &RankOptions { before, ..RankOptions::default() }).unwrap();
    let ranking = ranked(Some(&before));
    assert_eq!(order(&ranking), ["both", "loses", "deletes"]);
    assert_eq!(ranking.suspects[0].reasons.len(), 1, "one target, seen now and before");
    assert!(ranking.suspects[1].reasons[0].before);
    assert!(ranking.unplaced.is_empty());
    let ranking = ranked(None);
    assert_eq!(order(&ranking), ["both"]);
    assert_eq!(ranking.unplaced, ["old.py", "other.py"]);
}

#[test]
fn cycles_count_as_one_target_and_are_reported() {
    let graph = graph(vec![
        ("test", vec!["t"], vec!["a"]),
        ("a", vec!["a.py"], vec!["b"]),
        ("b", vec!["b.py"], vec!["c"]),
        ("c", vec!["c.py"], vec!["a", "d"]),
        ("d", vec!["d.py"], vec![]),
    ]);
    assert_eq!(graph.cycles(), [["a", "b", "c"]]);
    let changes = [Changelist::new("two", ["a.py", "c.py"]), Changelist::new("below", ["d.py"])];
    let ranking = rank(&graph, &changes, &["test"], &RankOptions::default()).unwrap();
    assert_eq!(ranking.suspects[0].reasons.len(), 1);
    assert_eq!((ranking.suspects[0].distance, ranking.suspects[1].distance), (1, 2));
    assert_eq!(ranking.suspects[1].reasons[0].path, ["test", "a", "c", "d"]);
    assert!(ranking.message.contains("1 circle of targets"), "{}", ranking.message);
}

#[test]
fn invalid_tests_changes_and_graphs_are_rejected() {
    let error = rank(&figure_6(), &[], &["tests"], &RankOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "test: unknown build target \"tests\"\nhelp: did you mean \"test\"?");
    let twice = [Changelist::new("c", ["t1.java"]), Changelist::new("c", ["t2.java"])];
    assert_eq!(rank(&figure_6(), &twice, &["test"], &RankOptions::default()).unwrap_err().code(), "invalid_argument");
    let mut builder = BuildGraphBuilder::new();
    builder.target("//app").dep("//lbi").target("//lib");
    let error = builder.build().unwrap_err().to_string();
    assert_eq!(error, "targets[\"//app\"].deps: \"//lbi\" is not valid; expected names of targets, like \"//lib\"");
}

#[test]
fn messages_explain_missing_changes_and_suspects() {
    let message =
        |changes: &[Changelist]| rank(&figure_6(), changes, &["test"], &RankOptions::default()).unwrap().message;
    assert_eq!(message(&[]), "there are no changes, so the cause is not in this graph");
    let nothing = message(&[Changelist::new("c", ["t3.java"])]);
    assert!(
        nothing.starts_with("the change does not touch a file that test depends on. The cause may be"),
        "{nothing}"
    );
    let unseen = message(&[Changelist::new("c", ["readme"])]);
    assert!(
        unseen.contains("does not touch a known file") && unseen.contains("1 file belongs to no target"),
        "{unseen}"
    );
    assert!(unseen.ends_with("1 unlikely but not excluded, because no build graph has all their files"), "{unseen}");
}

#[test]
fn sharpness_is_fitted_to_known_culprits() {
    let changes = [Changelist::new("near", ["t1.java"]), Changelist::new("far", ["t2.java"])];
    let ranking = rank(&figure_6(), &changes, &["test"], &RankOptions::default()).unwrap();
    let fitted = |culprits: &[&str]| {
        let cases: Vec<(&Ranking, &str)> = culprits.iter().map(|culprit| (&ranking, *culprit)).collect();
        fit_sharpness(&cases, PriorBy::Distance, 0.0)
    };
    assert_eq!(fitted(&["far"]), 0.0);
    assert_eq!(fitted(&["near"]), 8.0);
    assert_eq!(fitted(&["near", "far"]), 0.0);
    assert_eq!(fitted(&["nobody"]), 0.0);
}

/// Targets are lists of the indices of their dependencies. Changes are lists of the indices of touched targets.
fn histories() -> impl Strategy<Value = (Vec<BTreeSet<usize>>, Vec<BTreeSet<usize>>)> {
    (1usize..9).prop_flat_map(|n| {
        let deps = proptest::collection::vec(proptest::collection::btree_set(0..n, 0..4), n);
        let changes = proptest::collection::vec(proptest::collection::btree_set(0..n + 1, 0..4), 0..6);
        (deps, changes)
    })
}

proptest! {
    #[test]
    fn rankings_agree_with_the_definitions((deps, changes) in histories()) {
        let n = deps.len();
        let mut builder = BuildGraphBuilder::new();
        for (target, needs) in deps.iter().enumerate() {
            builder.target(&format!("t{target}")).file(&format!("f{target}"));
            needs.iter().for_each(|dep| { builder.dep(&format!("t{dep}")); });
        }
        let graph = builder.build().unwrap();
        // The reference computes reachability, merges targets that reach each other, and finds shortest paths by relaxation.
        let mut reach = vec![vec![false; n]; n];
        (0..n).for_each(|i| { reach[i][i] = true; deps[i].iter().for_each(|&j| reach[i][j] = true); });
        for k in 0..n { for i in 0..n { for j in 0..n { reach[i][j] |= reach[i][k] && reach[k][j]; } } }
        let same = |i: usize, j: usize| reach[i][j] && reach[j][i];
        let mut far: Vec<Option<u32>> = (0..n).map(|j| same(0, j).then_some(0)).collect();
        for _ in 0..n {
            for i in 0..n { for &j in &deps[i] {
                if let Some(steps) = far[i].map(|steps| if same(i, j) { steps } else { steps + 1 })
                    && far[j].is_none_or(|known| known > steps) { far[j] = Some(steps); }
            } }
        }
        let given: Vec<Changelist> = changes.iter().enumerate()
            .map(|(c, touched)| Changelist::new(format!("c{c}"), touched.iter().map(|t| format!("f{t}")))).collect();
        let ranking = rank(&graph, &given, &["t0"], &RankOptions::default()).unwrap();
        let mut expected: Vec<(f64, usize, usize)> = Vec::new();
        for (c, touched) in changes.iter().enumerate() {
            let mut one_each: BTreeMap<usize, u32> = BTreeMap::new();
            for &t in touched.iter().filter(|&&t| t < n) {
                if let Some(steps) = far[t] {
                    let group = (0..n).find(|&other| same(other, t)).unwrap();
                    one_each.insert(group, steps.max(1));
                }
            }
            if !one_each.is_empty() {
                expected.push((one_each.values().map(|&d| weighted_distance(d)).sum(), touched.len(), c));
            }
        }
        expected.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(b.2.cmp(&a.2)));
        let names: Vec<String> = expected.iter().map(|(.., c)| format!("c{c}")).collect();
        for (suspect, (score, ..)) in ranking.suspects.iter().zip(&expected) {
            prop_assert!((suspect.score - score).abs() < 1e-9);
            for reason in &suspect.reasons {
                // Every path follows dependencies from the test to the target.
                prop_assert_eq!((&reason.path[0], reason.path.last()), (&"t0".to_owned(), Some(&reason.target)));
            }
        }
        let near_ties = expected.windows(2).any(|pair| pair[0].0 != pair[1].0 && (pair[0].0 - pair[1].0).abs() < 1e-9);
        if !near_ties {
            prop_assert_eq!(order(&ranking), names);
        }
        prop_assert_eq!(ranking.suspects.len() + ranking.excluded.len() + ranking.unlikely.len(), changes.len());
        let prior = ranking.prior(&PriorOptions { exclude: false, ..PriorOptions::default() }).unwrap();
        if !ranking.suspects.is_empty() {
            prop_assert!((prior.values().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!(ranking.suspects.iter().all(|suspect| prior[&suspect.change] > 0.0));
        }
    }
}
