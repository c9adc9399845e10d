//! The schema of all options, `crates/firstbad/options.json`. `make generate` writes the schema from the configuration types.
//!
//! Tests in the package of each language compare its options with this schema.

use std::borrow::Cow;
use std::sync::Arc;

use firstbad_testkit::generated;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::belief::{NoCulprit, Prior, Rate};
use crate::culprit::{CulpritConfig, VerificationConfig};
use crate::graph::CommitGraph;
use crate::metric::{AtLeast, ChangeConfig, Exact};
use crate::porting::PorterConfig;
use crate::reduction::ReductionConfig;
use crate::regression::{DistinguishFailures, LookBack, RegressionConfig};
use crate::search::{Outcome, World};
use crate::slicing::SlicerConfig;
use crate::suite::{KeepBuilds, TriageConfig};

impl JsonSchema for Rate {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Rate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "kind": "Rate", "anyOf": [
            { "type": "number", "minimum": 0, "exclusiveMaximum": 1 },
            {
                "type": "object",
                "properties": {
                    "passes": { "type": "integer", "minimum": 0 },
                    "fails": { "type": "integer", "minimum": 0 },
                },
                "required": ["passes", "fails"],
                "additionalProperties": false,
            },
            { "const": "estimate" },
        ] })
    }
}

impl JsonSchema for NoCulprit {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "NoCulprit".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "number", "minimum": 0, "exclusiveMaximum": 1 }, { "const": "uniform" }] })
    }
}

impl JsonSchema for DistinguishFailures {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "DistinguishFailures".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "boolean" }, { "const": "auto" }] })
    }
}

impl JsonSchema for Prior {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Prior".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "kind": "Prior", "anyOf": [
            { "type": "object", "additionalProperties": { "type": "number", "minimum": 0 } },
            { "const": "changes" },
            { "const": "uniform" },
        ] })
    }
}

impl JsonSchema for KeepBuilds {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "KeepBuilds".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "integer", "minimum": 0 }, { "const": "all" }] })
    }
}

impl JsonSchema for AtLeast {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "AtLeast".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "number", "exclusiveMinimum": 0, "maximum": 10 }, { "type": "string" }] })
    }
}

impl JsonSchema for Exact {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Exact".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "boolean" }, { "const": "auto" }] })
    }
}

impl JsonSchema for LookBack {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "LookBack".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "boolean" }, { "type": "array", "items": { "type": "string" } }] })
    }
}

impl JsonSchema for Outcome {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Outcome".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": ["pass", "fail", "unresolved"] })
    }
}

fn table() -> Map<String, Value> {
    Map::from_iter([
        options::<RegressionConfig>("regression"),
        options::<CulpritConfig>("culprit"),
        options::<VerificationConfig>("verification"),
        options::<ReductionConfig>("minimize"),
        options::<ReductionConfig>("isolate"),
        options::<PorterConfig>("port"),
        options::<SlicerConfig>("slice"),
        options::<TriageConfig>("triage"),
        options::<ChangeConfig>("change"),
    ])
}

fn options<Config: JsonSchema + DeserializeOwned>(algorithm: &str) -> (String, Value) {
    let defaults = crate::defaults(algorithm).unwrap();
    (algorithm.to_owned(), firstbad_testkit::options::<Config>(algorithm, &defaults))
}

/// Returns the algorithm, name, and schema of every option.
fn all(table: &Map<String, Value>) -> Vec<(&str, &str, &Value)> {
    let options = table.iter().flat_map(|(algorithm, schema)| {
        let properties = schema["properties"].as_object().unwrap();
        properties.iter().map(|(name, property)| (algorithm.as_str(), name.as_str(), property))
    });
    options.collect()
}

#[test]
fn the_schema_of_options_is_up_to_date() {
    let title = "The options of every search, by its algorithm";
    generated::check(env!("CARGO_MANIFEST_DIR"), "options.json", title, table());
}

#[test]
fn descriptions_of_options_fit_every_language() {
    let table = table();
    for (algorithm, name, option) in all(&table) {
        let description = option["description"].as_str().unwrap();
        let about = format!("{algorithm}.{name}: {description}");
        assert!(description.ends_with('.'), "{about}");
        for word in ["[`", "::", "Option", "Some(", "`None`", "`null`", "Vec", "struct"] {
            assert!(!description.contains(word), "{word} in {about}");
        }
        let needed = table[algorithm]["required"].as_array().unwrap().contains(&json!(name));
        assert!(needed || description.to_lowercase().contains("default"), "no default in {about}");
    }
}

#[test]
fn required_options_are_exactly_those_a_search_needs() {
    for (algorithm, schema) in &table() {
        for needed in schema["required"].as_array().unwrap() {
            let (world, given) = least(algorithm);
            assert!(given.get(needed.as_str().unwrap()).is_some(), "{algorithm} opens without {needed}");
            assert!(crate::open(algorithm, world, &given).is_ok(), "{algorithm}");
        }
    }
}

/// Values just outside the range in the schema are rejected with the name of the option.
#[test]
fn ranges_in_the_schema_are_enforced() {
    let table = table();
    let mut checked = 0;
    for (algorithm, name, option) in all(&table) {
        let is_whole = option["type"] == "integer" || option["type"][0] == "integer";
        let step = if is_whole { 1.0 } else { 1e-9 };
        for (bound, way) in [("minimum", -step), ("exclusiveMinimum", 0.0), ("exclusiveMaximum", 0.0)] {
            let Some(bound) = option[bound].as_f64() else { continue };
            let refused = refusal(algorithm, name, bound + way, is_whole);
            assert!(refused.starts_with(&format!("{name}: ")), "{algorithm}.{name}, {}: {refused}", bound + way);
            checked += 1;
        }
    }
    assert!(checked > 15, "{checked}");
}

fn history() -> World {
    World::from(Arc::new(CommitGraph::linear(["a", "b", "c"]).unwrap()))
}

/// Returns a world and the required options of an algorithm.
fn least(algorithm: &str) -> (World, Value) {
    match algorithm {
        "minimize" | "isolate" | "slice" => (World::from(3), json!({})),
        "port" => (history(), json!({ "start": "c" })),
        "verification" => (history(), json!({ "bad": ["c"], "culprit": "c" })),
        _ => (history(), json!({ "bad": ["c"] })),
    }
}

/// Returns the error message for an option with an invalid value.
fn refusal(algorithm: &str, name: &str, value: f64, is_whole: bool) -> String {
    let value = if is_whole { json!(value as i64) } else { json!(value) };
    let (world, mut given) = least(algorithm);
    match (algorithm, name) {
        ("regression", _) => given["search"] = json!("bayes"),
        (_, "reruns") => given["strategy"] = json!("bisect"),
        _ => {}
    }
    given[name] = value;
    crate::open(algorithm, world, &given).err().map(|error| error.to_string()).unwrap_or_default()
}
