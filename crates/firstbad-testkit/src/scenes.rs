//! Scenes: searches of every kind, each opened from a number, for tests of properties that hold for all searches.

use std::sync::Arc;

use firstbad::digest::sha256_hex;
use firstbad::{CommitGraph, Error, Read, Search, World};
use serde_json::{Value, json};

use crate::simulated::Random;

/// A search and its world.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The name of its algorithm.
    pub algorithm: &'static str,
    /// Its configuration.
    pub configuration: Value,
    /// The parents of each revision, if the search is in a history. Revisions are named by their numbers.
    pub parents: Vec<Vec<usize>>,
    /// The number of revisions or items.
    pub items: usize,
}

impl Scene {
    /// The number of kinds: every algorithm with every strategy.
    pub const KINDS: usize = 32;

    /// Creates a search of a kind, a number below [`Scene::KINDS`], in a world that depends only on `seed`.
    #[must_use]
    pub fn new(kind: usize, seed: u64) -> Scene {
        let mut random = Random::new(seed);
        let count = 2 + random.below(14) as usize;
        Scene::made(kind, count, 50, &mut random)
    }

    /// Creates a search in a world of `items` items, or of `items` revisions with one root. `items` must be at least two.
    #[must_use]
    pub fn sized(kind: usize, seed: u64, items: usize) -> Scene {
        Scene::made(kind, items, 0, &mut Random::new(seed))
    }

    fn made(kind: usize, items: usize, roots: u64, random: &mut Random) -> Scene {
        let parents = parents(random, items, roots);
        let (algorithm, configuration) = configured(kind, &parents);
        Scene { algorithm, configuration, parents, items }
    }

    /// Returns the world of the search.
    #[must_use]
    pub fn world(&self) -> World {
        let ids: Vec<String> = (0..self.items).map(|place| place.to_string()).collect();
        let named = |parents: &[usize]| parents.iter().map(|&parent| ids[parent].clone()).collect::<Vec<_>>();
        match self.algorithm {
            "minimize" | "isolate" | "slice" => World::Items(self.items),
            // Parents come first and there is at least one revision, so the graph is valid.
            _ => CommitGraph::new(ids.iter().zip(self.parents.iter().map(|parents| named(parents))))
                .map_or(World::Items(0), |graph| World::from(Arc::new(graph))),
        }
    }

    /// Opens the search in its initial state.
    ///
    /// # Errors
    /// The errors of [`firstbad::open`].
    pub fn open(&self) -> Result<Box<dyn Search>, Error> {
        firstbad::open(self.algorithm, self.world(), &self.configuration)
    }
}

/// Provides all reads that a search needs: patches of some lines, some of them empty, that depend only on the request.
///
/// # Errors
/// The errors of [`Search::give`].
pub fn show(search: &mut dyn Search) -> Result<(), Error> {
    while let Some(read) = search.reads().first() {
        search.give(read.id, &content(read))?;
    }
    Ok(())
}

fn content(read: &Read) -> Vec<u8> {
    let digest = sha256_hex(read.request.to_string().as_bytes());
    let count = usize::from(digest.as_bytes()[0]) % 7;
    let lines: String = digest[..count].chars().map(|digit| format!("+{digit}\n")).collect();
    match count {
        0 => Vec::new(),
        _ => format!("diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,0 +1,{count} @@\n{lines}").into_bytes(),
    }
}

/// Returns the parents of `count` revisions. Of 1,000 revisions, `roots` are further roots, but never the newest one.
fn parents(random: &mut Random, count: usize, roots: u64) -> Vec<Vec<usize>> {
    let below = |random: &mut Random, bound: usize| random.below(bound as u64) as usize;
    let mut one_revision = |place: usize| match place {
        0 => Vec::new(),
        _ if random.chance(roots) && place + 1 < count => Vec::new(),
        _ if place > 1 && random.chance(250) => {
            let (one, other) = (below(random, place), below(random, place));
            if one == other { vec![one] } else { vec![one.max(other), one.min(other)] }
        }
        _ => vec![place - 1 - below(random, place.min(2))],
    };
    (0..count).map(&mut one_revision).collect()
}

/// Returns whether one revision is an ancestor of another. Parents come first.
fn is_ancestor(parents: &[Vec<usize>], ancestor: usize, revision: usize) -> bool {
    let mut from = vec![false; parents.len()];
    from[ancestor] = true;
    for place in ancestor + 1..=revision {
        from[place] = parents[place].iter().any(|&parent| from[parent]);
    }
    from[revision]
}

/// Returns the algorithm of a kind and its configuration for a history whose newest revision fails. Good revisions and the
/// assumed culprit must be ancestors of it.
fn configured(kind: usize, parents: &[Vec<usize>]) -> (&'static str, Value) {
    let newest = parents.len() - 1;
    let bad = &newest.to_string();
    let good: &[&str] = if newest > 0 && is_ancestor(parents, 0, newest) { &["0"] } else { &[] };
    let suspect = parents[newest]
        .first()
        .copied()
        .filter(|&parent| parent > 0 && is_ancestor(parents, 0, parent))
        .unwrap_or(newest)
        .to_string();
    let culprit = |choose: &str, flake: Value, false_pass: f64| {
        let confidence = 0.99;
        (
            "culprit",
            json!({"bad": [bad], "good": good, "strategy": choose, "flake_rate": flake, "false_pass_rate": false_pass, "confidence": confidence}),
        )
    };
    let regression = |search: &str, more: Value| ("regression", with(json!({"bad": [bad], "search": search}), more));
    let minimize = |algorithm: &str, more: Value| ("minimize", with(json!({"algorithm": algorithm}), more));
    let tonight =
        json!({"a": {"outcome": "fail", "signature": "x"}, "b": "fail", "c": {"outcome": "fail", "signature": "x"}});
    let triage = |more: Value| ("triage", with(json!({"bad": [bad], "good": good, "tonight": tonight}), more));
    let flake = || json!(0.1);
    match kind {
        0 => regression("linear", json!({})),
        1 => regression("binary", json!({"check_parents": false, "propagate": false})),
        2 => regression("binary", json!({})),
        3 => regression("multiplying", json!({"find": "fix", "bad": ["0"], "good": [bad]})),
        4 => regression("gallop", json!({"test_endpoints": false})),
        5 => regression("bisect", json!({})),
        6 => regression("weighted", json!({})),
        7 => regression("auto", json!({"prefer": "latest"})),
        8 => regression("auto", json!({})),
        9 => regression("bayes", json!({"flake_rate": 0.1})),
        10 => regression("bayes", json!({"verify": false, "flake_rate": 0.05, "false_pass_rate": 0.05})),
        11 => culprit("cdf", flake(), 0.0),
        12 => culprit("expected-gain", flake(), 0.05),
        13 => culprit("information", flake(), 0.0),
        14 => culprit("bisect", flake(), 0.0),
        15 => culprit("cdf", json!("estimate"), 0.0),
        16 => ("verification", json!({"bad": [bad], "good": good, "culprit": suspect, "flake_rate": 0.1})),
        17 => minimize("auto", json!({})),
        18 => minimize("ddmin", json!({})),
        19 => minimize("recursive", json!({})),
        20 => minimize("recursive", json!({"confidence": 0.95, "false_pass_rate": 0.1})),
        21 => ("isolate", json!({})),
        22 => ("port", json!({"start": bad, "forward": bad, "figure2": true})),
        24 => ("slice", json!({"dependencies": {bad: [0]}})),
        25 => ("slice", json!({"algorithm": "definer", "start": [newest], "keep": "fail"})),
        26 => ("slice", json!({"algorithm": "ddmin"})),
        27 => ("triage", json!({"bad": [bad], "good": good, "tests": ["a", "b", "c"]})),
        28 => triage(json!({"batch": 2, "keep_builds": "all", "tests": ["a", "b", "c"]})),
        29 => triage(json!({"confidence": 0.99, "last": {"a": "pass", "b": "fail"}})),
        // There must be a revision between the endpoints.
        30 if !good.is_empty() => ("change", json!({"bad": [bad], "good": good, "max_measurements": 40})),
        31 if !good.is_empty() => ("change", json!({"bad": [bad], "good": good, "all_steps": true, "exact": true})),
        _ => ("port", json!({"start": bad, "walk": "strict", "algorithm": "recursive", "max_patch": 4})),
    }
}

/// Adds fields to an object.
fn with(mut object: Value, more: Value) -> Value {
    if let (Value::Object(fields), Value::Object(more)) = (&mut object, more) {
        fields.extend(more);
    }
    object
}
