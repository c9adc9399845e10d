//! Tests of `firstbad explain`.

// The commands need a Unix shell.
#![cfg(unix)]

use crate::support::{Place, lines};

/// The test fails if a line contains `bug`.
const TEST: [&str; 4] = ["--", "sh", "-c", "! grep -q bug text"];

/// A finished search in `run.jsonl`. One of four changes of the culprit matters.
fn found() -> (Place, String) {
    let place = Place::new();
    place.commit("text", &lines(&[]), "Begin");
    place.git(&["tag", "good"]);
    place.commit("other", "1\n", "Other");
    let culprit = place.commit("text", &lines(&[(1, "one"), (4, "a bug"), (8, "eight")]), "Tidy: `up` ::error::");
    place.commit("other", "2\n", "Other again");
    let run = ["run", "-q", "--good", "good", "--bad", "main", "--journal", "../run.jsonl"];
    place.run(&[&run[..], &TEST].concat()).exits(0);
    (place, culprit)
}

#[test]
fn explain_keeps_its_search_in_a_journal() {
    let (place, culprit) = found();
    let first = place.run(&["explain", "../run.jsonl", "-q", "--json", "--jobs", "2"]).exits(0).json();
    let point = &first["points"][0];
    assert_eq!(point["culprit"], culprit);
    let cause = &first["causes"][0]["cause"];
    assert_eq!((&cause["status"], &cause["changes"]), (&"found".into(), &6.into()), "{cause}");
    let places = serde_json::json!([{"file": "text", "line": 5, "end_line": 5, "text": "-line 4\n+a bug\n"}]);
    assert_eq!(cause["places"], places);
    let runs = cause["runs"].as_u64().unwrap();
    assert!(runs > 2);
    let kept = place.path(&format!("run.jsonl.cause-{}.jsonl", &culprit[..12]));
    let events = std::fs::read_to_string(&kept).unwrap();
    // A second call needs no run.
    let again = place.run(&["explain", "../run.jsonl", "-q", "--json"]).exits(0).json();
    assert_eq!(again["causes"][0]["cause"], *cause);
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), events);
    let patch = cause["patch"].as_str().unwrap();
    assert!(patch.contains("\n+a bug\n") && !patch.contains("eight"), "{patch}");
    // Another test is refused.
    let other = place.run(&["explain", "../run.jsonl", "-q", "--", "false"]).exits(1);
    assert!(other.err.contains("was recorded with another test. Its command is [\"sh\""), "{}", other.err);
}

#[test]
fn an_interrupted_cause_search_resumes() {
    let (place, culprit) = found();
    let whole = place.run(&["explain", "../run.jsonl", "-q", "--json"]).exits(0).json();
    let kept = place.path(&format!("run.jsonl.cause-{}.jsonl", &culprit[..12]));
    let lines: Vec<String> = std::fs::read_to_string(&kept).unwrap().lines().map(str::to_owned).collect();
    std::fs::write(&kept, lines[..lines.len() / 2].join("\n") + "\n{\"event\": \"to").unwrap();
    let again = place.run(&["explain", "../run.jsonl", "-q", "--json"]).exits(0).json();
    for field in ["kept", "patch", "places", "runs", "guarantee"] {
        assert_eq!(again["causes"][0]["cause"][field], whole["causes"][0]["cause"][field], "{field}");
    }
}

#[test]
fn every_format_contains_the_cause_and_escapes_the_subject() {
    let (place, culprit) = found();
    let text = place.run(&["explain", "../run.jsonl", "-q"]).exits(0).out;
    assert!(text.starts_with(&format!("First bad commit: {} Tidy: `up` ::error::\n", &culprit[..12])), "{text}");
    assert!(text.contains("2 of 6 changes (33.3%) cause the failure") && text.contains("    | +a bug\n"), "{text}");
    let markdown = place.run(&["explain", "../run.jsonl", "-q", "--format=markdown"]).exits(0).out;
    assert!(
        markdown.contains("\n```diff\n") && markdown.contains("`` Tidy: `up` ::error:: ``")
            || markdown.contains("``Tidy: `up` ::error::``"),
        "{markdown}"
    );
    let annotations = place.run(&["explain", "../run.jsonl", "-q", "--format=github"]).exits(0).out;
    let expected = format!("::error file=text,line=5,endLine=5,title=First bad commit%3A {}::", &culprit[..12]);
    assert!(annotations.starts_with(&expected) && annotations.ends_with("%0A+a bug\n"), "{annotations}");
    assert_eq!(annotations.lines().count(), 1);
    for command in ["explain", "report"] {
        let page = place.run(&[command, "../run.jsonl", "-q", "--format=html"]).exits(0).out;
        let cause = format!("Part of {} that keeps the failure", &culprit[..8]);
        assert!(page.contains(&cause) && page.contains("2 of 6 changes") && page.contains("▸ +a bug"), "{page}");
    }
}

/// Returns the cause in the patch from `old` to `new`.
fn left_of(old: &str, new: &str, test: &str) -> (serde_json::Value, String) {
    let place = Place::new();
    place.commit("text", old, "Begin");
    place.commit("text", new, "Change");
    let run = ["run", "-q", "--good", "main~1", "--bad", "main", "--explain"];
    let text = place.run(&[&run[..], &["--", "sh", "-c", test]].concat()).exits(0).out;
    let json = place.run(&["report", "--json"]).exits(0).json();
    (json["causes"][0]["cause"].clone(), text)
}

#[test]
fn causes_keep_replacements_and_conditions_whole() {
    let old = "begin\ncount = 1\nstep(count)\nend\n";
    let new = "begin\nn = self.size()\nlog(n)\nend\nif (n) {\n  bug();\n}\n";
    let (cause, _) = left_of(old, new, "! grep -q 'bug' text");
    assert!(cause["patch"].as_str().unwrap().ends_with(" end\n+if (n) {\n+  bug();\n+}\n"), "{cause}");
    let (cause, _) = left_of(old, new, "! grep -q 'log' text");
    let whole = "-count = 1\n+n = self.size()\n-step(count)\n+log(n)\n end\n";
    assert!(cause["patch"].as_str().unwrap().ends_with(whole), "{cause}");
}

#[test]
fn causes_ignore_changed_line_endings() {
    let old: String = (0..300).map(|line| format!("line {line}\n")).collect();
    let (cause, _) = left_of(&old, &old.replace('\n', "\r\n").replace("e 200", "e 200 bug"), "! grep -q bug text");
    let expected = "@@ -198,7 +198,7 @@\n line 197\n line 198\n line 199\n-line 200\n+line 200 bug\r\n line 201\n line 202\n line 203\n";
    assert!(cause["patch"].as_str().unwrap().ends_with(expected), "{cause}");
    let (_, text) = left_of(&old, &old.replace('\n', "\r\n"), "! grep -q \"line 7$(printf '\\r')\" text");
    assert!(text.contains("  line ends   of 1 line changes from LF to CRLF and nothing else\n"), "{text}");
}

#[test]
fn a_part_that_crashes_is_another_failure() {
    let old = "one\n\n\ntwo\nend\n";
    let test = "grep -q ONE text && { grep -q TWO text || kill -SEGV $$; grep -q bug text && exit 1; }; true";
    let (cause, _) = left_of(old, "ONE\n\n\nTWO\nend\nbug\nmore\n", test);
    assert_eq!(cause["kept"].as_array().unwrap().len(), 5, "{cause}");
}

#[test]
fn a_search_driven_by_hand_is_explained_with_a_given_command() {
    let (place, _) = found();
    forget_test(&place);
    let report = place.run(&["report", "../run.jsonl"]).exits(0).out;
    let next = report.lines().find(|line| line.contains("firstbad explain")).unwrap();
    assert!(next.contains("firstbad explain ../run.jsonl -- COMMAND "), "{next}");
    place.run(&[&["explain", "../run.jsonl", "-q"], &TEST[..]].concat()).exits(0);
}

#[test]
fn explain_does_not_run_the_command_of_a_journal_from_elsewhere() {
    let (place, culprit) = found();
    std::fs::create_dir(place.path("there")).unwrap();
    std::fs::copy(place.path("run.jsonl"), place.path("there/run.jsonl")).unwrap();
    let refused = place.run(&["explain", "../there/run.jsonl", "-q"]).exits(1);
    assert!(refused.err.contains("--trust-journal") && refused.err.contains("! grep -q bug text"), "{}", refused.err);
    assert_eq!(std::fs::read_dir(place.path("there")).unwrap().count(), 1, "nothing was begun");
    for more in [&["--trust-journal"][..], &TEST] {
        let ended = place.run(&[&["explain", "../there/run.jsonl", "-q"], more].concat()).exits(0);
        assert!(ended.out.contains(&culprit[..12]), "{}", ended.out);
    }
}

/// Removes the test from the journal, as in a search driven by hand.
fn forget_test(place: &Place) {
    let journal = place.path("run.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let mut header: serde_json::Value = serde_json::from_str(first).unwrap();
    header.as_object_mut().unwrap().remove("test").unwrap();
    std::fs::write(&journal, firstbad_testkit::journal::resealed(&format!("{header}\n{rest}"))).unwrap();
}

#[test]
fn commands_accept_the_option_journal() {
    let (place, culprit) = found();
    for command in ["report", "status", "explain"] {
        let by_option = place.run(&[command, "--journal", "../run.jsonl"]).exits(0).out;
        assert_eq!(by_option, place.run(&[command, "../run.jsonl"]).exits(0).out, "{command}");
        assert!(by_option.contains(&culprit[..12]), "{command}: {by_option}");
    }
    let twice = place.run(&["report", "../run.jsonl", "--journal", "../run.jsonl"]).exits(2);
    assert!(twice.err.contains("cannot be used with"), "{}", twice.err);
}

#[test]
fn explain_names_the_reason_for_no_cause() {
    let place = Place::new();
    place.commit("text", "bug\n", "Begin");
    place.commit("text", "a bug\n", "More");
    place.run(&[&["run", "-q", "--bad", "main", "--journal", "../run.jsonl"][..], &TEST].concat()).exits(18);
    let ended = place.run(&["explain", "../run.jsonl", "-q", "--json"]).exits(18).json();
    assert_eq!(ended["points"], serde_json::json!([]));
    let ended = place.run(&["explain", "../run.jsonl", "--point", "3"]).exits(2);
    assert!(ended.err.contains("--point: 3 is not valid"), "{}", ended.err);
    // The whole patch passes this test.
    let (place, _) = found();
    forget_test(&place);
    let ended = place.run(&["explain", "../run.jsonl", "-q", "--", "true"]).exits(11);
    let why = "cause       not found: the whole change, applied to its parent, passes, so the test is flaky or";
    assert!(ended.out.contains(why) && !ended.out.contains("    | "), "{}", ended.out);
}

#[test]
fn an_unresolved_whole_change_is_tested_again() {
    let place = Place::new();
    place.write("library", "");
    place.commit("text", &lines(&[]), "Begin");
    place.commit("text", &lines(&[(1, "one"), (4, "a bug")]), "Bug");
    let test = format!(
        "test -e '{}' || {{ echo no library; exit 125; }}; ! grep -q bug text",
        place.path("library").display()
    );
    let run = ["run", "-q", "--good", "main~1", "--bad", "main", "--journal", "../run.jsonl", "--", "sh", "-c", &test];
    place.run(&run).exits(0);
    std::fs::remove_file(place.path("library")).unwrap();
    for _ in 0..2 {
        let ended = place.run(&["explain", "../run.jsonl", "-q"]).exits(11);
        assert!(ended.err.contains("the whole change has another outcome: unresolved"), "{}", ended.err);
        assert!(ended.err.contains("    | no library\n"), "{}", ended.err);
        let next = ended.out.lines().find(|line| line.contains("firstbad explain ../run.jsonl")).unwrap();
        assert!(next.ends_with("# try again, if the machine or the network was the reason"));
    }
    place.write("library", "");
    let cause = place.run(&["explain", "../run.jsonl", "-q", "--json"]).exits(0).json()["causes"][0]["cause"].clone();
    assert_eq!((&cause["status"], &cause["changes"]), (&"found".into(), &4.into()));
    let again = place.run(&["explain", "../run.jsonl", "-q", "--json"]).exits(0).json()["causes"][0]["cause"].clone();
    assert_eq!(again, cause);
}

/// Eight commits. The fourth adds a bug, and the patch `five.diff` edits the next line.
fn eight() -> (Place, String) {
    let place = Place::new();
    place.write(
        "five.diff",
        "--- a/text\n+++ b/text\n@@ -3,5 +3,5 @@\n line 3\n line 4\n-line 5\n+five\n line 6\n line 7\n",
    );
    let mut culprit = String::new();
    for number in 0..8 {
        let text = (1..=10).map(|line| format!("line {line}\n")).collect::<String>();
        if number == 3 {
            culprit = place.commit("text", &format!("{}a bug\nmore\n", text.replace("line 5", "five")), "Bug");
        } else if number == 0 {
            place.commit("text", &text, "Begin");
            place.git(&["tag", "good"]);
        } else {
            place.commit("other", &format!("{number}\n"), "Other");
        }
    }
    (place, culprit)
}

#[test]
fn a_flake_rate_of_zero_is_not_estimated() {
    let (place, culprit) = eight();
    let run = ["run", "-q", "--good", "good", "--bad", "main", "--journal", "../run.jsonl", "--flaky", "0"];
    place.run(&[&run[..], &["--explain"], &TEST].concat()).exits(0);
    let events = place.read(&format!("run.jsonl.cause-{}.jsonl", &culprit[..12]));
    let header: serde_json::Value = serde_json::from_str(events.lines().next().unwrap()).unwrap();
    let configuration = &header["configuration"];
    assert_eq!((&configuration["flake_rate"], &configuration["false_pass_rate"]), (&0.0.into(), &0.0.into()));
}

#[test]
fn a_point_of_a_stopped_search_is_not_explained() {
    let (place, _) = eight();
    let run = ["run", "-q", "--json", "--good", "good", "--bad", "main", "--explain", "--max-runs", "3"];
    let ended = place.run(&[&run[..], &["--search", "linear"], &TEST].concat());
    let answer = ended.json();
    assert_eq!(answer["status"], "budget", "{answer}");
    assert_eq!(answer["causes"][0]["no_cause"], "the search for it has not finished", "{answer}");
    let words = answer["message"].as_str().unwrap();
    assert!(words.ends_with("has no cause to find, because the search for it has not finished"), "{words}");
    place.run(&["explain", "-q"]).exits(14);
}

#[test]
fn a_point_with_candidates_is_explained() {
    let (place, _) = eight();
    // The parent of the culprit is unresolved.
    let test = ["--", "sh", "-c", "test \"$(cat other)\" != 2 || grep -q bug text || exit 125; ! grep -q bug text"];
    let run = ["run", "-q", "--json", "--good", "good", "--bad", "main", "--explain"];
    let answer = place.run(&[&run[..], &test].concat()).json();
    assert_eq!(answer["status"], "ambiguous", "{answer}");
    let cause = &answer["causes"][0]["cause"];
    assert!(cause["patch"].as_str().is_some_and(|patch| patch.contains("+a bug")), "{cause}");
    // A cause does not change the status of the search.
    for command in ["report", "explain"] {
        place.run(&[command, "-q"]).exits(10);
    }
}

#[test]
fn a_patch_that_does_not_apply_is_unresolved() {
    let (place, _) = eight();
    let run = ["run", "-q", "--json", "--good", "good", "--bad", "main", "--apply", "../five.diff", "--explain"];
    let answer = place.run(&[&run[..], &TEST].concat()).exits(0).json();
    let cause = &answer["causes"][0]["cause"];
    assert_eq!((&cause["status"], &cause["runs"]), (&"not_reproduced".into(), &0.into()), "{cause}");
}

#[test]
fn the_search_and_its_causes_share_one_limit() {
    let (place, _) = eight();
    let run = ["run", "-q", "--json", "--good", "good", "--bad", "main", "--explain"];
    let whole = place.run(&[&run[..], &TEST].concat()).exits(0).json();
    let runs = (whole["runs"].as_u64().unwrap() + 2).to_string();
    let answer = place.run(&[&run[..], &["--max-runs", &runs], &TEST].concat()).json();
    let cause = &answer["causes"][0]["cause"];
    assert_eq!((&cause["status"], &cause["runs"]), (&"budget".into(), &2.into()), "{cause}");
}

#[test]
fn a_part_that_fails_in_another_way_is_not_the_cause() {
    let place = Place::new();
    let program = |first: &str, sum: &str| {
        let check = "value=$(sum) || exit 1\n[ \"$value\" = 3 ] || { echo 'error: wrong sum' >&2; exit 1; }\n";
        format!("set -u\n{first}# adds up\nsum() {{\n  {sum}\n}}\n{check}")
    };
    place.commit("prog", &program("", "echo 3"), "Begin");
    let bad = program("two=2\nthree=3\n", "echo \"$two\"");
    let culprit = place.commit("prog", &bad, "Two");
    let run = ["run", "-q", "--json", "--good", "main~1", "--bad", "main", "--explain", "--journal", "../run.jsonl"];
    let answer = place.run(&[&run[..], &["--", "sh", "prog"]].concat()).exits(0).json();
    let cause = &answer["causes"][0]["cause"];
    assert_eq!(cause["failure"], "exit code 1: error: wrong sum", "{cause}");
    let patch = cause["patch"].as_str().unwrap();
    // The second line fails without the first.
    assert!(patch.contains("\n+two=2\n") && patch.contains("\n+  echo \"$two\"\n"), "{patch}");
    assert!(!patch.contains("three"), "{patch}");
    let text = place.run(&["explain", "../run.jsonl", "-q"]).exits(0).out;
    assert!(text.contains("fails as    exit code 1: error: wrong sum, also with these changes alone"), "{text}");
    place.git(&["checkout", "-q", &format!("{culprit}~1")]);
    std::fs::write(place.path("cause.diff"), patch).unwrap();
    place.git(&["apply", "../cause.diff"]);
    let ended = std::process::Command::new("sh").arg("prog").current_dir(place.path("repo")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "error: wrong sum\n");
}

#[test]
fn a_limit_keeps_the_best_cause_and_explain_resumes() {
    let (place, culprit) = found();
    std::fs::copy(place.path("run.jsonl"), place.path("whole.jsonl")).unwrap();
    let whole = place.run(&["explain", "../whole.jsonl", "-q", "--json"]).exits(0).json();
    let all = whole["causes"][0]["cause"]["runs"].as_u64().unwrap();
    let explain = ["explain", "../run.jsonl", "-q", "--json"];
    for runs in [1, all - 1] {
        let budget = ["--max-runs", &runs.to_string()];
        let cause = place.run(&[&explain[..], &budget].concat()).exits(14).json()["causes"][0]["cause"].clone();
        assert_eq!((&cause["status"], &cause["runs"]), (&"budget".into(), &runs.into()), "{cause}");
        assert_eq!(cause["guarantee"], "best so far");
    }
    let used = place.run(&["explain", "../run.jsonl", "-q", "--max-runs", "1"]).exits(14);
    let words = format!("{} of 1 runs are used, including earlier runs; increase --max-runs", all - 1);
    assert!(used.err.contains(&words), "{}", used.err);
    let text = used.out;
    assert!(
        text.contains(" cause the failure (best so far, ")
            && text.contains("# resume the search for the lines that matter"),
        "{text}"
    );
    let kept = format!("run.jsonl.cause-{}.jsonl", &culprit[..12]);
    std::fs::remove_file(place.path(&kept)).unwrap();
    let text = place.run(&["explain", "../run.jsonl", "-q", "--max-runs", "1"]).exits(14).out;
    assert!(text.contains("no part of its 6 changes causes the failure alone (best so far, 1 run)"), "{text}");
    let cause = place.run(&explain).exits(0).json()["causes"][0]["cause"].clone();
    assert_eq!((&cause["runs"], &cause["patch"]), (&all.into(), &whole["causes"][0]["cause"]["patch"]));
    let late = place.run(&["explain", "../run.jsonl", "-q", "--json", "--max-time", "1h"]).exits(0).json();
    assert_eq!(late["causes"][0]["cause"], cause);
}
