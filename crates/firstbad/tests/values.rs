//! The values in `tests/vectors/values`, which Python and Node come to as well.
#![allow(clippy::unwrap_used, reason = "tests")]

use firstbad::digest::{Item, digest};
use firstbad::reduction::{Granularity, options_in_outline, options_in_patch};
use firstbad::{Patch, ReductionConfig, percent};
use serde_json::{Value, json};

fn vectors(name: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/vectors/values/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file[name].as_array().unwrap().clone()
}

#[test]
fn items_have_one_digest() {
    for vector in vectors("digests") {
        let items: Vec<(&str, Vec<u8>)> = vector["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| match item.as_object().unwrap().iter().next().unwrap() {
                (kind, Value::String(text)) if kind != "json" => (kind.as_str(), text.clone().into_bytes()),
                (kind, bytes) if kind == "bytes" => (kind.as_str(), serde_json::from_value(bytes.clone()).unwrap()),
                (kind, value) => (kind.as_str(), format!(" {value:#} ").into_bytes()),
            })
            .collect();
        let items = items.iter().map(|(kind, content)| Item::new(kind, content).unwrap());
        assert_eq!(json!(digest(items)), vector["is"], "{}", vector["name"]);
    }
}

#[test]
fn probabilities_have_one_form() {
    for vector in vectors("percents") {
        assert_eq!(percent(vector[0].as_f64().unwrap()), vector[1].as_str().unwrap());
    }
}

#[test]
fn patches_and_texts_make_one_configuration() {
    for vector in vectors("structures") {
        let made = match vector["patch"].as_str() {
            Some(patch) => {
                let granularity: Granularity = vector["granularity"].as_str().unwrap().parse().unwrap();
                let patch = Patch::parse(patch.as_bytes()).unwrap();
                if vector["options"] == json!({}) {
                    let alone = ReductionConfig::of_patch(&patch, granularity);
                    assert_eq!(alone, options_in_patch(&vector["options"], &patch, granularity).unwrap());
                }
                options_in_patch(&vector["options"], &patch, granularity)
            }
            None => options_in_outline(&vector["options"], vector["text"].as_str().unwrap().split_inclusive('\n')),
        };
        let made = serde_json::to_value(made.unwrap()).unwrap();
        for (key, expected) in vector["is"].as_object().unwrap() {
            assert_eq!(made.get(key).unwrap_or(&Value::Null), expected, "{}: {key}", vector["name"]);
        }
    }
    let refused = "words".parse::<Granularity>().unwrap_err().to_string();
    assert!(refused.contains("granularity") && refused.contains("\"hunks\""), "{refused}");
}

#[test]
fn own_trees_and_depths_stay() {
    let patch = Patch::parse(b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n").unwrap();
    let own = ReductionConfig { parents: Some(vec![None, Some(0)]), depth: Some(1), ..ReductionConfig::default() };
    let made = own.clone().in_patch(&patch, Granularity::Lines);
    assert_eq!((made.parents, made.depth), (own.parents.clone(), own.depth));
    assert_eq!(own.in_patch(&patch, Granularity::Hunks).depth, Some(2));
}
