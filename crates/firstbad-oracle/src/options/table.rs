//! The table of the options of command oracles, `crates/firstbad-oracle/options.json`.

use std::path::Path;
use std::{env, fs};

use super::CommandOptions;

#[test]
fn the_table_is_up_to_date() {
    let defaults = serde_json::to_value(CommandOptions::default()).unwrap();
    let table = firstbad_testkit::options::<CommandOptions>("command", &defaults);
    let written = serde_json::to_string_pretty(&serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "options.json",
        "title": "The options of command oracles",
        "$defs": { "command": table },
    }));
    let (file, written) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("options.json"), written.unwrap() + "\n");
    if env::var_os("WRITE_GENERATED").is_some() {
        fs::write(&file, &written).unwrap();
    }
    assert!(fs::read_to_string(&file).unwrap_or_default() == written, "the table is out of date: run `make generate`");
}

#[test]
fn what_has_no_meaning_is_refused_by_name() {
    for (options, message) in [
        (r#"{"timeout": -1}"#, "timeout: -1 is not valid; expected seconds, 0 or above"),
        (r#"{"on_signal": "ignore"}"#, "on_signal: \"ignore\" is not valid; expected one of"),
        (r#"{"exit_codes": {"3": "crash"}}"#, "exit_codes[\"3\"]: \"crash\" is not valid; expected one of"),
        (r#"{"carry": true}"#, "carry: true is not valid; expected \"auto\", false, or a list of paths"),
        (r#"{"preset": "pitest"}"#, "preset: \"pitest\" is not valid; expected one of \"auto\", \"none\", \"pytest\""),
        (r#"{"environment": "conda"}"#, "environment: \"conda\" is not valid; expected one of \"venv\""),
        (r#"{"grace": "long"}"#, "grace: \"long\" is not valid; expected a number"),
        (r#"{"speed": 1}"#, "speed: 1 is not valid; expected one of"),
    ] {
        let refused = CommandOptions::read(&serde_json::from_str(options).unwrap()).unwrap_err().to_string();
        assert!(refused.starts_with(message), "{options}: {refused}");
    }
}
