//! The schema of the fields that the JSON form adds to reports (`crates/firstbad-report/reports.json`).

use firstbad_testkit::generated;

use super::Summary;
use crate::rows::Row;

#[test]
fn the_schema_of_summaries_is_up_to_date() {
    let definitions = generated::definitions(|generator| {
        generator.subschema_for::<Summary>();
        generator.subschema_for::<Row>();
    });
    let title = "Fields that the JSON form adds to the reports of every search";
    generated::check(env!("CARGO_MANIFEST_DIR"), "reports.json", title, definitions);
}
