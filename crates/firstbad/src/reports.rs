//! The schema of all reports, `crates/firstbad/reports.json`, from the types of the reports.

use std::borrow::Cow;
use std::path::Path;
use std::{env, fs};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::culprit::{CulpritReport, VerificationReport};
use crate::porting::PorterReport;
use crate::reduction::{IsolateReport, MinimizeReport};
use crate::regression::RegressionReport;
use crate::search::{ChangeSet, Content, Probe};
use crate::slicing::{SlicedHistory, SlicerReport};

impl JsonSchema for ChangeSet {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ChangeSet".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "kind": "ChangeSet" })
    }
}

impl JsonSchema for Content {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Content".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "contentEncoding": "base64" })
    }
}

#[test]
fn the_schema_of_reports_is_up_to_date() {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut generator = settings.into_generator();
    generator.subschema_for::<RegressionReport>();
    generator.subschema_for::<CulpritReport>();
    generator.subschema_for::<VerificationReport>();
    generator.subschema_for::<MinimizeReport>();
    generator.subschema_for::<IsolateReport>();
    generator.subschema_for::<PorterReport>();
    generator.subschema_for::<SlicerReport>();
    generator.subschema_for::<Probe>();
    generator.subschema_for::<SlicedHistory>();
    let schema = serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "reports.json",
        "title": "The reports of every search, by type",
        "$defs": generator.take_definitions(true),
    });
    let written = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports.json");
    if env::var_os("WRITE_GENERATED").is_some() {
        fs::write(&file, &written).unwrap();
    }
    assert!(fs::read_to_string(&file).unwrap_or_default() == written, "the schema is out of date: run `make generate`");
}
