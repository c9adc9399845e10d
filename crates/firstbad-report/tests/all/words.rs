//! The text of reports, which is the same in every language.

use firstbad::{Spelling, option};
use serde_json::{Value, json};

#[test]
fn reports_match_the_vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/words.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = file["reports"].as_array().unwrap();
    assert!(cases.len() >= 15);
    for case in cases {
        let algorithm = case["algorithm"].as_str().unwrap();
        let report = case["report"].to_string();
        for form in ["text", "markdown", "github", "gitlab", "rows"] {
            let words = firstbad_report::in_form(algorithm, &report, "{}", form, Spelling::Python).unwrap();
            assert_eq!(words, case[form].as_str().unwrap(), "{} as {form}", case["name"]);
            // Rows are data without escapes.
            assert!(form == "rows" || !words.contains(['\u{1b}', '\u{202e}']), "{words}");
        }
        let parsed = firstbad::Report::from_json(algorithm, &report).unwrap();
        assert_eq!(
            firstbad_report::card::page(&firstbad_report::card::report(&parsed, None)),
            case["page"].as_str().unwrap()
        );
        // A report from JSON has the same text.
        let json = firstbad_report::in_form(algorithm, &report, "{}", "json", Spelling::Python).unwrap();
        let again = firstbad_report::read(algorithm, &json).unwrap();
        assert_eq!(again, firstbad_report::read(algorithm, &report).unwrap());
        assert_eq!(firstbad_report::in_form(algorithm, &again, "{}", "text", Spelling::Python).unwrap(), case["text"]);
    }
}

#[test]
fn a_flaky_culprit_has_its_probability_and_its_parents() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/words.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for (name, outcome) in [("a regression", "passes"), ("a fix", "fails")] {
        let case = file["reports"].as_array().unwrap().iter().find(|case| case["name"] == name).unwrap();
        let mut report = case["report"].clone();
        let mut words = |clean: bool| {
            report["points"][0]["parents_pass"] = clean.into();
            report["points"][0]["probability"] = 0.995.into();
            firstbad_report::in_form("regression", &report.to_string(), "{}", "text", Spelling::Python).unwrap()
        };
        assert!(words(true).contains("\n  probability 99.5%\n"), "{}", words(true));
        let uncertain = format!("\n  probability 99.5%, but it is not certain that every parent {outcome}\n");
        assert!(words(false).contains(&uncertain), "{}", words(false));
    }
}

#[test]
fn a_text_that_is_not_a_report_is_refused() {
    for text in ["", "{}", "[]", "null", "7", r#"{"schema": 1, "algorithm": "culprit", "report": {}}"#] {
        let error = firstbad_report::read("regression", text).unwrap_err();
        assert_eq!(error.code(), "invalid_argument", "{error}");
    }
    let known = r#"{"causes": [{"patch": "no patch"}]}"#;
    assert_eq!(
        firstbad_report::in_form("regression", "{}", known, "text", Spelling::Python).unwrap_err().code(),
        "invalid_argument"
    );
}

#[test]
fn json_keeps_the_tokens_of_options_and_each_front_end_renders_them() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/words.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut report = file["reports"][0]["report"].clone();
    let warning = concat!("unreliable; try ", option!(flake_rate = "estimate"));
    report["warnings"] = json!([warning]);
    let in_form =
        |form, spelling| firstbad_report::in_form("regression", &report.to_string(), "{}", form, spelling).unwrap();
    for (spelling, words) in [
        (Spelling::Python, "try flake_rate=\"estimate\""),
        (Spelling::Node, "try flakeRate: \"estimate\""),
        (Spelling::CommandLine, "try --flaky estimate"),
    ] {
        assert!(in_form("text", spelling).contains(words), "{}", in_form("text", spelling));
        let written: Value = serde_json::from_str(&in_form("json", spelling)).unwrap();
        assert_eq!(written["warnings"], json!([warning]));
    }
}
