//! Tests of all report formats with hostile subjects.

// The commands need a Unix shell.
#![cfg(unix)]

use crate::support::{Place, lines};

/// A hostile subject of a commit.
const NASTY: &str = "Fix | <img src=x> [a](javascript:b) @everyone #1 ::error::\u{1b}[2J ##[add-path]/tmp %0A*x* `y";

#[test]
fn subjects_are_escaped() {
    let place = Place::new();
    place.commit("text", &lines(&[]), "Begin");
    place.git(&["tag", "good"]);
    let culprit = place.commit("text", &lines(&[(4, "a bug")]), NASTY);
    place.commit("other", "1\n", "Other");
    place.git(&["branch", "release|2"]);
    place.commit("other", "2\n", "More");
    let run = ["run", "-q", "--good", "good", "--bad", "main", "--bad", "release|2", "--journal", "../run.jsonl"];
    place.run(&[&run[..], &["--", "sh", "-c", "! grep -q bug text"]].concat()).exits(0);
    let report = |form: &[&str]| place.run(&[&["report", "../run.jsonl"], form].concat()).exits(0).out;

    // Only changes in numbers have a plot.
    let refused = place.run(&["report", "../run.jsonl", "--plot", "plot.svg"]).exits(2);
    assert!(refused.err.contains("--plot") && !place.repo().join("plot.svg").exists(), "{}", refused.err);

    let text = report(&[]);
    assert!(text.starts_with(&format!("First bad commit: {} Fix | <img", &culprit[..12])), "{text}");
    assert!(text.contains("  on          main (2 steps later), release|2 (1 step later)\n"), "{text}");
    assert!(text.contains(&format!("git show {}", &culprit[..12])), "{text}");
    assert!(!text.contains('\u{1b}') && !text.contains("##["), "{text}");
    assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text}");

    let markdown = report(&["--format=markdown"]);
    let rows: Vec<&str> = markdown.lines().filter(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), 4, "{markdown}");
    assert!(rows.iter().all(|row| row.replace("\\|", "").matches('|').count() == 5), "{markdown}");
    assert!(markdown.contains("``Fix | <img src=x>"), "{markdown}");

    let page = report(&["--format=html"]);
    assert!(page.starts_with("<!doctype html>") && page.contains("<title>Commit graph"), "{page}");
    assert!(page.contains("Fix | &lt;img src=x&gt;") && !page.contains("<img") && !page.contains('\u{1b}'), "{page}");

    let annotations = report(&["--format=github"]);
    assert_eq!(annotations.lines().count(), 1, "{annotations}");
    assert!(annotations.starts_with("::error title=First bad commit%3A "), "{annotations}");
    assert!(annotations.contains("%250A*x*") && !annotations.contains(" %0A*x*"), "{annotations}");

    let json: serde_json::Value = serde_json::from_str(&report(&["--json"])).unwrap();
    let point = &json["points"][0];
    assert_eq!((&json["schema"], &point["culprit"]), (&1.into(), &culprit.clone().into()));
    assert_eq!(json["commits"][&culprit]["author"], "Ann");
    assert!(json["commits"][&culprit]["subject"].as_str().unwrap().starts_with("Fix | <img"));
    // The fingerprint of a finding depends only on its commit.
    let name = firstbad::fingerprint(firstbad::Find::Regression, [&culprit]);
    assert_eq!(point["fingerprint"], name);
}
