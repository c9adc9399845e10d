//! Tests of `firstbad triage` and of its rounds.

// The runner of these tests is a Unix shell script.
#![cfg(unix)]

use serde_json::{Value, json};

use crate::support::Place;

/// A runner of tests. The test `a` passes if the file `a` has the word `good`. Without ids, all tests run.
const RUNNER: &str = r#"
tests=$(test -s "$FIRSTBAD_TESTS_FILE" && cat "$FIRSTBAD_TESTS_FILE" || ls tests)
for id in $tests; do
    test -e "tests/$id" || continue
    if grep -q good "tests/$id"; then echo "{\"id\": \"$id\", \"outcome\": \"pass\"}"
    else echo "{\"id\": \"$id\", \"outcome\": \"fail\", \"message\": \"$(cat "tests/$id")\"}"; fi
done
"#;

const RUN: [&str; 5] = ["--results", "jsonl:-", "--", "sh", "run.sh"];

/// Creates 20 commits. Commit 5 breaks a and b, commit 11 breaks c, and commit 14 adds d, which never passes.
fn red() -> (Place, Vec<String>) {
    let place = Place::new();
    place.write("repo/run.sh", RUNNER);
    for name in ["a", "b", "c", "e"] {
        place.write(&format!("repo/tests/{name}"), "good\n");
    }
    let shas = (0..20).map(|number| {
        match number {
            5 => {
                place.write("repo/tests/a", "TypeError: x 1\n");
                place.write("repo/tests/b", "TypeError: x 2\n");
            }
            11 => place.write("repo/tests/c", "KeyError: y\n"),
            14 => place.write("repo/tests/d", "no\n"),
            _ => {}
        }
        place.commit(&format!("n/{number}"), "text\n", &format!("Commit {number}"))
    });
    let shas = shas.collect();
    (place, shas)
}

/// Returns the culprit and the verdict of each test.
fn verdicts(report: &Value) -> Vec<(String, String, Option<String>)> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let tests = report["tests"].as_array().unwrap().iter();
    tests.map(|test| (text(&test["id"]).unwrap(), text(&test["verdict"]).unwrap(), text(&test["culprit"]))).collect()
}

fn expected(shas: &[String]) -> Vec<(String, String, Option<String>)> {
    [("a", "broken", 5), ("b", "broken", 5), ("c", "broken", 11), ("d", "new", 14)]
        .map(|(id, verdict, culprit)| (id.to_owned(), verdict.to_owned(), Some(shas[culprit].clone())))
        .to_vec()
}

fn triage(place: &Place, options: &[&str], code: i32) -> Value {
    place.run(&[&["triage", "--json"], options, &RUN].concat()).exits(code).json()
}

#[test]
fn a_red_suite_needs_no_reports() {
    let (place, shas) = red();
    let report = triage(&place, &["--good", "HEAD~19"], 0);
    assert_eq!(verdicts(&report), expected(&shas));
    let culprits: Vec<usize> = report["culprits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|culprit| culprit["tests"].as_array().unwrap().len())
        .collect();
    assert_eq!(culprits, [2, 1, 1]);
    let text = place.run(&["report"]).exits(0).out;
    assert!(text.starts_with("4 tests of "), "{text}");
    assert!(text.contains("Commit 5"), "{text}");
}

#[test]
fn reverting_a_culprit_repairs_its_tests() {
    let (place, _) = red();
    // A second commit breaks c as well.
    place.commit("tests/c", "KeyError: z\n", "Break c again");
    let ended = place.run(&[&["triage", "--json", "--good", "HEAD~20", "--verify-revert"][..], &RUN].concat()).exits(0);
    assert!(ended.err.contains(", all of its tests pass (2)"), "{}", ended.err);
    let report = ended.json();
    assert_eq!(verdicts(&report).len(), 4);
}

#[test]
fn an_interrupted_triage_resumes_after_each_run() {
    let (place, shas) = red();
    let whole = triage(&place, &["--good", "HEAD~19", "--journal", "whole.jsonl"], 0);
    let runs = whole["runs"].as_u64().unwrap();
    for most in 1..runs {
        let most = most.to_string();
        triage(&place, &["--good", "HEAD~19", "--journal", "night.jsonl", "--max-runs", &most], 14);
    }
    let last = place.run(&["triage", "--journal", "night.jsonl", "--json"]).exits(0);
    assert!(last.err.contains(&format!("resuming night.jsonl after {} runs", runs - 1)), "{}", last.err);
    let report = last.json();
    assert_eq!(verdicts(&report), expected(&shas));
    for field in ["culprits", "tests", "builds", "test_runs", "runs"] {
        assert_eq!(report[field], whole[field], "{field}");
    }
}

/// Runs the probes of a round as the jobs of a CI service do, and tells their reports.
fn round(place: &Place) -> bool {
    let asked = place.run(&["ask", "night.jsonl", "-k", "4"]).exits(0).json();
    for probe in asked["probes"].as_array().unwrap() {
        let (id, revision) = (probe["id"].to_string(), probe["revision"].as_str().unwrap());
        place.git(&["checkout", "-q", "--detach", revision]);
        let file = probe["tests_file"].as_str().unwrap_or_default();
        if !file.is_empty() {
            let listed: Vec<Value> = place.read(&format!("repo/{file}")).lines().map(Value::from).collect();
            assert_eq!(json!(listed), probe["tests"]);
        }
        let output = std::process::Command::new("sh")
            .arg("run.sh")
            .env("FIRSTBAD_TESTS_FILE", file)
            .current_dir(place.repo())
            .output()
            .unwrap();
        place.write(&format!("repo/{id}.jsonl"), &String::from_utf8(output.stdout).unwrap());
        place.run(&["tell", "night.jsonl", &id, "--results", &format!("{id}.jsonl")]).exits(0);
    }
    place.git(&["checkout", "-q", "main"]);
    asked["done"] == true
}

#[test]
fn rounds_ask_for_tests_and_take_reports() {
    let (place, shas) = red();
    place.git(&["branch", "-M", "main"]);
    place.write("repo/.git/info/exclude", "*.jsonl*\n");
    place.run(&["init", "night.jsonl", "--triage", "--good", "main~19", "--bad", "main"]).exits(0);
    let mut rounds = 0;
    while !round(&place) {
        rounds += 1;
        assert!(rounds < 30, "{}", place.run(&["report", "night.jsonl"]).out);
    }
    assert_eq!(verdicts(&place.run(&["report", "night.jsonl", "--json"]).exits(0).json()), expected(&shas));
    let refused = place.run(&["tell", "night.jsonl", "0", "--results", "missing.xml"]).exits(1).err;
    assert!(refused.starts_with("error: missing.xml: the test report cannot be read: "), "{refused}");
}

#[test]
fn reports_say_what_to_search() {
    let (place, shas) = red();
    let case = |name: &str, failure: &str| {
        let failure = if failure.is_empty() { String::new() } else { format!("<failure message=\"{failure}\"/>") };
        format!("<testcase name=\"{name}\">{failure}</testcase>")
    };
    let suite = |cases: &[String]| format!("<testsuite>{}</testsuite>", cases.concat());
    place.write(
        "last.xml",
        &suite(&[case("a", ""), case("b", "old"), case("c", ""), case("e", "old"), case("gone", "")]),
    );
    place.write("night.xml", &suite(&[case("a", "x"), case("b", "old"), case("c", "y"), case("e", "")]));
    place.write("quarantine.txt", "c\n\n");
    let reports = [
        "--good",
        "HEAD~19",
        "--good-results",
        "../last.xml",
        "--bad-results",
        "../night.xml",
        "--quarantine",
        "../quarantine.txt",
    ];
    let report = triage(&place, &reports, 0);
    let of = |id: &str, verdict: &str, culprit: Option<usize>| {
        (id.to_owned(), verdict.to_owned(), culprit.map(|number| shas[number].clone()))
    };
    assert_eq!(
        verdicts(&report),
        [
            of("a", "broken", Some(5)),
            of("b", "failed_before", None),
            of("c", "quarantined", None),
            of("e", "fixed", None),
            of("gone", "removed", None),
        ]
    );
    // Old nights are observations.
    let runs = report["runs"].as_u64().unwrap();
    place.write("old.xml", &suite(&[case("a", "x"), case("c", "")]));
    let import = format!("../old.xml@{}", shas[5]);
    let imported = triage(&place, &[&reports[..], &["--import", &import]].concat(), 0);
    assert_eq!(verdicts(&imported), verdicts(&report));
    assert!(imported["runs"].as_u64().unwrap() <= runs, "{} of {runs}", imported["runs"]);
}

#[test]
fn a_list_limits_the_tests() {
    let (place, shas) = red();
    let ended =
        place.run_given(&[&["triage", "--json", "--good", "HEAD~19", "--tests", "-"][..], &RUN].concat(), "c\n");
    assert_eq!(verdicts(&ended.exits(0).json()), expected(&shas)[2..3]);
}

#[test]
fn a_build_that_breaks_is_the_only_subject() {
    let (place, _) = red();
    place.write("repo/broken", "");
    let culprit = place.commit("number", "20\n", "Break the build");
    place.commit("number", "21\n", "Later");
    let report = triage(&place, &["--good", "HEAD~21", "--build", "echo 'error: no'; test ! -e broken"], 19);
    assert_eq!(verdicts(&report)[0], ("(build)".to_owned(), "broken".to_owned(), Some(culprit)));
}

#[test]
fn a_culprit_is_explained_by_one_of_its_tests() {
    let (place, _) = red();
    let report = triage(&place, &["--good", "HEAD~19"], 0);
    let commit = report["culprits"][1]["commit"].as_str().unwrap();
    let explained = place.run(&["explain", "--culprit", &commit[..12]]).exits(0);
    assert!(explained.out.contains("+KeyError: y"), "{}", explained.out);
    // The new test does not exist at the parent, so nothing was compared.
    let commit = report["culprits"][2]["commit"].as_str().unwrap();
    let alone = place.run(&["explain", "--culprit", &commit[..12]]).exits(11);
    assert!(alone.err.contains("note: no test of this culprit was seen to pass at every parent"), "{}", alone.err);
    let refused = place.run(&["explain", "--culprit", "ffff"]).exits(2).err;
    assert!(refused.contains("error: --culprit: \"ffff\" is not valid; expected the id of a culprit: "), "{refused}");
}

#[test]
fn invalid_arguments_name_the_fix() {
    let (place, _) = red();
    for (arguments, words) in [
        (&["triage", "--", "pytest"][..], "error: no good revision\nhelp: name the revision of the last green run"),
        (
            &["triage", "--good", "HEAD~1", "--", "make", "check"],
            "error: no known test runner in the command \"make check\"\nhelp: name the runner with --runner.",
        ),
        (&["triage", "--good", "nope", "--", "pytest"], "error: --good: unknown revision \"nope\""),
        (&["triage", "--good", "HEAD~1", "--costs", "0:0", "--", "pytest"], "error: invalid value '0:0' for '--costs"),
        (
            &["triage", "--good", "HEAD~1", "--bad-results", "n/0", "--", "pytest"],
            "error: n/0: unknown format of a test report",
        ),
        (
            &["init", "j.jsonl", "--good", "HEAD~1", "--tests", "n/0"],
            "error: --tests: \"without --triage\" is not valid; expected --triage as well",
        ),
        (&["init", "j.jsonl", "--triage"], "error: --good: \"\" is not valid; expected one good revision"),
        (&["triage", "--resume"], "error: no triage was started in this folder"),
    ] {
        let ended = place.run(arguments);
        assert!(ended.code > 0 && ended.err.starts_with(words), "{arguments:?}: {}", ended.err);
    }
}
