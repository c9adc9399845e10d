//! Schemas of options, from the structs that declare them.

#![allow(clippy::unwrap_used, clippy::missing_panics_doc, reason = "a struct without options is a mistake in a test")]

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor, value};
use serde_json::{Map, Value, json};

/// Returns the schema of the options that a struct declares, with their order and their defaults.
///
/// An option with the extension `only` belongs to the algorithm of that name alone.
///
/// # Panics
/// If the struct is not a declaration of options.
#[must_use]
pub fn options<Config: JsonSchema + DeserializeOwned>(algorithm: &str, defaults: &Value) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<Config>().to_value();
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, property) in schema["properties"].as_object().unwrap() {
        let mut property = property.as_object().unwrap().clone();
        if property.remove("only").is_some_and(|only| only != algorithm) {
            continue;
        }
        // This is not the list of required members in the schema of an object.
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
    json!({
        "type": "object",
        "order": order,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
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

/// Converts named values to an `enum`, and adds their meanings to the description of the option.
fn name_values(property: &mut Map<String, Value>) {
    let Some(Value::Array(values)) = property.remove("oneOf") else { return };
    let mut description = property["description"].as_str().unwrap().to_owned();
    let is_option = |value: &&Value| value.get("only").is_none();
    for value in values.iter().filter(is_option) {
        let meaning = value["description"].as_str().unwrap();
        assert!(!meaning.contains(": "), "two colons in one sentence: {}: {meaning}", value["const"]);
        let (first, rest) = meaning.split_at(1);
        let is_name = rest.starts_with(|next: char| next.is_uppercase());
        let first = if is_name { first.to_owned() } else { first.to_lowercase() };
        description += &format!(" `{}`: {first}{rest}", value["const"]);
    }
    property.insert("description".into(), description.into());
    property.insert("type".into(), "string".into());
    property.insert("enum".into(), values.iter().filter(is_option).map(|value| value["const"].clone()).collect());
}

/// Removes line breaks from descriptions and Rust types from numbers.
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
