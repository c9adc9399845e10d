//! Tests of `firstbad slice`.

// The commands need a Unix shell.
#![cfg(unix)]

use crate::support::{Place, lines};
use serde_json::{Value, json};

/// The line in each of six commits. The second commit edits the line of the first.
const STEPS: [(usize, &str); 6] = [(0, "zero"), (0, "ZERO"), (2, "two"), (5, "five"), (7, "seven"), (9, "nine")];

/// Needs the second and the fourth commit. The second cannot be merged without the first.
const TEST: [&str; 4] = ["--", "sh", "-c", "grep -q ZERO src/app && grep -q five src/app"];

/// A history of six dependent steps and a test. Returns the shas of the steps.
fn history() -> (Place, Vec<String>) {
    let place = Place::new();
    place.write("repo/NEWS", "news\n");
    place.commit("src/app", &apart(0), "Base");
    place.git(&["tag", "v1"]);
    let mut shas = Vec::new();
    for step in 1..=STEPS.len() {
        place.write("repo/NEWS", &format!("{step}\n{}", place.read("repo/NEWS")));
        shas.push(place.commit("src/app", &apart(step), &format!("Step {step}: \u{1b}[31m<b>")));
    }
    place.commit("check", "grep -q ZERO src/app && grep -q five src/app\n", "The test");
    (place, shas)
}

/// Returns the file after a number of steps.
fn apart(steps: usize) -> String {
    let file = lines(&STEPS[..steps].iter().rev().copied().collect::<Vec<_>>());
    file.lines().flat_map(|line| [line, "between", "between", "between"]).map(|line| format!("{line}\n")).collect()
}

fn slice<'a>(more: &[&'a str], test: &[&'a str]) -> Vec<&'a str> {
    [&["slice", "--base", "v1", "--path", "src", "-q"], more, test].concat()
}

fn sliced(summary: &Value, shas: &[&String]) {
    assert_eq!((&summary["status"], &summary["algorithm"]), (&json!("found"), &json!("slice")));
    assert_eq!(summary["names"], json!(shas));
    assert_eq!(summary["guarantee"], "1-minimal");
}

#[test]
fn paths_are_relative_to_the_current_folder() {
    let (place, shas) = history();
    let folder = place.repo().join("src");
    for path in ["app", ".", "../src", ":/src", ":(top)src/app"] {
        let words = ["slice", "--base", "v1", "--path", path, "-q", "--json"];
        let found = place.run_in(&folder, &[&words[..], &TEST].concat()).exits(0).json();
        sliced(&found, &[&shas[0], &shas[1], &shas[3]]);
        assert_eq!(found["of"], 6, "{path}");
    }
    // The whole repository includes the commit of the test.
    let all = place.run_in(&folder, &[&["slice", "--base", "v1", "--path", "..", "-q", "--json"], &TEST[..]].concat());
    assert_eq!(all.exits(0).json()["of"], 7);
}

#[test]
fn the_parts_that_a_test_needs_are_found() {
    let (place, shas) = history();
    let needed = [&shas[0], &shas[1], &shas[3]];
    let found = place.run(&slice(&["--json"], &TEST)).exits(0).json();
    sliced(&found, &needed);
    assert_eq!(found["of"], 6);
    assert_eq!(found["slice"]["history"]["tip"], place.git(&["rev-parse", "main"]));
    let free = found["asked"].as_u64().unwrap() - found["runs"].as_u64().unwrap();
    let asked = found["observations"].as_array().unwrap();
    assert_eq!(asked.iter().filter(|one| one["ran"] == false).count() as u64, free);
    for (name, options) in [
        ("definer", ["--algorithm", "definer", "--scheme", "neg"]),
        ("ddmin", ["--algorithm", "ddmin", "--dependencies", "none"]),
        ("start", ["--start", "main~3", "--jobs", "2"]),
    ] {
        let other = place.run(&slice(&[&options[..], &["--json"]].concat(), &TEST)).exits(0).json();
        assert_eq!(other["names"], json!(needed), "{name}");
    }

    let text = place.run(&slice(&[], &TEST)).exits(0).out;
    let short = |sha: &str| sha[..12].to_owned();
    assert!(text.starts_with("3 of 6 commits are needed for the pass (1-minimal, "), "{text}");
    assert!(text.contains(&format!("  base        {} (Base)\n", short(&place.git(&["rev-parse", "v1"])))), "{text}");
    let last = format!("  {} Step 4: \u{fffd}[31m<b>\n", short(&shas[3]));
    let first = format!("  {} Step 1: ", short(&shas[0]));
    assert!(text.contains(&last) && text.contains(&first), "{text}");
    let cost = text.lines().find(|line| line.starts_with("  cost")).unwrap();
    assert!(free == 1 && cost.contains(", 1 outcome without a run"), "{text}");
    assert!(text.contains(&format!("git show {} {} {}", short(&shas[0]), short(&shas[1]), short(&shas[3]))), "{text}");
    let markdown = place.run(&slice(&["--format=markdown"], &TEST)).exits(0).out;
    assert!(
        markdown.starts_with("### 3 of 6 commits are needed") && markdown.contains(": without it the test fails (run "),
        "{markdown}"
    );
    assert!(!markdown.replace("<b>`", "").replace("<sub>", "").contains("<b>"), "{markdown}");
    let annotation = place.run(&slice(&["--format=github"], &TEST)).exits(0).out;
    assert!(annotation.starts_with("::notice title=3 of 6 commits are needed"), "{annotation}");
}

#[test]
fn tests_from_the_tip_finer_changes_and_kept_failures() {
    let (place, shas) = history();
    let tip = place.run(&slice(&["--tests", "check", "--json"], &["--", "sh", "check"])).exits(0).json();
    sliced(&tip, &[&shas[0], &shas[1], &shas[3]]);
    let folder = place.repo().join("src");
    for tests in ["../check", ":/check"] {
        let words = ["slice", "--base", "v1", "--path", "app", "-q", "--tests", tests, "--json", "--", "sh", "check"];
        sliced(&place.run_in(&folder, &words).exits(0).json(), &[&shas[0], &shas[1], &shas[3]]);
    }
    let missing = place.run_in(&folder, &["slice", "--base", "v1", "--tests", "check", "--", "sh", "check"]).exits(2);
    assert!(missing.err.contains("--tests: \"src/check\""), "{}", missing.err);
    let files = ["slice", "--base", "v1", "-q", "--format", "markdown", "--granularity", "file"];
    let text = place.run(&[&files[..], &TEST].concat()).exits(0).out;
    assert!(text.contains(", `src/app`: without it the test fails (run ") && !text.contains(&shas[3]), "{text}");
    let both = ["--", "sh", "-c", "! { grep -q two src/app && grep -q nine src/app; }"];
    let broken = place.run(&slice(&["--keep", "fail", "--json"], &both)).exits(0).json();
    sliced(&broken, &[&shas[2], &shas[5]]);
}

#[test]
fn dependencies_of_definitions_need_a_grammar() {
    let place = Place::new();
    place.commit("app.py", "def total():\n    return 1\n", "Base");
    place.git(&["tag", "v1"]);
    let helper = place.commit("lib.py", "def helper():\n    return 2\n", "Helper");
    place.commit("A.java", "class A {}\n", "Java");
    let uses = place.commit("app.py", "from lib import helper\n\n\ndef total():\n    return helper()\n", "Use");
    let test = ["--", "sh", "-c", "grep -q 'helper()' app.py && test -e lib.py"];
    for kind in ["auto", "hunks", "syntax", "none"] {
        let options = ["slice", "--base", "v1", "-q", "--json", "--dependencies", kind];
        let found = place.run(&[&options[..], &test].concat()).exits(0).json();
        sliced(&found, &[&helper, &uses]);
    }
    let options = ["slice", "--base", "v1", "-q", "--format", "markdown", "--granularity", "definition"];
    let text = place.run(&[&options[..], &test].concat()).exits(0).out;
    assert!(text.contains("`app.py#total`: without it the test fails"), "{text}");
    assert!(text.contains("the grammar of Java is not built in; the cargo feature \"java\" has it"), "{text}");
}

#[test]
fn a_slice_becomes_patches_and_a_branch() {
    let (place, shas) = history();
    let make = ["--patches", "../patches", "--branch", "feature/of", "--json"];
    let made = place.run(&slice(&make, &TEST)).exits(0).json();
    let mut names: Vec<String> = std::fs::read_dir(place.path("patches"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let theirs = place.git(&["format-patch", "-o", "../theirs", "v1..feature/of"]);
    let theirs: Vec<&str> = theirs.lines().map(|path| path.rsplit('/').next().unwrap()).collect();
    assert_eq!(names, theirs);
    let paths: Vec<String> = names.iter().map(|name| format!("../patches/{name}")).collect();
    assert_eq!(made["slice"]["patches"], json!(paths));
    let branch = json!({"name": "feature/of", "commit": place.git(&["rev-parse", "feature/of"])});
    assert_eq!(made["slice"]["branch"], branch);
    let subject = |sha: &String| place.git(&["log", "-1", "--format=%s", sha]);
    let of_branch = place.git(&["log", "--reverse", "--format=%s", "v1..feature/of"]);
    assert_eq!(of_branch, [&shas[0], &shas[1], &shas[3]].map(subject).join("\n"));
    place.git(&["checkout", "-q", "-b", "mailed", "v1"]);
    place.git(&[&["am", "-q"], &paths.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat());
    assert_eq!(place.git(&["diff", "mailed", "feature/of"]), "");
    place.git(&["checkout", "-q", "main"]);
    let ran = ["--", "sh", "-c", "echo >> ../../ran; exit 0"];
    let taken = place.run(&slice(&["--branch", "feature/of"], &ran)).exits(2);
    assert!(taken.err.contains("--branch: \"feature/of\"") && taken.err.contains("a new branch"), "{}", taken.err);
    let full = place.run(&slice(&["--patches", "../patches", "--journal", "new.jsonl"], &ran)).exits(2);
    assert!(full.err.contains("--patches: ") && full.err.contains("a folder without patches"), "{}", full.err);
    let file = place.run(&slice(&["--patches", "NEWS"], &ran)).exits(2);
    assert!(file.err.contains("--patches: ") && file.err.contains("a folder"), "{}", file.err);
    assert!(!place.path("repo/new.jsonl").exists() && !place.path("ran").exists());
}

#[test]
fn a_journal_resumes_without_arguments() {
    let (place, shas) = history();
    let runs = place.path("runs");
    let counted = format!("echo >> {}; {}", runs.display(), TEST[3]);
    let test = ["--", "sh", "-c", &counted];
    let whole = place.run(&slice(&["--json"], &test)).exits(0).json();
    let all = place.read("runs").lines().count() as u64;
    assert_eq!(whole["runs"], all);
    std::fs::remove_file(&runs).unwrap();

    let first = place.run(&slice(&["--journal", "../run.jsonl", "--max-runs", "3"], &test)).exits(14);
    assert!(first.err.contains("to resume: firstbad slice --journal ../run.jsonl"), "{}", first.err);
    assert!(first.out.contains(" left after ") && first.out.contains("firstbad slice --journal"), "{}", first.out);
    let go_on = ["slice", "--journal", "../run.jsonl", "--max-runs", "1", "--branch", "part"];
    let more = place.run(&go_on).exits(14);
    assert!(more.err.contains("because no slice was found"), "{}", more.err);
    assert_eq!(place.git(&["branch", "--list", "part"]), "");
    let second = place.run(&["slice", "--journal", "../run.jsonl", "--json", "-q"]).exits(0).json();
    sliced(&second, &[&shas[0], &shas[1], &shas[3]]);
    assert_eq!((&second["runs"], place.read("runs").lines().count() as u64), (&json!(all), all));
    let looked = place.run(&["report", "../run.jsonl", "--json"]).exits(0).json();
    assert_eq!((&looked["observations"], &looked["commits"]), (&second["observations"], &second["commits"]));
    assert!(looked["commits"][&shas[3]]["subject"].as_str().unwrap().starts_with("Step 4"));
    let text = place.run(&["report", "../run.jsonl"]).exits(0).out;
    assert!(text.contains("firstbad slice --journal ../run.jsonl --branch NAME"), "{text}");
    // Without the repository, only shas are known.
    let far = place.run_in(&place.path(""), &["report", "run.jsonl"]).exits(0).out;
    assert!(far.contains(&shas[3][..12]) && !far.contains("Step 4"), "{far}");
    let status = place.run(&["status", "../run.jsonl", "--json"]).exits(0).json();
    assert_eq!((&status["status"], &status["asked"]), (&json!("found"), &second["asked"]));
    let replayed = place.run(&["replay", "../run.jsonl"]).exits(0).out;
    assert!(replayed.contains("slice search started") && replayed.contains("found after"), "{replayed}");
    let branch = place.run(&["slice", "--journal", "../run.jsonl", "--branch", "late"]).exits(0);
    assert!(branch.out.contains("  branch      late at ") && branch.out.contains("git log -p "), "{}", branch.out);
    assert_eq!(place.read("runs").lines().count() as u64, all);
}

#[test]
fn another_journal_or_another_repository_is_refused() {
    let (place, _) = history();
    place.run(&slice(&["--journal", "../run.jsonl", "--max-runs", "2"], &TEST)).exits(14);
    let other = place.run(&slice(&["--journal", "../run.jsonl", "--seed", "7"], &TEST)).exits(1);
    assert!(other.err.contains("seed"), "{}", other.err);
    let elsewhere = place.run_in(&place.path(""), &["slice", "--journal", "run.jsonl"]);
    assert_eq!((elsewhere.code, elsewhere.out.as_str()), (1, ""), "{}", elsewhere.err);
    let alone = place.run(&["slice", "--journal", "../run.jsonl", "--scheme", "neg"]).exits(2);
    assert!(alone.err.contains("--base"), "{}", alone.err);
    place.run(&["init", "../search.jsonl", "--bad", "main", "--good", "v1"]).exits(0);
    let search = place.run(&["slice", "--journal", "../search.jsonl"]).exits(1);
    assert!(search.err.contains("not a journal of firstbad slice, but of \"regression\""), "{}", search.err);
    let port = place.run(&["port", "--journal", "../run.jsonl"]).exits(1);
    assert!(port.err.contains("not a journal of firstbad port, but of \"slice\""), "{}", port.err);
}

#[test]
fn a_slice_journal_has_the_digest_of_python_and_node() {
    let (place, shas) = history();
    let loud: Vec<&str> =
        slice(&["--journal", "../run.jsonl"], &TEST).into_iter().filter(|word| *word != "-q").collect();
    let ended = place.run(&loud).exits(0);
    for (size, tested) in [("1 run, 6 of 6", "0-5"), (" runs, 3 of 6", "0-1,3")] {
        let (size, tested) = (format!("{size} changes left after "), format!(": changes {tested} passes (exit 0, "));
        assert!(ended.err.lines().any(|line| line.contains(&size) && line.contains(&tested)), "{}", ended.err);
    }
    let header: Value = serde_json::from_str(place.read("run.jsonl").lines().next().unwrap()).unwrap();
    let names = shas.iter().map(|sha| firstbad::digest::Item::Text(sha));
    let digest = firstbad::digest::digest(names).unwrap();
    assert!(header.to_string().contains(&format!("\"digest\":\"{digest}\"")), "{header}");
}

#[test]
fn outcomes_of_equal_trees_are_shared() {
    let (place, shas) = history();
    let search = || place.run(&slice(&["--store", "../store.db", "--json"], &TEST)).exits(0).json();
    assert!(search()["runs"].as_u64().unwrap() > 0);
    let again = search();
    sliced(&again, &[&shas[0], &shas[1], &shas[3]]);
    assert_eq!(again["runs"], 0);
}

#[test]
fn endings_without_a_slice() {
    let (place, _) = history();
    let no = place.run(&slice(&[], &["--", "sh", "-c", "echo no luck; exit 3"])).exits(11);
    assert!(no.out.starts_with("The test does not pass with all 6 changes"), "{}", no.out);
    assert!(no.err.contains("the whole history has another outcome: fail (exit code 3"), "{}", no.err);
    assert!(no.err.contains("    | no luck"), "{}", no.err);
    place.run(&slice(&[], &["--", "sh", "-c", "exit 125"])).exits(19);
    let empty = place.run(&slice(&["--branch", "none"], &["--", "true"])).exits(0);
    assert!(empty.out.contains("No change is needed, because the test passes at the base"), "{}", empty.out);
    assert_eq!(place.git(&["rev-parse", "none"]), place.git(&["rev-parse", "v1"]));
}

#[test]
fn errors_name_the_option() {
    let (place, _) = history();
    for (options, words) in [
        (&["slice"][..], "--base is missing"),
        (&["slice", "--base", "main"], "--base: "),
        (&["slice", "--base", "nowhere"], "--base: "),
        (&["slice", "--base", "v1", "--tip", "nowhere"], "--tip: "),
        (&["slice", "--base", "v1", "--path", "nothing"], "--path: "),
        (&["slice", "--base", "v1", "--tests", "nothing"], "--tests: "),
        (&["slice", "--base", "v1", "--start", "v1"], "--start: "),
        (&["slice", "--base", "v1", "--algorithm", "coverage"], "--algorithm: "),
        (&["slice", "--base", "v1", "--branch", "a..b"], "--branch: "),
        (&["slice", "--base", "v1", "--granularity", "line"], "--granularity"),
        (&["slice", "--tip", "main"], "--base"),
    ] {
        let ended = place.run(&[options, &["--", "true"]].concat()).exits(2);
        assert!(ended.err.contains(words), "{options:?}: {}", ended.err);
    }
    let ended = place.run(&["slice", "--base", "v1"]).exits(2);
    assert!(ended.err.contains("firstbad slice --base v1.0"), "{}", ended.err);
}

/// Functions in Python with one commit each. The test needs the second and the fourth.
fn functions() -> (Place, Vec<String>) {
    let place = Place::new();
    let program = |steps: usize| -> String {
        (1..=5).map(|name| format!("def f{name}():\n    return {}\n\n\n", u8::from(name <= steps))).collect()
    };
    place.commit("app.py", &program(0), "Base");
    place.git(&["tag", "v1"]);
    let shas = (1..=5).map(|step| place.commit("app.py", &program(step), &format!("Step {step}"))).collect();
    (place, shas)
}

const FUNCTIONS: [&str; 4] =
    ["--", "sh", "-c", "grep -A1 f2 app.py | grep -q 'return 1' && grep -A1 f4 app.py | grep -q 'return 1'"];

#[test]
fn a_coverage_report_starts_a_slice() {
    let (place, shas) = functions();
    let needed = [&shas[1], &shas[3]];
    // A coverage report of another machine, in which two functions run.
    let lcov: String = (0..5).map(|of| format!("DA:{},1\nDA:{},{}\n", of * 4 + 1, of * 4 + 2, of % 2)).collect();
    place.write("lcov.info", &format!("SF:/builds/app.py\n{lcov}end_of_record\n"));
    place.write("one.json", r#"{"app.py": [6]}"#);
    let base = ["slice", "--base", "v1", "-q", "--json"];
    let given = ["--coverage", "../lcov.info", "--coverage-root", "/builds"];
    let found = place.run(&[&base[..], &given, &FUNCTIONS].concat()).exits(0).json();
    sliced(&found, &needed);
    let without = place.run(&[&base[..], &FUNCTIONS].concat()).exits(0).json();
    assert!(found["runs"].as_u64() < without["runs"].as_u64(), "{} {}", found["runs"], without["runs"]);
    let alone = [&base[..], &given, &["--algorithm", "coverage", "--coverage-format", "lcov"], &FUNCTIONS].concat();
    assert_eq!(place.run(&alone).exits(0).json()["names"], json!(needed));
    let dropped = place.run(&[&base[..], &["--coverage", "../one.json"], &FUNCTIONS].concat()).exits(0).json();
    sliced(&dropped, &needed);
    place.write("bad.info", "SF:app.py\nDA:0,1\n");
    for (options, words) in [
        (&["--coverage", "../bad.info"][..], "--coverage: ../bad.info, line 2"),
        (&["--coverage", "../lcov.info"], "/builds/app.py"),
        (&["--coverage", "../one.json", "--start", "main"], "--start"),
        (&["--coverage", "../one.json", "--coverage-root", "../x"], "--coverage-root: "),
        (&["--coverage-format", "lcov"], "--coverage <FILE>"),
    ] {
        let ended = place.run(&[&base[..], options, &FUNCTIONS].concat()).exits(2);
        assert!(ended.err.contains(words), "{options:?}: {}", ended.err);
    }
    let missing = place.run(&[&base[..], &["--coverage", "../missing"], &FUNCTIONS].concat()).exits(1);
    assert!(missing.err.contains("reading the coverage in ../missing"), "{}", missing.err);
}

#[test]
fn facts_of_a_test_are_used() {
    let (place, shas) = functions();
    let test = r#"test "$(cat "$FIRSTBAD_DEFINITIONS" | tr '{' '\n' | grep -c function)" = 5 || exit 125
        echo '{"facts": [{"file": "app.py", "name": "f1", "variable": "return", "kind": "constant", "values": [1]}]}' \
            > "$FIRSTBAD_SIGNALS"
        grep -A1 f2 app.py | grep -q 'return 1'"#;
    let base = ["slice", "--base", "v1", "-q", "--json", "--journal", "../run.jsonl"];
    sliced(&place.run(&[&base[..], &["--", "sh", "-c", test]].concat()).exits(0).json(), &[&shas[1]]);
    let journal = place.read("run.jsonl");
    assert_eq!(journal.matches(r#""name":"f1","values":[1],"variable":"return""#).count(), 1, "{journal}");
    assert!(journal.contains(r#""facts":[0]"#), "{journal}");
    let bad = r#"echo '{"facts": [{"file": "app.py"}]}' > "$FIRSTBAD_SIGNALS""#;
    let ended = place.run(&["slice", "--base", "v1", "-q", "--", "sh", "-c", bad]).exits(2);
    assert!(ended.err.contains("signals/facts/0/name"), "{}", ended.err);
    let bad = r#"echo '{"facts": ' > "$FIRSTBAD_SIGNALS""#;
    let ended = place.run(&["slice", "--base", "v1", "-q", "--", "sh", "-c", bad]).exits(2);
    assert!(ended.err.contains("FIRSTBAD_SIGNALS") && ended.err.contains("line 2 column 0"), "{}", ended.err);
}

#[test]
fn a_missing_journal_is_not_resumed() {
    let place = Place::new();
    let ended = place.run(&["slice", "--journal", "nosuch.jsonl"]).exits(1);
    assert!(ended.err.contains("journal nosuch.jsonl: it does not exist\nhelp: to start a search"), "{}", ended.err);
}
