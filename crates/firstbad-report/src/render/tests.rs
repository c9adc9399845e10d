//! Answers as they look, with subjects that mean no good.

use std::collections::BTreeMap;

use firstbad::regression::RegressionConfig;
use firstbad::{
    Changed, ChangedFile, Commit, CommitGraph, Observation, Outcome, RegressionSearch, Report, Search as _,
};

use super::*;

/// What a commit may be called, by somebody who knows where it will be read.
const NASTY: &str =
    "Fix `it` | <img src=x onerror=alert(1)> [a](javascript:b) @everyone #1 ::error::\u{1b}[2J ##[add-path]/tmp %0A*x*";

/// Six commits on a line, searched from three of them; the fourth breaks it, and the third cannot be tested if `hole`.
fn answered(hole: bool) -> Summary {
    let shas: Vec<String> = (0..6).map(|number| format!("{number}").repeat(40)).collect();
    let graph = CommitGraph::linear(shas.clone()).unwrap();
    let bad = [&shas[5], &shas[4], &shas[1]].map(String::as_str);
    let mut search = RegressionSearch::new(graph, RegressionConfig::new(bad).good([&*shas[0]])).unwrap();
    while let Some(probe) = search.ask(1).unwrap().pop() {
        let place = shas.iter().position(|sha| sha == probe.revision()).unwrap();
        let mut seen = Observation::new(match place {
            2 if hole => Outcome::Unresolved,
            0..3 => Outcome::Pass,
            _ => Outcome::Fail,
        });
        seen.seconds = Some(12.5);
        seen.note = (place == 2).then(|| format!("exit code 125; output in {NASTY}"));
        search.tell(probe.id, seen).unwrap();
    }
    let mut report = search.report();
    let commit = |number: usize| Commit {
        subject: if number == 3 { NASTY.to_owned() } else { format!("Commit {number}") },
        author: "A | B `<b>` @all".to_owned(),
        email: format!("a@b{NASTY}"),
        author_date: "2026-01-31T00:00:00+01:00".to_owned(),
        commit_date: "2026-01-31T01:00:00Z".to_owned(),
        changed: Some(Changed {
            files: 7,
            added: 12,
            deleted: 3,
            largest: vec![ChangedFile { path: NASTY.to_owned(), added: 5, deleted: 2 }],
        }),
        url: Some("https://github.com/o/r/commit/3".to_owned()),
        ..Commit::default()
    };
    report.commits = shas.iter().cloned().zip((0..6).map(commit)).collect();
    let names = [(5, "main"), (4, "side|x"), (1, "old")];
    report.names = BTreeMap::from(names.map(|(number, name)| (shas[number].clone(), vec![name.to_owned()])));
    let known = Known {
        journal: Some("a run.jsonl".to_owned()),
        repository: Some("/a/repository".to_owned()),
        at_command_line: true,
        ..Known::default()
    };
    Summary::of(Report::Regression(report), known).unwrap()
}

#[test]
fn a_subject_stays_a_subject_everywhere() {
    for hole in [false, true] {
        let summary = answered(hole);
        let text = text::render(&summary);
        println!("{text}\n{}\n{}", markdown::render(&summary), annotations::render(&summary));
        assert!(!text.contains('\u{1b}') && !text.contains("##["), "{text}");
        assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text}");
        let annotations = annotations::render(&summary);
        assert!(
            annotations.lines().all(|line| line.starts_with("::error title=") || line.starts_with("::warning title=")),
            "{annotations}"
        );
        assert!(!annotations.contains("%0A*x*") && annotations.contains("%250A*x*"), "{annotations}");
        assert!(annotations.lines().all(|line| line.matches("::").count() >= 2));
        let markdown = markdown::render(&summary);
        // Everything outside of code spans is ours.
        let outside = outside_code(&markdown);
        for evil in ["<img", "](", "@", "#1", "*x*", "::"] {
            assert!(!outside.contains(evil), "{evil:?} in {outside}");
        }
        // The cells of the table are as many as its head says.
        let rows: Vec<&str> = markdown.lines().take_while(|line| line.starts_with('|')).collect();
        assert_eq!(rows.len(), 5, "{markdown}");
        for row in rows {
            assert_eq!(row.replace("\\|", "").matches('|').count(), 5, "{row}");
        }
    }
}

#[test]
fn gitlab_gets_an_entry_for_each_finding() {
    let entries: serde_json::Value = serde_json::from_str(&answered(false).in_form(Form::Gitlab).unwrap()).unwrap();
    let entry = &entries[0];
    assert_eq!(entry["location"], serde_json::json!({"path": ".", "lines": {"begin": 1}}));
    assert_eq!((&entry["severity"], entry["fingerprint"].as_str().unwrap().len()), (&"critical".into(), 64));
    let description = entry["description"].as_str().unwrap();
    assert!(
        description.starts_with("Broken by 333333333333 (Fix `it`") && !description.contains('\u{1b}'),
        "{description}"
    );
}

#[test]
fn advice_for_the_command_line_stays_there() {
    let mut summary = answered(true);
    assert!(summary.in_form(Form::Text).unwrap().contains("--fixup"));
    summary.at_command_line = false;
    assert!(!summary.in_form(Form::Text).unwrap().contains("--"));
}

#[test]
fn what_was_written_as_json_has_the_report() {
    let summary = answered(true);
    let written: serde_json::Value = serde_json::from_str(&summary.in_form(Form::Json).unwrap()).unwrap();
    assert_eq!(Report::from_json("regression", &written["report"].to_string()).unwrap(), summary.report);
}

#[test]
fn forms_have_names() {
    for name in ["text", "markdown", "json", "github", "gitlab", "rows"] {
        assert!(name.parse::<Form>().is_ok(), "{name}");
    }
    assert_eq!(
        "html".parse::<Form>().unwrap_err().to_string(),
        "form: \"html\" is not valid; expected \"github\" or \"gitlab\""
    );
}

/// Markdown without its code spans, by the rules of CommonMark: a run of backticks ends with one as long.
fn outside_code(markdown: &str) -> String {
    let mut outside = String::new();
    for line in markdown.lines() {
        let mut rest = line;
        while let Some(start) = rest.find('`') {
            let run = rest[start..].chars().take_while(|&c| c == '`').count();
            outside.push_str(&rest[..start]);
            let inside = &rest[start + run..];
            let ends = inside.match_indices('`').map(|(at, _)| at).filter(|&at| !inside[..at].ends_with('`'));
            let end = ends.into_iter().find(|&at| inside[at..].chars().take_while(|&c| c == '`').count() == run);
            match end {
                Some(end) => rest = &inside[end + run..],
                None => panic!("an open code span: {line}"),
            }
        }
        outside.push_str(rest);
        outside.push('\n');
    }
    outside
}
