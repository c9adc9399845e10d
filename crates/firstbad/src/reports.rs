//! The schema of all reports, `crates/firstbad/reports.json`, generated from the report types.

use std::borrow::Cow;

use firstbad_testkit::generated;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::culprit::{CulpritReport, VerificationReport};
use crate::metric::ChangeReport;
use crate::porting::PorterReport;
use crate::reduction::{IsolateReport, MinimizeReport};
use crate::regression::RegressionReport;
use crate::search::explanation::Explanation;
use crate::search::{ChangeSet, Content, Probe};
use crate::slicing::{SlicedHistory, SlicerReport};
use crate::suite::TriageReport;
use crate::suspicion::{CommitSuspect, Suspect};

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
    let definitions = generated::definitions(|generator| {
        generator.subschema_for::<RegressionReport>();
        generator.subschema_for::<CulpritReport>();
        generator.subschema_for::<VerificationReport>();
        generator.subschema_for::<MinimizeReport>();
        generator.subschema_for::<IsolateReport>();
        generator.subschema_for::<PorterReport>();
        generator.subschema_for::<SlicerReport>();
        generator.subschema_for::<TriageReport>();
        generator.subschema_for::<ChangeReport>();
        generator.subschema_for::<Probe>();
        generator.subschema_for::<SlicedHistory>();
        generator.subschema_for::<Explanation>();
        generator.subschema_for::<CommitSuspect>();
        generator.subschema_for::<Suspect>();
    });
    generated::check(env!("CARGO_MANIFEST_DIR"), "reports.json", "The reports of every search, by type", definitions);
}
