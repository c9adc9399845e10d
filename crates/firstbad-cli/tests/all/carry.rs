//! Tests of copied files.
#![cfg(unix)]

use crate::support::{Ended, Place};

/// A repository whose fourth of six commits breaks an untracked test.
fn place() -> (Place, String) {
    let place = Place::new();
    let shas: Vec<String> = (0..6).map(|number| place.commit("value", &number.to_string(), "change value")).collect();
    place.write("repo/chk.py", "import sys\nsys.exit(int(open('value').read()) > 2)\n");
    (place, shas[3].clone())
}

fn run(place: &Place, options: &[&str], command: &[&str]) -> Ended {
    let ends = ["run", "--json", "--quiet", "--good", "main~5", "--bad", "main"];
    place.run(&[&ends[..], options, &["--"], command].concat())
}

fn found(ended: &Ended) -> String {
    ended.json()["points"][0]["bad"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn an_untracked_test_file_is_copied() {
    let (place, culprit) = place();
    for command in [&["python3", "chk.py"][..], &["sh", "-c", "python3 ./chk.py"]] {
        let ended = run(&place, &[], command).exits(0);
        assert_eq!(found(&ended), culprit);
    }
    let said = "copying the untracked file chk.py into each revision (--copy none turns this off)";
    let words = ["run", "--good", "main~5", "--bad", "main", "--", "python3", "chk.py"];
    let ended = place.run(&words).exits(0);
    assert_eq!(ended.err.lines().filter(|line| line.contains(said)).count(), 1, "{}", ended.err);
    let ended = run(&place, &["--copy", "none"], &["python3", "chk.py"]).exits(12);
    assert!(ended.err.contains("open file"), "the last lines say why: {}", ended.err);
    let ended = run(&place, &["--copy", "nothing.py"], &["python3", "chk.py"]).exits(2);
    assert!(ended.err.contains("--copy: \"nothing.py\" (No such file"), "{}", ended.err);
}

#[test]
fn a_script_without_a_shebang_runs_in_a_shell() {
    use std::os::unix::fs::PermissionsExt as _;

    let (place, culprit) = place();
    let run_script = |text: &str| {
        place.write("repo/check", text);
        std::fs::set_permissions(place.path("repo/check"), std::fs::Permissions::from_mode(0o755)).unwrap();
        run(&place, &[], &["./check"])
    };
    assert_eq!(found(&run_script("[ $(cat value) -le 2 ]\n").exits(0)), culprit);
    let ended = run_script("#!/bin/sh\r\nexit 0\r\n").exits(15);
    let said = r#"./check: No such file or directory (os error 2): "/bin/sh\r", in its first line"#;
    assert!(ended.err.contains(said), "{}", ended.err);
}

#[test]
fn a_journal_keeps_the_copied_test_file() {
    let (place, culprit) = place();
    let journal = ["--journal", "run.jsonl", "--max-runs", "2"];
    run(&place, &journal, &["python3", "chk.py"]).exits(14);
    let check = place.read("repo/chk.py");
    place.write("repo/chk.py", "raise SystemExit(0)\n");
    let other = run(&place, &["--journal", "run.jsonl"], &["python3", "chk.py"]).exits(1);
    assert!(other.err.contains("another test. Its carried.chk.py differs"), "{}", other.err);
    let other = place.run(&["run", "--resume", "--", "python3", "chk.py"]).exits(1);
    assert!(
        other.err.contains("start a new run that imports the outcomes: replace --resume by --import /"),
        "{}",
        other.err
    );
    let budget = ["--max-runs", "3"];
    let few = place.run(&[&["run", "--journal", "run.jsonl", "--quiet"], &budget[..]].concat()).exits(14);
    assert!(few.err.contains("note: chk.py has changed"), "the answer is about another one: {}", few.err);
    let on = place.run(&["run", "--journal", "run.jsonl", "--json"]).exits(0);
    assert_eq!(found(&on), culprit);
    assert!(on.err.contains("note: chk.py has changed, but a resumed run uses the old file"), "{}", on.err);
    place.write("repo/chk.py", &check);
    let store = ["--store", "outcomes"];
    assert_eq!(found(&run(&place, &store, &["python3", "chk.py"]).exits(0)), culprit);
    let again = run(&place, &store, &["python3", "chk.py"]).exits(0);
    assert_eq!(again.json()["runs"], 2, "the same check, confirmed");
    place.write("repo/chk.py", &format!("{check}# another\n"));
    let other = run(&place, &store, &["python3", "chk.py"]).exits(0);
    assert!(other.json()["runs"].as_u64().unwrap() > 2, "another check is another test");
}

#[test]
fn a_changed_script_is_another_test() {
    let (place, culprit) = place();
    let (path, said) = (place.path("check.sh"), place.path("said.txt"));
    let script = |last: &str| {
        place.write("check.sh", &format!("date > log.txt; date > {}\n[ $(cat value) -le {last} ]\n", said.display()));
    };
    let command = ["sh", path.to_str().unwrap(), said.to_str().unwrap()];
    place.write("said.txt", "a test may write to it\n");
    script("2");
    let store = ["--store", "outcomes"];
    run(&place, &["--journal", "run.jsonl", "--max-runs", "2"], &command).exits(14);
    assert_eq!(found(&run(&place, &["--journal", "run.jsonl"], &command).exits(0)), culprit);
    run(&place, &["--max-runs", "2"], &command).exits(14);
    run(&place, &store, &command).exits(0);
    assert_eq!(run(&place, &store, &command).exits(0).json()["runs"], 2, "the same script, confirmed");
    script("3");
    let other = place.run(&["run", "--resume"]).exits(1);
    assert!(other.err.contains(&format!("Its files.{} differs", path.display())), "{}", other.err);
    let other = run(&place, &store, &command).exits(0);
    assert!(other.json()["runs"].as_u64() > Some(2) && found(&other) != culprit, "another script is another test");
}

#[test]
fn a_test_file_missing_at_good_revisions_is_reported() {
    let (place, culprit) = place();
    let check = place.read("repo/chk.py");
    place.commit("chk.py", &check, "add a check");
    let ends = ["--good", "main~6", "--bad", "main"];
    let words = ["--", "python3", "chk.py"];
    let without = place.run(&[&["run"], &ends[..], &words].concat()).exits(12);
    let said = format!(
        "chk.py does not exist at {} (if the test needs it, use --copy chk.py)",
        &place.git(&["rev-parse", "main~6"])[..12]
    );
    assert!(without.err.contains(&said), "{}", without.err);
    let with = place.run(&[&["run", "--json"], &ends[..], &["--copy", "chk.py"], &words].concat()).exits(0);
    assert_eq!(found(&with), culprit);
    assert!(!with.err.contains("does not exist"), "{}", with.err);
}

#[test]
fn indirect_and_uncommitted_test_files_are_reported() {
    let (place, culprit) = place();
    place.write("repo/helper.py", "import sys\nsys.exit(int(open('value').read()) > 2)\n");
    place.write("repo/chk.sh", "exec python3 ./helper.py\n");
    let words = ["run", "--json", "--good", "main~5", "--bad", "main"];
    let said = "the untracked file helper.py is not copied, because it is only named in a copied file \
                (--copy chk.sh --copy helper.py copies it)";
    let without = place.run(&[&words[..], &["--", "sh", "chk.sh"]].concat()).exits(12);
    assert!(without.err.contains(said), "{}", without.err);
    let both = ["--copy", "chk.sh", "--copy", "helper.py", "--", "sh", "chk.sh"];
    assert_eq!(found(&place.run(&[&words[..], &both].concat()).exits(0)), culprit);

    place.commit("tracked.py", "raise SystemExit(0)\n", "add a check");
    let changed = "tracked.py has uncommitted changes, which are not tested";
    let words = ["run", "--good", "main~1", "--bad", "main", "--", "python3", "tracked.py"];
    let seen = |is: bool| {
        let ended = place.run(&words);
        assert_eq!(ended.err.contains(changed), is, "{}", ended.err);
    };
    seen(false);
    place.write("repo/tracked.py", &place.read("repo/chk.py"));
    seen(true);
    place.git(&["add", "tracked.py"]);
    seen(true);
    // Line endings are not a change, and filters must not run.
    place.write("repo/tracked.py", "raise SystemExit(0)\r\n");
    seen(false);
    place.write("repo/tracked.py", &place.read("repo/chk.py"));
    place.write("repo/.git/info/attributes", "tracked.py filter=mark\n");
    let mark = place.path("mark");
    place.git(&["config", "filter.mark.clean", &format!("touch '{}'; cat", mark.display())]);
    seen(false);
    assert!(!mark.exists(), "a program that the configuration names was run");
}

#[test]
fn a_program_name_without_a_folder_is_reported_even_with_quiet() {
    let (place, _) = place();
    place.write("repo/chk.sh", "exit 0\n");
    let run = |check: &str| place.run(&["run", "-q", "--good", "main~5", "--bad", "main", "--", check]);
    let said = "commands run at the top of the repository, for the file in this folder use ./chk.sh instead of chk.sh";
    assert!(run("chk.sh").exits(15).err.contains(said));
    let other = run("no-chk.sh").exits(15).err;
    assert!(!other.contains("in this folder"), "{other}");
}

#[test]
fn a_path_from_another_folder_is_reported() {
    let (place, culprit) = place();
    place.write("repo/scratch/chk.py", &place.read("repo/chk.py"));
    place.write("chk.py", &place.read("repo/chk.py"));
    let outside = place.path("chk.py").canonicalize().unwrap();
    let outside = outside.to_str().unwrap();
    let ends = ["run", "--json", "--good", "main~5", "--bad", "main", "--", "python3"];
    let run = |folder: &str, check: &str| place.run_in(&place.path(folder), &[&ends[..], &[check]].concat());
    for (folder, check, instead) in [
        ("repo/scratch", "chk.py", None), // the top has one, too
        ("repo/scratch", "./scratch/chk.py", None),
        ("repo/scratch", "../chk.py", Some("./chk.py")),
        ("repo/scratch", "../../chk.py", Some(outside)),
        ("repo", "../chk.py", Some(outside)),
        ("repo", "../nothing.py", None),
    ] {
        let said = run(folder, check).err;
        let expected = instead.map(|path| {
            format!(
                "commands run at the top of the repository, for the file in this folder use {path} instead of {check}"
            )
        });
        assert_eq!(said.contains("at the top of the repository"), expected.is_some(), "{check}: {said}");
        if let Some((expected, instead)) = expected.zip(instead) {
            assert!(said.contains(&expected), "{check}: {said}");
            assert_eq!(found(&run(folder, instead).exits(0)), culprit, "{instead}");
        }
    }
}
