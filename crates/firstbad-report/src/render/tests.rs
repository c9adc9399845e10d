//! Results in all formats, with hostile subjects.

use std::collections::BTreeMap;

use firstbad::reduction::Guarantee;
use firstbad::regression::{RegressionConfig, SearchKind};
use firstbad::{
    Commit, CommitGraph, CommitStats, FileStats, Find, MinimizeReport, Minimizer, Observation, Outcome, Patch,
    ReductionConfig, RegressionReport, RegressionSearch, Report, Search as _, Stage, Status,
};

use firstbad_testkit::markdown::outside_code;

use super::*;
use crate::summary::{Cause, Flakiness, Place};

/// A hostile subject for every format.
const NASTY: &str =
    "Fix `it` | <img src=x onerror=alert(1)> [a](javascript:b) @everyone #1 ::error::\u{1b}[2J ##[add-path]/tmp %0A*x*";

/// Six linear commits with three bad revisions. The fourth is the culprit, and `hole` makes the third unresolved.
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
        changed: Some(CommitStats {
            files: 7,
            added: 12,
            deleted: 3,
            largest: vec![FileStats { path: NASTY.to_owned(), added: 5, deleted: 2 }],
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
fn a_part_is_never_100_percent() {
    let shares = [(0, 5), (1, 3), (7_999, 8_000), (8_000, 8_000)].map(|(part, whole)| super::share(part, whole));
    assert_eq!(shares, ["0%", "33%", "99%", "100%"]);
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
        // Text outside of code spans is from firstbad.
        let outside = outside_code(&markdown).unwrap();
        for evil in ["<img", "](", "@", "#1", "*x*", "::"] {
            assert!(!outside.contains(evil), "{evil:?} in {outside}");
        }
        // Each row has as many cells as the header.
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
        description.starts_with("First bad commit: 333333333333 Fix `it`") && !description.contains('\u{1b}'),
        "{description}"
    );
}

#[test]
fn advice_for_the_command_line_stays_there() {
    let mut summary = answered(true);
    summary.resumes = Some("");
    assert!(summary.in_form(Form::Text).unwrap().contains("--apply"));
    summary.at_command_line = false;
    assert!(!summary.in_form(Form::Text).unwrap().contains("--"));
}

#[test]
fn reports_are_read_from_their_json() {
    let summary = answered(true);
    let written = read("regression", &summary.in_form(Form::Json).unwrap()).unwrap();
    assert_eq!(Report::from_json("regression", &written).unwrap(), summary.report);
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

/// The report of a search of three versions in which every run has the same outcome.
fn alike(config: RegressionConfig, seen: &Observation) -> Summary {
    let graph = CommitGraph::linear(["1.0", "1.1", "1.2"]).unwrap();
    let mut search = RegressionSearch::new(graph, config).unwrap();
    while let Some(probe) = search.ask(1).unwrap().pop() {
        search.tell(probe.id, seen.clone()).unwrap();
    }
    let flakiness = Flakiness::of(&search.inspect().configuration().unwrap());
    let known = Known { at_command_line: true, flakiness, ..Known::default() };
    Summary::of(Report::Regression(search.report()), known).unwrap()
}

/// Returns the line with a label, without the label.
fn labelled<'t>(text: &'t str, label: &str) -> &'t str {
    let value = text.lines().find_map(|line| line.trim_start().strip_prefix(label)).unwrap_or_default();
    value.strip_prefix(':').unwrap_or(value).trim_start()
}

#[test]
fn a_search_for_a_fix_swaps_the_endpoints() {
    let fix = || RegressionConfig { find: Find::Fix, ..RegressionConfig::new(["1.0"]).good(["1.2"]) };
    let text = text::render(&alike(fix(), &Outcome::Pass.into()));
    assert!(text.starts_with("1.0 was given as bad, but it passes. Every run passed"), "{text}");
    assert_eq!(labelled(&text, "Next"), "give an older revision that fails with --bad");
    let text = text::render(&alike(fix(), &Outcome::Fail.into()));
    assert!(text.starts_with("Not reproduced at 1.2\n"), "{text}");
    assert_eq!(labelled(&text, "other"), "1.2: does not pass");
    assert!(labelled(&text, "Next").starts_with("give a commit before --good that fails with --bad"), "{text}");
}

#[test]
fn a_bad_revision_that_does_not_fail_has_its_outcome() {
    let config = || RegressionConfig::new(["1.2"]).good(["1.0"]);
    let passing = alike(config(), &Outcome::Pass.into());
    assert!(text::render(&passing).starts_with("error: the test passes at 1.2\nhelp: commit your changes"));
    assert_eq!(markdown::render(&passing).lines().next(), Some("### The test passes at `1.2`"));
    assert!(!markdown::render(&passing).contains("\n\n\n"));
    let other = Observation { signature: Some("theirs".to_owned()), ..Outcome::Fail.into() };
    let failing = alike(RegressionConfig { signature: Some("ours".to_owned()), ..config() }, &other);
    assert_eq!(failing.status(), Status::NotReproduced);
    assert_eq!(labelled(&text::render(&failing), "other"), "1.2: fails in another way");
}

#[test]
fn a_flaky_test_has_no_advice_to_use_flaky() {
    let config = RegressionConfig { search: SearchKind::Bayes, ..RegressionConfig::new(["1.2"]).good(["1.0"]) };
    let seen = Observation { passes: Some(20), fails: Some(7), ..Outcome::Pass.into() };
    let mut summary = alike(config, &seen);
    let text = text::render(&summary);
    assert!(text.starts_with("No culprit: the failure at 1.2 was probably a flake\n"), "{text}");
    let runs = summary.seen_of("1.2").unwrap().outcomes;
    let words = format!("failed in {} of {} runs at 1.2", runs.fail, runs.pass + runs.fail);
    assert_eq!(labelled(&text, "evidence"), words);
    assert!(labelled(&text, "Next").contains("--false-pass-rate") && !text.contains("--flaky"), "{text}");
    summary.flakiness.false_passes = true;
    assert_eq!(labelled(&text::render(&summary), "Next"), "commit your changes, because firstbad tests commits");
    for (rate_given, advised) in [(true, true), (false, false)] {
        regression(&mut summary).status = Status::Contradictory;
        summary.flakiness.rate_given = rate_given;
        assert_eq!(text::render(&summary).contains("--flaky without a rate"), advised);
    }
}

#[test]
fn a_probable_culprit_is_not_certain() {
    let mut summary = answered(true);
    regression(&mut summary).points[0].probability = Some(0.005);
    let headline = "Most likely culprit: one of 2 commits up to 333333333333";
    assert!(text::render(&summary).starts_with(headline));
    assert!(markdown::render(&summary).contains("### Most likely culprit: one of 2 commits"));
    assert!(markdown::render(&summary).contains("most likely one of 2, up to"));
    assert!(annotations::render(&summary).starts_with("::error title=Most likely culprit%3A one of 2 commits"));
    summary.cause_mut(0).cause = Some(cause(Status::Found));
    assert!(annotations::render(&summary).contains(",title=Most likely culprit%3A 333333333333::"));
}

/// A cause of one change of two, from a search with this status.
fn cause(status: Status) -> Cause {
    Cause {
        report: MinimizeReport {
            status,
            message: "the whole change, applied to its parent, passes".to_owned(),
            kept: vec![0],
            guarantee: Guarantee::BestSoFar,
            warnings: Vec::new(),
            asked: 20,
            runs: 20,
            observations: Vec::new(),
        },
        changes: 2,
        seconds: 0.0,
        failure: None,
        patch: "--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n a\n+b\n".to_owned(),
        places: vec![Place { file: "f".to_owned(), line: Some(2), end_line: Some(2), text: "+b\n".to_owned() }],
        journal: None,
    }
}

/// Returns the report of a summary for changes.
fn regression(summary: &mut Summary) -> &mut RegressionReport {
    let Report::Regression(report) = &mut summary.report else { panic!("it is about regressions") };
    report
}

#[test]
fn a_cause_has_its_lines_and_the_command_that_resumes_it() {
    let mut summary = answered(false);
    summary.resumes = Some("");
    let explain = |summary: &Summary| {
        text::render(summary).lines().find(|line| line.contains("firstbad explain")).map(str::to_owned)
    };
    let words = explain(&summary).unwrap();
    assert!(words.ends_with("  # find the lines that matter") && !words.contains("COMMAND"), "{words}");
    // A journal without a test command cannot resume.
    summary.resumes = None;
    assert!(explain(&summary).unwrap().contains("firstbad explain 'a run.jsonl' -- COMMAND "));
    summary.cause_mut(0).cause = Some(cause(Status::Budget));
    assert!(explain(&summary).unwrap().ends_with("  # resume the search for the lines that matter"));
    let text = text::render(&summary);
    assert_eq!(labelled(&text, "cause"), "1 of 2 changes (50.0%) causes the failure (best so far, 20 runs), at f:2");
    assert!(text.contains("    | +b\n"), "{text}");
    summary.cause_mut(0).cause = Some(cause(Status::NotReproduced));
    let text = text::render(&summary);
    assert_eq!(labelled(&text, "cause"), "not found: the whole change, applied to its parent, passes");
    assert!(explain(&summary).unwrap().contains("# try again, if the machine") && !text.contains("    | "));
    // A patch that does not apply or parse never will.
    summary.cause_mut(0).cause.as_mut().unwrap().report.runs = 0;
    assert!(explain(&summary).is_none());
}

#[test]
fn a_whole_change_that_does_not_fail_has_its_outcome() {
    let patch = Patch::parse(b"--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n a\n+b\n").unwrap();
    let said = |seen: Outcome, find: Find| {
        let config =
            ReductionConfig { keep: Outcome::Fail, signature: Some("ours".to_owned()), ..ReductionConfig::default() };
        let mut search = Minimizer::new(patch.len(), config).unwrap();
        let probe = search.ask(1).unwrap().pop().unwrap();
        search.tell(probe.id, Observation { signature: Some("theirs".to_owned()), ..seen.into() }).unwrap();
        Cause::of(&search.report(), &patch, find, None).unwrap().report.message
    };
    let applied = "the whole change, applied to its parent,";
    let flaky = "passes, so the test is flaky or depends on more than the files";
    assert_eq!(said(Outcome::Pass, Find::Regression), format!("{applied} {flaky}"));
    assert_eq!(said(Outcome::Pass, Find::Fix), format!("the whole change, reverted, {flaky}"));
    assert_eq!(said(Outcome::Fail, Find::Regression), format!("{applied} fails in another way"));
    assert_eq!(said(Outcome::Unresolved, Find::Regression), format!("{applied} is unresolved"));
}

#[test]
fn advice_about_an_unresolved_endpoint_is_about_its_obstacle() {
    let advice = |stage: Stage, signature: &str| {
        let seen =
            Observation { stage: Some(stage), signature: Some(signature.to_owned()), ..Outcome::Unresolved.into() };
        let text = text::render(&alike(RegressionConfig::new(["1.2"]).good(["1.0"]), &seen));
        labelled(&text, "Next").to_owned()
    };
    assert!(advice(Stage::Test, "timeout").contains("--treat timeout=fail"));
    for crash in ["killed by signal 11", "exit code 139: error: it", "exit code 139"] {
        assert!(advice(Stage::Test, crash).contains("--treat signal=fail"), "{crash}");
    }
    assert!(advice(Stage::Build, "timeout").starts_with("read the output of build, which failed before the test"));
    assert!(advice(Stage::Test, "exit code 1").ends_with("make revisions testable with --setup or --apply"));
}

#[test]
fn a_remote_head_is_not_named_next_to_its_branch() {
    let mut summary = answered(false);
    let main = summary.points()[0].leaves[0].clone();
    regression(&mut summary).names.insert(main, ["main", "origin", "origin/main"].map(str::to_owned).to_vec());
    let text = text::render(&summary);
    assert!(labelled(&text, "on ").starts_with("main = origin/main (2 steps later)"), "{text}");
}
