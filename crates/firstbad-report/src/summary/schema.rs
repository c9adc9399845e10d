//! The schema of what the JSON form adds to reports, `crates/firstbad-report/reports.json`.

use std::path::Path;
use std::{env, fs};

use schemars::generate::SchemaSettings;

use super::Summary;

#[test]
fn the_schema_of_summaries_is_up_to_date() {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    generator.subschema_for::<Summary>();
    let schema = serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "reports.json",
        "title": "What the JSON form adds to the reports of every search",
        "$defs": generator.take_definitions(true),
    });
    let written = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports.json");
    if env::var_os("WRITE_GENERATED").is_some() {
        fs::write(&file, &written).unwrap();
    }
    assert!(fs::read_to_string(&file).unwrap_or_default() == written, "the schema is out of date: run `make generate`");
}
