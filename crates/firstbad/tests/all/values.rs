//! The values in `tests/vectors/values`, which the tests of Python and Node also use.

use firstbad::culprit::sample_for_verification;
use firstbad::digest::{Item, digest};
use firstbad::reduction::{Granularity, options_in_lines, options_in_patch, options_in_text};
use firstbad::regression::Explanation;
use firstbad::suspicion::BuildGraph;
use firstbad::{
    Budget, CommitGraph, MinimizeReport, Minimizer, Outcome, Patch, ReductionConfig, RegressionConfig,
    RegressionSearch, Search as _, Text, percent,
};
use serde_json::{Value, json};

fn vectors(name: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/vectors/values/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file[name].as_array().unwrap().clone()
}

#[test]
fn digests_of_items_match_the_vectors() {
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
fn unsafe_names_in_patches_are_rejected() {
    for vector in vectors("patch-names") {
        let (name, read) = (&vector["name"], Patch::parse(vector["patch"].as_str().unwrap().as_bytes()));
        match read {
            Ok(patch) => {
                assert_eq!(vector["refused"], false, "{name}");
                assert_eq!(patch.file(0).unwrap().name(), name.as_str().unwrap());
            }
            Err(error) => {
                assert_eq!(vector["refused"], true, "{name}: {error}");
                assert_eq!(error.code(), "patch_syntax");
            }
        }
    }
}

#[test]
fn the_json_of_graphs_matches_the_vectors() {
    for vector in vectors("graphs") {
        let written = vector["written"].as_str().unwrap();
        if vector["of"] == "targets" {
            let written: Value = serde_json::from_str(written).unwrap();
            let graph: BuildGraph = serde_json::from_value(written["graph"].clone()).unwrap();
            assert_eq!(serde_json::to_value(&graph).unwrap(), written["graph"]);
            continue;
        }
        let graph = CommitGraph::from_json(written).unwrap();
        assert_eq!(graph.to_json().unwrap(), written);
        assert_eq!(graph.ids().collect::<Vec<_>>(), vector["ids"].as_array().unwrap().iter().collect::<Vec<_>>());
    }
}

#[test]
fn formatted_probabilities_match_the_vectors() {
    for vector in vectors("percents") {
        assert_eq!(percent(vector[0].as_f64().unwrap()), vector[1].as_str().unwrap());
    }
}

#[test]
fn sampled_conclusions_match_the_vectors() {
    for vector in vectors("samples") {
        let earlier: Vec<&str> =
            vector["earlier"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
        let (share, seed) = (vector["share"].as_f64().unwrap(), vector["seed"].as_u64().unwrap());
        let conclusion = vector["conclusion"].as_str().unwrap();
        let drawn = sample_for_verification(conclusion, vector["culprit"].as_str(), &earlier, share, seed);
        assert_eq!(json!(drawn.unwrap()), vector["is"], "{}", vector["name"]);
    }
    let drawn = (0..10_000)
        .filter(|number| !sample_for_verification(&number.to_string(), None, &[], 0.01, 3).unwrap().is_empty());
    assert!((70..=130).contains(&drawn.count()));
    let refused = sample_for_verification("a", None, &[], f64::NAN, 0).unwrap_err().to_string();
    assert!(refused.starts_with("share: NaN is not valid"), "{refused}");
}

#[test]
fn patches_and_texts_have_the_same_configuration() {
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
            None => {
                let text = match &vector["text"] {
                    Value::Object(files) => {
                        let files: Vec<&[u8]> = files.values().map(|file| file.as_str().unwrap().as_bytes()).collect();
                        Text::of_files(&files, false).unwrap()
                    }
                    text => Text::parse(text.as_str().unwrap().as_bytes(), false).unwrap(),
                };
                options_in_text(&vector["options"], &text)
            }
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
fn lines_form_a_tree_by_default() {
    let lines: [&[u8]; 4] = [b"if a {\n", b"  b\n", b"}\n", b"c"];
    let made = options_in_lines(&json!({}), &lines).unwrap();
    assert_eq!(made.parents, Some(vec![None, Some(0), Some(0), None]));
    assert_eq!(made.later, Some(vec![vec![1, 2], vec![3]]));
    for told in [
        json!({"parents": [null, null, null, 0]}),
        json!({"later": [[0]]}),
        json!({"weights": [1.0, 2.0, 3.0, 4.0]}),
        json!({"depth": 2}),
        json!({"dependencies": {"0": [3]}}),
        json!({"algorithm": "ddmin"}),
    ] {
        let own: ReductionConfig = serde_json::from_value(told.clone()).unwrap();
        assert_eq!(options_in_lines(&told, &lines).unwrap(), own, "{told}");
    }
    let no_lines: [&[u8]; 2] = [b"if a {", b"  b"];
    assert_eq!(options_in_lines(&json!({}), &no_lines).unwrap(), ReductionConfig::default());
}

#[test]
fn custom_trees_and_depths_are_kept() {
    let patch = Patch::parse(b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n").unwrap();
    let own = ReductionConfig { parents: Some(vec![None, Some(0)]), depth: Some(1), ..ReductionConfig::default() };
    let made = own.clone().in_patch(&patch, Granularity::Lines);
    assert_eq!((made.parents, made.depth), (own.parents.clone(), own.depth));
    assert_eq!(own.in_patch(&patch, Granularity::Hunks).depth, Some(2));
}

#[test]
fn explained_points_match_the_vectors() {
    let told = |explanation: &mut Explanation, step: &Value| {
        let cause: Option<MinimizeReport> = serde_json::from_value(step["cause"].clone()).unwrap();
        explanation.told(step["place"].as_u64().unwrap() as usize, cause.as_ref())
    };
    for vector in vectors("explanations") {
        let budget: Budget = serde_json::from_value(vector["budget"].clone()).unwrap();
        let mut explanation =
            Explanation::from_json(&vector["configuration"], &vector["report"].to_string(), budget).unwrap();
        assert_eq!(json!(explanation), vector["explanation"], "{}", vector["name"]);
        for step in vector["told"].as_array().unwrap() {
            told(&mut explanation, step).unwrap();
            let now = json!({"message": explanation.message, "left": explanation.left});
            assert_eq!(now, step["then"], "{}", vector["name"]);
        }
        let nowhere = told(&mut explanation, &json!({"place": 99, "cause": null})).unwrap_err();
        assert!(nowhere.to_string().starts_with("place: 99 is not valid"), "{nowhere}");
    }
}

#[test]
fn a_search_and_its_report_have_the_same_explanation() {
    let graph = CommitGraph::linear(["a", "b", "c", "d", "e", "f", "g", "h"]).unwrap();
    let mut search =
        RegressionSearch::new(graph, RegressionConfig::new(["h"]).good(["a"]).no_test_endpoints()).unwrap();
    let probes = search.ask(1).unwrap();
    search.tell(probes[0].id, Outcome::Fail.into()).unwrap();
    let budget = Budget { runs: Some(3), ..Budget::default() };
    let explanation = Explanation::of(search.inspect(), budget).unwrap();
    assert_eq!(explanation.left.runs, Some(2));
    assert_eq!(explanation.points[0].no_cause.as_deref(), Some("the search for it has not finished"));
    let other = Minimizer::new(3_usize, ReductionConfig::default()).unwrap();
    let refused = Explanation::of(other.inspect(), budget).unwrap_err();
    assert!(refused.to_string().starts_with("search: \"minimize\""), "{refused}");
}
