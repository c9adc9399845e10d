//! The table of the options of command oracles, `crates/firstbad-oracle/options.json`.

use firstbad_testkit::generated;
use serde_json::Map;

use super::CommandOptions;
use super::measure::MeasureOptions;
use super::suite::SuiteOptions;

#[test]
fn the_options_table_is_up_to_date() {
    let defaults = serde_json::to_value(CommandOptions::default()).unwrap();
    let command = firstbad_testkit::options::<CommandOptions>("command", &defaults);
    let defaults = serde_json::to_value(SuiteOptions::default()).unwrap();
    let suite = firstbad_testkit::options::<SuiteOptions>("suite", &defaults);
    let defaults = serde_json::to_value(MeasureOptions::default()).unwrap();
    let measure = firstbad_testkit::options::<MeasureOptions>("measure", &defaults);
    let tables = [("command", command), ("measure", measure), ("suite", suite)];
    let definitions = Map::from_iter(tables.map(|(name, table)| (name.to_owned(), table)));
    generated::check(env!("CARGO_MANIFEST_DIR"), "options.json", "The options of command oracles", definitions);
}

#[test]
fn invalid_options_are_rejected_by_name() {
    for (options, message) in [
        (r#"{"timeout": -1}"#, "timeout: -1 is not valid; expected seconds, 0 or above"),
        (r#"{"on_signal": "ignore"}"#, "on_signal: \"ignore\" is not valid; expected one of"),
        (r#"{"exit_codes": {"3": "crash"}}"#, "exit_codes[\"3\"]: \"crash\" is not valid; expected one of"),
        (r#"{"copy_files": true}"#, "copy_files: true is not valid; expected \"auto\", false, or a list of paths"),
        (r#"{"preset": "pitest"}"#, "preset: \"pitest\" is not valid; expected one of \"auto\", \"none\", \"pytest\""),
        (r#"{"environment": "conda"}"#, "environment: \"conda\" is not valid; expected one of \"venv\""),
        (r#"{"kill_after": "long"}"#, "kill_after: \"long\" is not valid; expected a number"),
        (r#"{"speed": 1}"#, "speed: 1 is not valid; expected one of"),
    ] {
        let refused = CommandOptions::read(&serde_json::from_str(options).unwrap()).unwrap_err().to_string();
        assert!(refused.starts_with(message), "{options}: {refused}");
    }
}
