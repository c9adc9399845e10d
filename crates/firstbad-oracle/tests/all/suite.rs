//! Many tests of a revision with one build.

// The runner of these tests is a Unix shell script.
#![cfg(unix)]

use std::time::Duration;

use crate::common::{Repo, sh};
use firstbad::{Error, KeepBuilds, Observation, Outcome, Stage};
use firstbad_oracle::{CommandOptions, SuiteOptions, SuiteOracle, Verdict};
use firstbad_results::Runner;

/// A runner that prints a JSON line for each test. A test passes if the revision has a file with its name and the word `pass`.
const RUNNER: &str = r#"
echo run >> "$RUNS"
for id in $(cat "$FIRSTBAD_TESTS_FILE"); do
    test -e "$id" || continue
    test -n "$STARTS" && echo "{\"started\": \"$id\"}"
    case "$(cat "$id")" in
        pass) echo "{\"id\": \"$id\", \"outcome\": \"pass\", \"seconds\": 0.5}" ;;
        crash) kill -SEGV $$ ;;
        hang) sleep 60 ;;
        *) echo "{\"id\": \"$id\", \"outcome\": \"fail\", \"message\": \"$(cat "$id")\"}" ;;
    esac
done
"#;

/// A repository with one commit of these files for each item.
fn repo(commits: &[&[(&str, &str)]]) -> (Repo, Vec<String>) {
    let repo = Repo::new();
    repo.write("run.sh", RUNNER);
    let shas = commits.iter().map(|files| {
        files.iter().for_each(|(name, text)| repo.write(name, text));
        repo.commit("change")
    });
    let shas = shas.collect();
    (repo, shas)
}

fn suite(repo: &Repo, own: SuiteOptions, change: impl FnOnce(&mut CommandOptions)) -> SuiteOracle {
    let mut options = repo.options();
    options.env.push(("RUNS".to_owned(), repo.temp.join("runs").display().to_string()));
    change(&mut options);
    let results = own.results.clone().or_else(|| Some("jsonl:-".to_owned()));
    SuiteOracle::new(&repo.open(), sh(". ./run.sh"), &SuiteOptions { results, ..own }, options).unwrap()
}

fn ids(tests: &[&str]) -> Vec<String> {
    tests.iter().map(|test| (*test).to_owned()).collect()
}

fn outcomes(seen: &Observation) -> Vec<(&str, Outcome)> {
    seen.results.iter().map(|(id, result)| (id.as_str(), result.outcome)).collect()
}

/// Returns the number of lines of a file beside the repository, and removes the file.
fn lines(repo: &Repo, name: &str) -> usize {
    let path = repo.temp.join(name);
    let count = std::fs::read_to_string(&path).unwrap_or_default().lines().count();
    let _ = std::fs::remove_file(path);
    count
}

use Outcome::{Fail, Pass, Unresolved};

#[test]
fn one_build_serves_many_tests() {
    let (repo, shas) = repo(&[&[("a", "pass"), ("b", "TypeError: 3")]]);
    let oracle = suite(&repo, SuiteOptions::default(), |options| options.build = Some(sh("echo build >> \"$RUNS\"")));
    let seen = oracle.run(&shas[0], Some(&ids(&["a", "b", "missing"]))).unwrap();
    assert_eq!(outcomes(&seen), [("a", Pass), ("b", Fail)], "{seen:?}");
    assert_eq!((seen.outcome, seen.reused, lines(&repo, "runs")), (Fail, false, 2));
    assert_eq!(seen.results["b"].signature.as_deref(), Some("TypeError: #"));
    assert_eq!(seen.results["a"].seconds, Some(0.5));
    let note = seen.note.unwrap();
    assert!(note.starts_with("1 of 3 tests fail, 1 pass, 1 have no outcome; output in "), "{note}");
}

#[test]
fn the_last_builds_are_kept() {
    let (repo, shas) = repo(&[&[("a", "pass")], &[("a", "broken")], &[("b", "pass")]]);
    let build = |options: &mut CommandOptions| options.build = Some(sh("echo build >> \"$RUNS.builds\"; cp a made"));
    let oracle = suite(&repo, SuiteOptions::default(), build);
    for (revision, builds) in [(0, 1), (1, 1), (0, 0), (0, 0), (1, 0), (2, 1), (1, 0), (0, 1)] {
        let seen = oracle.run(&shas[revision], Some(&ids(&["a"]))).unwrap();
        assert_eq!(lines(&repo, "runs.builds"), builds, "revision {revision}");
        assert_eq!(seen.reused, builds == 0);
        assert_eq!(seen.outcome, if revision == 0 { Pass } else { Fail });
    }
    let none = SuiteOptions { keep_builds: KeepBuilds::Last(0), ..SuiteOptions::default() };
    let oracle = suite(&repo, none, build);
    for _ in 0..2 {
        oracle.run(&shas[0], Some(&ids(&["a"]))).unwrap();
        assert_eq!(lines(&repo, "runs.builds"), 1);
    }
}

#[test]
fn a_crash_in_the_middle_loses_one_test() {
    let (repo, shas) = repo(&[&[("a", "pass"), ("b", "crash"), ("c", "pass"), ("d", "no"), ("e", "pass")]]);
    let all = ids(&["a", "b", "c", "d", "e"]);
    // With `started` lines, the runner says which test crashed. Without them, halves find the test.
    for (starts, most) in [("1", 3), ("", 6)] {
        let oracle =
            suite(&repo, SuiteOptions::default(), |options| options.env.push(("STARTS".to_owned(), starts.to_owned())));
        let seen = oracle.run(&shas[0], Some(&all)).unwrap();
        let expected = [("a", Pass), ("b", Unresolved), ("c", Pass), ("d", Fail), ("e", Pass)];
        assert_eq!(outcomes(&seen), expected, "{seen:?}");
        assert_eq!(seen.results["b"].signature.as_deref(), Some("killed by signal 11"));
        let runs = lines(&repo, "runs");
        assert!(runs <= most, "{runs} runs");
    }
    let oracle = suite(&repo, SuiteOptions::default(), |options| options.on_signal = Verdict::Fail);
    let seen = oracle.run(&shas[0], Some(&all)).unwrap();
    assert_eq!(seen.results["b"].outcome, Fail, "{seen:?}");
}

#[test]
fn a_hanging_test_loses_only_itself() {
    let (repo, shas) = repo(&[&[("a", "pass"), ("b", "hang"), ("c", "pass")]]);
    let oracle = suite(&repo, SuiteOptions::default(), |options| {
        options.env.push(("STARTS".to_owned(), "1".to_owned()));
        options.timeout = Some(Duration::from_millis(500));
    });
    let seen = oracle.run(&shas[0], Some(&ids(&["a", "b", "c"]))).unwrap();
    assert_eq!(outcomes(&seen), [("a", Pass), ("b", Unresolved), ("c", Pass)], "{seen:?}");
}

#[test]
fn a_runner_that_always_crashes_ends() {
    let crash: Vec<(String, &str)> = (0..100).map(|number| (format!("t{number}"), "crash")).collect();
    let files: Vec<(&str, &str)> = crash.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let (repo, shas) = repo(&[&files]);
    let oracle = suite(&repo, SuiteOptions::default(), |_| {});
    let names: Vec<String> = crash.iter().map(|(name, _)| name.clone()).collect();
    let seen = oracle.run(&shas[0], Some(&names)).unwrap();
    assert_eq!((seen.outcome, seen.stage), (Unresolved, Some(Stage::Test)));
    assert!(seen.results.values().all(|result| result.outcome == Unresolved));
    assert!(seen.note.unwrap().contains(" tests were left out after the runner crashed 24 times"));
    assert!(lines(&repo, "runs") < 60);
}

#[test]
fn an_exit_code_is_the_result_of_one_test_at_a_time() {
    let (repo, shas) = repo(&[&[("a", "pass"), ("b", "no")]]);
    let own = SuiteOptions { results: Some("exit".to_owned()), ..SuiteOptions::default() };
    let command = ["grep", "-q", "pass", "{tests}"].map(str::to_owned).to_vec();
    let oracle = SuiteOracle::new(&repo.open(), command, &own, repo.options()).unwrap();
    let seen = oracle.run(&shas[0], Some(&ids(&["a", "b"]))).unwrap();
    assert_eq!(outcomes(&seen), [("a", Pass), ("b", Fail)], "{seen:?}");
}

#[test]
fn results_in_the_worktree_are_those_of_this_run() {
    let (repo, _) = repo(&[&[("a", "pass")]]);
    repo.write("a.xml", "<testsuite><testcase name='a'/></testsuite>");
    let with = repo.commit("results");
    let own = SuiteOptions { results: Some("junit:out.xml".to_owned()), ..SuiteOptions::default() };
    let oracle = suite(&repo, own, |options| options.build = Some(sh("test -e a.xml && cp a.xml out.xml; true")));
    let seen = oracle.run(&with, Some(&ids(&["a"]))).unwrap();
    // The build wrote the file, so these are not results of the test.
    assert_eq!((seen.results.len(), seen.outcome), (0, Unresolved), "{seen:?}");
}

#[test]
fn a_build_that_fails_has_no_results() {
    let (repo, shas) = repo(&[&[("a", "pass")]]);
    let oracle = suite(&repo, SuiteOptions::default(), |options| options.build = Some(sh("echo 'error: 3'; exit 1")));
    for tests in [ids(&["a"]), Vec::new()] {
        let seen = oracle.run(&shas[0], Some(&tests)).unwrap();
        assert_eq!((seen.outcome, seen.stage, seen.results.len()), (Unresolved, Some(Stage::Build), 0), "{seen:?}");
        assert_eq!(seen.signature.as_deref(), Some("exit code 1: error: #"));
    }
}

#[test]
fn a_runner_that_cannot_start_is_a_broken_build() {
    let (repo, shas) = repo(&[&[("a", "pass")], &[("run.sh", "echo 'error: no runner'; exit 3")]]);
    let oracle = suite(&repo, SuiteOptions::default(), |_| {});
    let seen = oracle.run(&shas[1], Some(&ids(&["a"]))).unwrap();
    assert_eq!((seen.outcome, seen.stage, seen.results.len()), (Unresolved, Some(Stage::Build), 0), "{seen:?}");
    assert!(
        seen.note.unwrap().starts_with("the tests could not start: exit code 3, and there are no results; output in ")
    );
    // Without an id, the sample shows whether the runner can start.
    let seen = oracle.run(&shas[1], Some(&[])).unwrap();
    assert_eq!((seen.outcome, seen.stage), (Unresolved, Some(Stage::Build)), "{seen:?}");
    let seen = oracle.run(&shas[0], Some(&[])).unwrap();
    assert_eq!((seen.outcome, seen.stage, seen.results.len()), (Pass, None, 0), "{seen:?}");
}

#[test]
fn failures_of_the_machine_have_no_outcome() {
    let (repo, shas) = repo(&[&[("a", "OSError: No space left on device"), ("b", "license server busy"), ("c", "no")]]);
    let own = SuiteOptions { infra: vec!["license server".to_owned()], ..SuiteOptions::default() };
    let oracle = suite(&repo, own, |_| {});
    let seen = oracle.run(&shas[0], Some(&ids(&["a", "b", "c"]))).unwrap();
    assert_eq!(outcomes(&seen), [("a", Unresolved), ("b", Unresolved), ("c", Fail)], "{seen:?}");
    let wrong =
        SuiteOptions { infra: vec!["(".to_owned()], results: Some("tap:-".to_owned()), ..SuiteOptions::default() };
    let refused = SuiteOracle::new(&repo.open(), sh("true"), &wrong, repo.options()).unwrap_err().to_string();
    assert!(
        refused.starts_with("infra: [\"(\"] is not valid; expected regular expressions (unclosed group)"),
        "{refused}"
    );
}

#[test]
fn exit_codes_can_ask_for_a_repetition() {
    let (repo, shas) = repo(&[&[("run.sh", "exit 75")]]);
    let oracle = suite(&repo, SuiteOptions::default(), |options| {
        options.exit_codes.insert(75, Verdict::Retry);
    });
    let error = oracle.run(&shas[0], Some(&ids(&["a"]))).unwrap_err();
    assert!(matches!(error, Error::Retry { .. }), "{error}");
}

#[test]
fn invalid_suites_are_refused() {
    let (repo, _) = repo(&[&[("a", "pass")]]);
    let new = |command: &str, own: SuiteOptions, options: CommandOptions| {
        let words = command.split(' ').map(str::to_owned).collect();
        SuiteOracle::new(&repo.open(), words, &own, options)
            .map(|oracle| oracle.runner())
            .map_err(|error| error.to_string())
    };
    let results = |place: &str| SuiteOptions { results: Some(place.to_owned()), ..SuiteOptions::default() };
    assert_eq!(new("pytest -q", SuiteOptions::default(), repo.options()), Ok(Runner::Pytest));
    for (command, own, options, message) in [
        (
            "make check",
            SuiteOptions::default(),
            repo.options(),
            "runner: no known test runner in the command \"make check\"",
        ),
        ("make check", results("exit"), repo.options(), "runner: no place for the tests in the command \"make check\""),
        (
            "make check",
            results("junit:/tmp/x"),
            repo.options(),
            "results: \"/tmp/x\" is not valid; expected a path below",
        ),
        (
            "pytest",
            SuiteOptions::default(),
            CommandOptions { fail_pattern: Some("x".to_owned()), ..repo.options() },
            "fail_pattern: \"x\" is not valid; expected no value, because the test runner reports the result of each test",
        ),
    ] {
        let refused = new(command, own, options).unwrap_err();
        assert!(refused.starts_with(message), "{refused}");
    }
}

/// Returns the Python of the project's environment, or another one with pytest.
fn python() -> String {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.venv/bin/python");
    if std::path::Path::new(own).is_file() { own.to_owned() } else { "python3".to_owned() }
}

#[test]
fn pytest_runs_with_files_that_break_and_tests_that_crash() {
    let repo = Repo::new();
    repo.write(
        "test_a.py",
        "import os\ndef test_one(): pass\ndef test_crash(): os.abort()\ndef test_two(): assert 1 == 2\n",
    );
    repo.write("test_b.py", "def test_three(): pass\n");
    let before = repo.commit("one");
    repo.write("test_b.py", "import missing_module\ndef test_three(): pass\n");
    let after = repo.commit("two");
    repo.write("conftest.py", "raise RuntimeError('no database')\n");
    let broken = repo.commit("three");
    let command = [&python(), "-m", "pytest", "-p", "no:cacheprovider"].map(str::to_owned).to_vec();
    let oracle = SuiteOracle::new(&repo.open(), command, &SuiteOptions::default(), repo.options()).unwrap();
    let tests = ids(&[
        "test_a.py::test_one",
        "test_a.py::test_crash",
        "test_a.py::test_two",
        "test_b.py::test_three",
        "test_b.py",
    ]);
    let seen = oracle.run(&before, Some(&tests)).unwrap();
    let expected = [
        ("test_a.py::test_crash", Unresolved),
        ("test_a.py::test_one", Pass),
        ("test_a.py::test_two", Fail),
        ("test_b.py", Pass),
        ("test_b.py::test_three", Pass),
    ];
    assert_eq!(outcomes(&seen), expected, "{seen:?}");
    let seen = oracle.run(&after, Some(&ids(&["test_a.py::test_one", "test_b.py", "test_b.py::test_three"]))).unwrap();
    assert_eq!(outcomes(&seen), [("test_a.py::test_one", Pass), ("test_b.py", Fail)], "{seen:?}");
    let seen = oracle.run(&broken, Some(&tests[..1])).unwrap();
    assert_eq!((seen.outcome, seen.stage, seen.results.len()), (Unresolved, Some(Stage::Build), 0), "{seen:?}");
    assert!(seen.signature.unwrap().contains("RuntimeError: no database"));
    // The whole suite.
    let seen = oracle.run(&after, None).unwrap();
    assert_eq!(seen.results["test_b.py"].outcome, Fail, "{seen:?}");
}
