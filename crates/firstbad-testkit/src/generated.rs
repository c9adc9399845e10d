//! JSON files that tests generate from types and compare with the checkout.

#![allow(clippy::missing_panics_doc, clippy::unwrap_used, reason = "a test fails if a file cannot be read or written")]

use std::path::Path;
use std::{env, fs};

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// Returns the definitions of the types that `add` passes to a generator.
#[must_use]
pub fn definitions(add: impl FnOnce(&mut SchemaGenerator)) -> Map<String, Value> {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    add(&mut generator);
    generator.take_definitions(true)
}

/// Checks that `file` of the crate in `folder` contains these definitions. With `WRITE_GENERATED`, writes them first.
///
/// # Panics
/// If the file is out of date.
pub fn check(folder: &str, file: &str, title: &str, definitions: Map<String, Value>) {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": file,
        "title": title,
        "$defs": definitions,
    });
    let generated = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let path = Path::new(folder).join(file);
    if env::var_os("WRITE_GENERATED").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    assert!(fs::read_to_string(&path).unwrap_or_default() == generated, "{file} is out of date: run `make generate`");
}
