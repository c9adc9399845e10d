//! Searches of every kind over small worlds, each opened from a number: what holds for every search is tested over these.

use std::sync::Arc;

use firstbad::digest::sha256_hex;
use firstbad::{CommitGraph, Error, Read, Search, World};
use serde_json::{Value, json};

use crate::simulated::Random;

/// A search over a small world.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The name of its algorithm.
    pub algorithm: &'static str,
    /// Its configuration.
    pub configuration: Value,
    /// The parents of each revision, if it is about a history: revisions are named by their numbers.
    pub parents: Vec<Vec<usize>>,
    /// How many revisions there are, or items, if it is about these.
    pub items: usize,
}

impl Scene {
    /// How many kinds there are: every algorithm with every way to choose.
    pub const KINDS: usize = 24;

    /// A search of a kind (a number below [`Scene::KINDS`]) in a world that depends on `seed` alone.
    #[must_use]
    pub fn new(kind: usize, seed: u64) -> Scene {
        let parents = parents(&mut Random::new(seed));
        let items = parents.len();
        let (algorithm, configuration) = configured(kind, &(items - 1).to_string());
        Scene { algorithm, configuration, parents, items }
    }

    /// What it searches in.
    #[must_use]
    pub fn world(&self) -> World {
        let ids: Vec<String> = (0..self.items).map(|place| place.to_string()).collect();
        let named = |parents: &[usize]| parents.iter().map(|&parent| ids[parent].clone()).collect::<Vec<_>>();
        match self.algorithm {
            "minimize" | "isolate" => World::Items(self.items),
            // Parents come first, and there is a revision: that is a graph.
            _ => CommitGraph::new(ids.iter().zip(self.parents.iter().map(|parents| named(parents))))
                .map_or(World::Items(0), |graph| World::from(Arc::new(graph))),
        }
    }

    /// The search at its start.
    ///
    /// # Errors
    /// Those of [`firstbad::open`]: a culprit that is no suspect is refused.
    pub fn open(&self) -> Result<Box<dyn Search>, Error> {
        firstbad::open(self.algorithm, self.world(), &self.configuration)
    }
}

/// Gives a search all that it has to see: patches of some lines, none at times, that depend on what is asked for alone.
///
/// # Errors
/// Those of [`Search::give`].
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

fn parents(random: &mut Random) -> Vec<Vec<usize>> {
    let below = |random: &mut Random, bound: usize| random.below(bound as u64) as usize;
    let count = 2 + below(random, 14);
    let mut one_revision = |place: usize| match place {
        0 => Vec::new(),
        _ if random.chance(50) => Vec::new(),
        _ if place > 1 && random.chance(250) => {
            let (one, other) = (below(random, place), below(random, place));
            if one == other { vec![one] } else { vec![one.max(other), one.min(other)] }
        }
        _ => vec![place - 1 - below(random, place.min(2))],
    };
    (0..count).map(&mut one_revision).collect()
}

/// The algorithm of a kind, and its configuration for a history whose newest revision is `bad`.
fn configured(kind: usize, bad: &str) -> (&'static str, Value) {
    let culprit = |choose: &str, flake: Value, false_pass: f64| {
        let confidence = 0.99;
        (
            "culprit",
            json!({"bad": bad, "good": ["0"], "choose": choose, "flake_rate": flake, "false_pass_rate": false_pass, "confidence": confidence}),
        )
    };
    let regression = |search: &str, more: Value| ("regression", with(json!({"bad": [bad], "search": search}), more));
    let minimize = |algorithm: &str, more: Value| ("minimize", with(json!({"algorithm": algorithm}), more));
    let flake = || json!(0.1);
    match kind {
        0 => regression("linear", json!({})),
        1 => regression("binary", json!({"clean": false, "propagate": false})),
        2 => regression("binary", json!({})),
        3 => regression("multiplying", json!({"find": "fix", "bad": ["0"], "good": [bad]})),
        4 => regression("gallop", json!({"verify_ends": false})),
        5 => regression("halving", json!({})),
        6 => regression("weighted", json!({})),
        7 => regression("auto", json!({"prefer": "latest"})),
        8 => regression("auto", json!({})),
        9 => regression("bayes", json!({"flake_rate": 0.1})),
        10 => regression("bayes", json!({"verify": false, "flake_rate": 0.05, "false_pass_rate": 0.05})),
        11 => culprit("cdf", flake(), 0.0),
        12 => culprit("expected_gain", flake(), 0.05),
        13 => culprit("information", flake(), 0.0),
        14 => culprit("bisect", flake(), 0.0),
        15 => culprit("cdf", json!("estimate"), 0.0),
        16 => ("verification", json!({"bad": bad, "good": ["0"], "culprit": "1", "flake_rate": 0.1})),
        17 => minimize("auto", json!({})),
        18 => minimize("ddmin", json!({})),
        19 => minimize("recursive", json!({})),
        20 => minimize("probdd", json!({"confidence": 0.95, "false_pass_rate": 0.1})),
        21 => ("isolate", json!({})),
        22 => ("port", json!({"start": bad, "forward": bad})),
        _ => ("port", json!({"start": bad, "walk": "strict", "algorithm": "recursive", "max_patch": 4})),
    }
}

/// An object with the fields of another.
fn with(mut object: Value, more: Value) -> Value {
    if let (Value::Object(fields), Value::Object(more)) = (&mut object, more) {
        fields.extend(more);
    }
    object
}
