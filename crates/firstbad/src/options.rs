//! The table of all options, `crates/firstbad/options.json`, made from the configurations.
//!
//! Each language's package has a test that its options have the names, the defaults and the words of this table.
//! `make generate` writes it anew.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::{env, fs};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor, value};
use serde_json::{Map, Value, json};

use crate::belief::{NoCulprit, Prior, Rate};
use crate::culprit::{CulpritConfig, VerificationConfig};
use crate::graph::CommitGraph;
use crate::porting::PorterConfig;
use crate::reduction::ReductionConfig;
use crate::regression::{DistinguishFailures, LookBack, RegressionConfig};
use crate::search::{Outcome, World};
use crate::slicing::SlicerConfig;

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
        json_schema!({ "type": "string" })
    }
}

/// The options of all algorithms.
fn table() -> Value {
    let algorithms = [
        options::<RegressionConfig>("regression"),
        options::<CulpritConfig>("culprit"),
        options::<VerificationConfig>("verification"),
        options::<ReductionConfig>("minimize"),
        options::<ReductionConfig>("isolate"),
        options::<PorterConfig>("port"),
        options::<SlicerConfig>("slice"),
    ];
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "options.json",
        "title": "The options of every search, by its algorithm",
        "$defs": algorithms.into_iter().collect::<Map<_, _>>(),
    })
}

/// The options of one algorithm.
fn options<Config: JsonSchema + DeserializeOwned>(algorithm: &str) -> (String, Value) {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<Config>().to_value();
    let defaults = crate::defaults(algorithm).unwrap();
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, property) in schema["properties"].as_object().unwrap() {
        let mut property = property.as_object().unwrap().clone();
        if property.remove("only").is_some_and(|only| only != algorithm) {
            continue;
        }
        // An object's own list of members is something else.
        if property.get("required") == Some(&Value::Bool(true)) {
            property.remove("required");
            property.remove("default");
            required.push(name.clone());
        } else {
            property.insert("default".into(), defaults.get(name).cloned().unwrap_or_default());
        }
        name_values(&mut property);
        properties.insert(name.clone(), on_one_line(Value::Object(property)));
    }
    let order: Vec<&str> =
        declared_order::<Config>().iter().copied().filter(|name| properties.contains_key(*name)).collect();
    let schema = json!({
        "type": "object",
        "order": order,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    (algorithm.to_owned(), schema)
}

/// Returns the fields of a struct in the order of their declaration, which a JSON object does not keep.
fn declared_order<Config: DeserializeOwned>() -> &'static [&'static str] {
    struct Fields<'a>(&'a mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for Fields<'_> {
        type Error = value::Error;

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, value::Error> {
            Err(value::Error::custom("only the fields are of interest"))
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value, value::Error> {
            *self.0 = fields;
            self.deserialize_any(visitor)
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct
            seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    let mut fields: &[&str] = &[];
    assert!(Config::deserialize(Fields(&mut fields)).is_err());
    fields
}

/// Named values as an `enum`, and what each means in the option's description.
fn name_values(property: &mut Map<String, Value>) {
    let Some(Value::Array(values)) = property.remove("oneOf") else { return };
    let mut description = property["description"].as_str().unwrap().to_owned();
    for value in &values {
        let meaning = value["description"].as_str().unwrap();
        assert!(!meaning.contains(": "), "two colons in one sentence: {}: {meaning}", value["const"]);
        let (first, rest) = meaning.split_at(1);
        let is_name = rest.starts_with(|next: char| next.is_uppercase());
        let first = if is_name { first.to_owned() } else { first.to_lowercase() };
        description += &format!(" `{}`: {first}{rest}", value["const"]);
    }
    property.insert("description".into(), description.into());
    property.insert("type".into(), "string".into());
    property.insert("enum".into(), values.iter().map(|value| value["const"].clone()).collect());
}

/// Descriptions without the ends of Rust's lines, and numbers without the names of Rust's types.
fn on_one_line(value: Value) -> Value {
    match value {
        Value::Object(entries) => entries
            .into_iter()
            .filter(|(name, value)| !(name == "format" && value.is_string()))
            .map(|(name, value)| (name, on_one_line(value)))
            .collect(),
        Value::Array(values) => values.into_iter().map(on_one_line).collect(),
        Value::String(text) => text.replace('\n', " ").into(),
        other => other,
    }
}

/// The options of all algorithms with their algorithm, name and description.
fn all(table: &Value) -> Vec<(&str, &str, &Value)> {
    let algorithms = table["$defs"].as_object().unwrap();
    let options = algorithms.iter().flat_map(|(algorithm, schema)| {
        let properties = schema["properties"].as_object().unwrap();
        properties.iter().map(|(name, property)| (algorithm.as_str(), name.as_str(), property))
    });
    options.collect()
}

#[test]
fn the_table_is_what_the_configurations_say() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("options.json");
    let made = serde_json::to_string_pretty(&table()).unwrap() + "\n";
    if env::var_os("WRITE_GENERATED").is_some() {
        fs::write(&file, &made).unwrap();
    }
    assert!(fs::read_to_string(&file).unwrap_or_default() == made, "another table is due: run `make generate`");
}

#[test]
fn every_option_is_explained_in_words_of_all_languages() {
    let table = table();
    for (algorithm, name, option) in all(&table) {
        let description = option["description"].as_str().unwrap();
        let about = format!("{algorithm}.{name}: {description}");
        assert!(description.ends_with('.'), "{about}");
        for word in ["[`", "::", "Option", "Some(", "`None`", "`null`", "Vec", "struct"] {
            assert!(!description.contains(word), "{word} in {about}");
        }
        let needed = table["$defs"][algorithm]["required"].as_array().unwrap().contains(&json!(name));
        assert!(needed || description.to_lowercase().contains("default"), "no default in {about}");
    }
}

#[test]
fn what_is_needed_is_what_a_search_cannot_do_without() {
    for (algorithm, schema) in table()["$defs"].as_object().unwrap() {
        for needed in schema["required"].as_array().unwrap() {
            let (world, given) = least(algorithm);
            assert!(given.get(needed.as_str().unwrap()).is_some(), "{algorithm} opens without {needed}");
            assert!(crate::open(algorithm, world, &given).is_ok(), "{algorithm}");
        }
    }
}

/// The core holds every number to the range in the table: what is just outside is refused, by name.
#[test]
fn ranges_are_those_that_are_checked() {
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

/// The fewest options that a search opens with, and what it searches in.
fn least(algorithm: &str) -> (World, Value) {
    match algorithm {
        "minimize" | "isolate" | "slice" => (World::from(3), json!({})),
        "port" => (history(), json!({ "start": "c" })),
        "verification" => (history(), json!({ "bad": ["c"], "culprit": "c" })),
        _ => (history(), json!({ "bad": ["c"] })),
    }
}

/// What is said of an option with such a value.
fn refusal(algorithm: &str, name: &str, value: f64, is_whole: bool) -> String {
    let value = if is_whole { json!(value as i64) } else { json!(value) };
    let (world, mut given) = least(algorithm);
    match (algorithm, name) {
        ("regression", _) => given["search"] = json!("bayes"),
        (_, "reruns") => given["choose"] = json!("bisect"),
        _ => {}
    }
    given[name] = value;
    crate::open(algorithm, world, &given).err().map(|error| error.to_string()).unwrap_or_default()
}
