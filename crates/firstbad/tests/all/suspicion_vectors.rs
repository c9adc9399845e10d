//! The rankings, priors, and factors in `tests/vectors/suspicion.json`, which the tests of Python and Node also use.

use std::collections::BTreeMap;

use firstbad::CommitGraph;
use firstbad::suspicion::{
    BuildGraph, BuildGraphBuilder, BuildGraphKind, Changelist, Factor, FactorConfig, PriorOptions, RankOptions,
    Ranking, rank,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    rankings: Vec<Case>,
    factors: Vec<FactorCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(rename = "why")]
    _why: String,
    targets: Vec<Target>,
    before: Option<Vec<Target>>,
    #[serde(default)]
    partial: bool,
    changes: Vec<Changelist>,
    tests: Vec<String>,
    by: String,
    ranking: Told,
    #[serde(default)]
    priors: Vec<Prior>,
    history: Option<History>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Target {
    name: String,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    deps: Vec<String>,
    build_file: Option<String>,
    #[serde(default)]
    folders: Vec<String>,
}

#[derive(Deserialize)]
struct Told {
    suspects: Vec<ToldSuspect>,
    excluded: Vec<String>,
    unlikely: Vec<String>,
    complete: bool,
    unplaced: Vec<String>,
    cycles: Vec<Vec<String>>,
}

#[derive(Deserialize)]
struct ToldSuspect {
    change: String,
    score: f64,
    suspiciousness: f64,
    size: usize,
    distance: u32,
    closeness: f64,
    tests: usize,
    reasons: Vec<ToldReason>,
}

#[derive(Deserialize)]
struct ToldReason {
    files: Vec<String>,
    target: String,
    distance: u32,
    tests: usize,
    weight: f64,
    before: bool,
}

#[derive(Deserialize)]
struct Prior {
    options: PriorOptions,
    weights: Option<BTreeMap<String, f64>>,
}

#[derive(Deserialize)]
struct History {
    revisions: Vec<(String, Vec<String>)>,
    bad: String,
    good: Vec<String>,
    priors: Vec<Prior>,
}

#[derive(Deserialize)]
struct FactorCase {
    config: FactorConfig,
    change: Changelist,
    factor: f64,
}

fn vectors() -> File {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/suspicion.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn graph(targets: &[Target], partial: bool) -> BuildGraph {
    let mut builder = BuildGraphBuilder::new();
    builder.kind(if partial { BuildGraphKind::Partial } else { BuildGraphKind::Declared });
    for target in targets {
        builder.target(&target.name);
        target.files.iter().for_each(|file| {
            builder.file(file);
        });
        target.folders.iter().for_each(|folder| {
            builder.folder(folder);
        });
        target.build_file.iter().for_each(|file| {
            builder.build_file(file);
        });
        target.deps.iter().for_each(|dep| {
            builder.dep(dep);
        });
    }
    builder.build().unwrap()
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

fn check_ranking(name: &str, ranking: &Ranking, told: &Told) {
    let order: Vec<&str> = ranking.suspects.iter().map(|suspect| suspect.change.as_str()).collect();
    assert_eq!(order, told.suspects.iter().map(|suspect| suspect.change.as_str()).collect::<Vec<_>>(), "{name}");
    assert_eq!(
        (&ranking.excluded, &ranking.unplaced, &ranking.cycles),
        (&told.excluded, &told.unplaced, &told.cycles),
        "{name}"
    );
    assert_eq!((&ranking.unlikely, ranking.complete), (&told.unlikely, told.complete), "{name}");
    for (suspect, told) in ranking.suspects.iter().zip(&told.suspects) {
        assert!(near(suspect.score, told.score) && near(suspect.suspiciousness, told.suspiciousness), "{name}");
        assert_eq!((suspect.size, suspect.distance), (told.size, told.distance), "{name}");
        assert_eq!(suspect.tests, told.tests, "{name}");
        assert!(near(suspect.closeness, told.closeness), "{name}");
        assert_eq!(suspect.reasons.len(), told.reasons.len(), "{name}");
        for (reason, told) in suspect.reasons.iter().zip(&told.reasons) {
            assert_eq!((&reason.files, &reason.target), (&told.files, &told.target), "{name}");
            assert_eq!((reason.distance, reason.before), (told.distance, told.before), "{name}");
            assert_eq!(reason.tests, told.tests, "{name}");
            assert!(near(reason.weight, told.weight), "{name}");
        }
    }
}

fn check_weights(name: &str, weights: Option<&BTreeMap<String, f64>>, told: Option<&BTreeMap<String, f64>>) {
    assert_eq!(weights.map(|w| w.keys().collect::<Vec<_>>()), told.map(|w| w.keys().collect::<Vec<_>>()), "{name}");
    for (id, weight) in weights.into_iter().flatten() {
        assert!(near(*weight, told.unwrap()[id]), "{name}: {id}: {weight}");
    }
}

#[test]
fn rankings_and_priors_match_the_vectors() {
    let vectors = vectors();
    assert!(vectors.rankings.len() > 30);
    for case in vectors.rankings {
        let before = case.before.as_deref().map(|targets| graph(targets, case.partial));
        let options = RankOptions { by: case.by.parse().unwrap(), before: before.as_ref(), ..RankOptions::default() };
        let ranking = rank(&graph(&case.targets, case.partial), &case.changes, &case.tests, &options).unwrap();
        check_ranking(&case.name, &ranking, &case.ranking);
        for prior in case.priors {
            check_weights(&case.name, Some(&ranking.prior(&prior.options).unwrap()), prior.weights.as_ref());
        }
        if let Some(History { revisions, bad, good, priors }) = case.history {
            let revisions = revisions.iter().map(|(id, parents)| (id.as_str(), parents.iter().map(String::as_str)));
            let history = CommitGraph::new(revisions).unwrap();
            for prior in priors {
                let found = ranking.prior_in(&history, std::slice::from_ref(&bad), &good, &prior.options).unwrap();
                check_weights(&case.name, found.weights.as_ref(), prior.weights.as_ref());
                assert_eq!(found.warning.is_some(), prior.weights.is_none(), "{}", case.name);
            }
        }
    }
}

#[test]
fn factors_match_the_vectors() {
    for FactorCase { config, change, factor } in vectors().factors {
        let found = Factor::new(config.clone()).unwrap().of(&change);
        assert!(near(found, factor), "{config:?} of {change:?}: {found} for {factor}");
    }
}
