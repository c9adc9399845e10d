//! Tests of journals, imported outcomes, and stores.

use std::collections::BTreeSet;
use std::process::Command;

use super::scene::{Ran, Scene};

#[test]
fn a_journal_resumes_without_arguments_and_refuses_other_arguments() {
    let scene = Scene::line(100, 63);
    let journal = scene.path("run.jsonl");
    let journal = journal.to_str().unwrap();
    let first = scene.run_line(&["--journal", journal, "--max-runs", "3", "--timeout", "60s"]);
    assert_eq!(first.code, 14, "{}", first.words);
    let refused = |arguments: &[&str], words: &str| {
        let before = scene.read("run.jsonl");
        let ran = scene.program(&[&["run", "--journal", journal], arguments].concat());
        assert!(ran.code != 0 && ran.words.contains(words), "{arguments:?}: {}", ran.words);
        assert_eq!(scene.read("run.jsonl"), before);
    };
    let (good, bad) = scene.ends();
    let script = scene.script("");
    let test = ["--timeout", "60s", "--", "sh", "-c", &script];
    refused(&["--timeout", "5s"], "Its --timeout is 60.0, not 5.0");
    refused(&["--", "true"], "Its command is [\"sh\",\"-c\",");
    refused(&["--search", "linear"], "it was recorded with --search \"auto\", not \"linear\"");
    refused(&["--first-parent"], "--first-parent");
    refused(&[&["--good", scene.sha(2), "--bad", &bad], &test[..]].concat(), "Its --good is");
    refused(&[&["--good", &good, "--bad", &bad, "--search", "linear"], &test[..]].concat(), "Its --search is");

    let same = [&["run", "--json", "--journal", journal, "--good", &good, "--bad", &bad, "--max-runs", "5"], &test[..]];
    let second = scene.program(&same.concat());
    assert_eq!((second.code, &second.answer["runs"]), (14, &5.into()), "{}", second.words);
    assert!(second.words.contains("resuming"), "{}", second.words);
    let third = scene.program(&["run", "--json", "--journal", journal, "--jobs", "2"]);
    assert_eq!(third.found(), (0, vec![scene.sha(63)]), "{}", third.words);
    let asked = scene.asked();
    // The culprit and its parent can run again to confirm.
    assert!(asked.len() <= asked.iter().collect::<BTreeSet<_>>().len() + 2, "{asked:?}");
    assert_eq!(scene.program(&["run", "--json", "--journal", journal]).found(), (0, vec![scene.sha(63)]));
    assert_eq!(scene.asked().len(), asked.len());
}

#[test]
fn endpoints_are_tested_again_after_a_machine_failure() {
    let scene = Scene::line(30, 12);
    let (journal, library) = (scene.path("run.jsonl"), scene.path("library"));
    let journal = journal.to_str().unwrap();
    let (good, bad) = scene.ends();
    let script = format!("test -e '{}' || exit 1\n{}", library.display(), scene.script(""));
    let run = || {
        scene.program(&[
            "run",
            "--json",
            "--journal",
            journal,
            "--good",
            &good,
            "--bad",
            &bad,
            "--",
            "sh",
            "-c",
            &script,
        ])
    };
    assert_eq!((run().code, run().code), (12, 12));
    let said = scene.command(&["report", journal]).output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let line = said.lines().find(|line| line.contains("firstbad undo ")).unwrap();
    let (command, _) = line.split_once(", if the machine was the reason, then run again").unwrap();
    std::fs::write(&library, "").unwrap();
    // A path with a space is quoted.
    assert!(command.contains("run.jsonl") && command.trim_end().ends_with(" -n 2"), "{command}");
    assert_eq!(scene.program(&["undo", journal, "-n", "2"]).code, 0);
    assert_eq!(run().found(), (0, vec![scene.sha(12)]));
}

#[test]
fn a_rebased_history_is_reported_with_reusable_outcomes() {
    let scene = Scene::line(30, 12);
    let journal = scene.path("run.jsonl");
    let journal = journal.to_str().unwrap();
    assert_eq!(scene.run_line(&["--journal", journal, "--max-runs", "3"]).code, 14);
    let on = |budget: &str| scene.program(&["run", "--journal", journal, "--max-runs", budget]).words;
    assert!(!on("4").contains("rebased"), "all as it was");
    let git = |arguments: &[&str]| {
        let done = Command::new("git").arg("-C").arg(scene.repository.path()).args(arguments).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    // Rewrites the history after the good revision.
    let heads = git(&["for-each-ref", "--format=%(refname)"]);
    heads.lines().for_each(|name| _ = git(&["update-ref", "-d", name]));
    git(&["update-ref", "refs/heads/anew", scene.sha(0)]);
    git(&["symbolic-ref", "HEAD", "refs/heads/anew"]);
    let (said, bad) = (on("5"), &scene.sha(29)[..12]);
    let expected = format!(
        "no branch or tag contains {bad} any more (was it rebased?). This run continues in the old history, start a new run"
    );
    assert!(said.contains(&expected), "{said}");
    assert!(said.contains("with --import and this file to reuse 1 of 4 outcomes"), "{said}");
}

#[test]
fn a_journal_without_a_command_takes_the_first_command() {
    let scene = Scene::line(30, 12);
    let journal = scene.path("run.jsonl");
    let journal = journal.to_str().unwrap();
    let (good, bad) = scene.ends();
    let begun = scene.program(&["init", journal, "--good", &good, "--bad", &bad, "--setup", "true"]);
    assert_eq!(begun.code, 0, "{}", begun.words);
    let script = scene.script("");
    let test = ["--", "sh", "-c", &script];
    let first = scene.program(&[&["run", "--journal", journal, "--max-runs", "2"], &test[..]].concat());
    assert_eq!(first.code, 14, "{}", first.words);
    let before = scene.read("run.jsonl");
    let other = scene.program(&["run", "--journal", journal, "--", "true"]);
    assert_eq!(other.code, 1, "{}", other.words);
    assert!(other.words.contains("was recorded with another test. Its command is [\"sh\",\"-c\","), "{}", other.words);
    assert!(
        other.words.contains("Its --setup is set only in the journal, to [\"sh\",\"-c\",\"true\"]"),
        "{}",
        other.words
    );
    assert_eq!(scene.read("run.jsonl"), before);
    let alone = scene.program(&["run", "--json", "--journal", journal]);
    assert_eq!(alone.found(), (0, vec![scene.sha(12)]), "{}", alone.words);
}

/// A journal contains a command, so its origin matters.
#[test]
fn a_journal_from_elsewhere_runs_nothing_unless_it_is_trusted() {
    let scene = Scene::line(30, 12);
    let journal = scene.path("run.jsonl");
    let journal = journal.to_str().unwrap();
    let output = scene.path("output");
    let options = ["--journal", journal, "--max-runs", "2", "--output-dir", output.to_str().unwrap()];
    assert_eq!(scene.run_line(&options).code, 14);
    std::fs::remove_dir_all(&output).unwrap();
    let asked = scene.asked().len();
    let there = scene.path("there/run.jsonl");
    std::fs::create_dir(scene.path("there")).unwrap();
    std::fs::copy(journal, &there).unwrap();
    let moved = there.to_str().unwrap();

    // A moved, foreign, or changed journal runs nothing.
    let script = scene.script("");
    for verb in [&["run", "--journal"][..], &["explain"]] {
        let stranger = scene.path("stranger");
        let elsewhere = scene.command(&[verb, &[journal]].concat()).env("XDG_STATE_HOME", stranger).output().unwrap();
        for ran in [Ran::of(&elsewhere), scene.program(&[verb, &[moved]].concat())] {
            if verb[0] == "run" {
                assert_eq!(ran.code, 1, "{}", ran.words);
                let shown = serde_json::to_string(&script).unwrap();
                assert!(ran.words.contains("--trust-journal") && ran.words.contains(&shown), "{}", ran.words);
            }
            assert_eq!((scene.asked().len(), output.exists()), (asked, false), "{}", ran.words);
        }
    }
    let changed = scene.read("run.jsonl").replacen("\"jobs\"", "\"job\"", 1).replacen("exit ", "touch x; exit ", 1);
    scene.write("run.jsonl", &firstbad_testkit::journal::resealed(&changed));
    let changed = scene.program(&["run", "--journal", journal]);
    assert!(changed.code == 1 && changed.words.contains("--trust-journal"), "{}", changed.words);

    // A given command needs no trust.
    let own = scene.program(&["run", "--json", "--journal", moved, "--max-runs", "3", "--", "sh", "-c", &script]);
    assert_eq!((own.code, scene.asked().len(), output.exists()), (14, asked + 1, false), "{}", own.words);
    assert_eq!(scene.program(&["run", "--journal", moved]).code, 1);
    let trusted = scene.program(&["run", "--json", "--trust-journal", "--journal", moved]);
    assert_eq!(trusted.found(), (0, vec![scene.sha(12)]), "{}", trusted.words);
    assert!(trusted.words.contains("trusting ") && trusted.words.contains("\"sh\",\"-c\""), "{}", trusted.words);
}

#[test]
fn the_repository_of_a_journal_from_elsewhere_is_ignored() {
    let scene = Scene::line(30, 12);
    let journal = scene.path("run.jsonl");
    assert_eq!(scene.run_line(&["--journal", journal.to_str().unwrap(), "--max-runs", "2"]).code, 14);
    let there = scene.path("there");
    std::fs::create_dir(&there).unwrap();
    std::fs::copy(&journal, there.join("run.jsonl")).unwrap();
    for verb in ["status", "report", "replay"] {
        let ended = |folder: &std::path::Path, words: &[&str]| {
            let mut command = scene.command(&[&[verb], words].concat());
            Ran::of(&command.current_dir(folder).output().unwrap())
        };
        let (home, moved) = (journal.to_str().unwrap(), there.join("run.jsonl"));
        let moved = moved.to_str().unwrap();
        let refused = ended(&there, &[moved]);
        assert!(refused.code == 1 && refused.words.contains("name one with -C"), "{}", refused.words);
        let repository = scene.repository_folder();
        for found in [ended(&there, &[home]), ended(&there, &[moved, "-C", &repository])] {
            assert!([0, 14].contains(&found.code), "{verb}: {}", found.words);
        }
    }
}

#[test]
fn a_torn_line_is_reported() {
    let scene = Scene::line(30, 12);
    let journal = scene.path("run.jsonl");
    let journal = journal.to_str().unwrap();
    assert_eq!(scene.run_line(&["--journal", journal, "--max-runs", "3"]).code, 14);
    scene.write("run.jsonl", &(scene.read("run.jsonl") + "{\"event\":\"to"));
    let ran = scene.program(&["run", "--json", "--journal", journal]);
    assert_eq!(ran.found(), (0, vec![scene.sha(12)]), "{}", ran.words);
    assert!(ran.words.contains("ignoring the incomplete last line"), "{}", ran.words);
}

#[test]
fn imported_outcomes_are_not_asked() {
    let scene = Scene::line(64, 40);
    let unknown = "f".repeat(40);
    let lines = [(scene.sha(41), "fail"), (scene.sha(38), "pass"), (unknown.as_str(), "pass")]
        .map(|(revision, outcome)| format!("{{\"revision\": \"{revision}\", \"outcome\": \"{outcome}\"}}\n"));
    scene.write("known.jsonl", &lines.concat());
    let known = scene.path("known.jsonl");
    let ran = scene.run_line(&["--no-confirm", "--import", known.to_str().unwrap()]);
    assert_eq!(ran.found(), (0, vec![scene.sha(40)]), "{}", ran.words);
    assert_eq!(scene.asked().len(), 4, "{}", ran.words);
    assert!(ran.words.contains("ignoring 1 imported outcome of other histories"), "{}", ran.words);
}

/// Returns commits with contents, because stores use trees.
fn contents(scene: &Scene, values: &[&str]) -> Vec<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(scene.path("work")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    std::fs::create_dir_all(scene.path("work")).unwrap();
    git(&["init", "-q"]);
    let commit = |value: &&str| {
        std::fs::write(scene.path("work/value"), value).unwrap();
        git(&["add", "-A"]);
        git(&["-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-qm", value]);
        git(&["rev-parse", "HEAD"])
    };
    values.iter().map(commit).collect()
}

#[test]
fn runs_share_outcomes_of_equal_trees() {
    let scene = Scene::line(2, 1);
    let shas = contents(&scene, &["1", "2", "3", "4", "5", "6", "7", "8", "4"]);
    let script = format!("cat value >> {}; test $(cat value) -lt 6", scene.path("tested").display());
    let run = |bad: &str, more: &[&str]| {
        let store = scene.path("outcomes.db");
        let work = scene.path("work");
        let repository = ["-C", work.to_str().unwrap(), "--store", store.to_str().unwrap()];
        let start = [&["run", "--json", "--no-confirm"], &repository[..]].concat();
        let ends = ["--good", &shas[0], "--bad", bad];
        scene.program(&[&start[..], &ends, more, &["--", "sh", "-c", &script]].concat())
    };
    let first = run(&shas[7], &[]);
    assert_eq!(first.found(), (0, vec![shas[5].as_str()]), "{}", first.words);
    let tested = scene.read("tested");
    let second = run(&shas[7], &[]);
    assert_eq!(second.found(), first.found(), "{}", second.words);
    assert_eq!((scene.read("tested"), &second.answer["runs"]), (tested.clone(), &0.into()), "{}", second.words);
    let other = run(&shas[7], &["--timeout", "60s"]);
    assert_eq!((other.found(), scene.read("tested").len()), (first.found(), 2 * tested.len()), "{}", other.words);
    if tested.contains('4') {
        let before = scene.read("tested").len();
        let same_tree = run(&shas[8], &[]);
        assert_eq!((same_tree.code, scene.read("tested").len()), (11, before), "{}", same_tree.words);
    }
}

#[test]
fn run_explain_leaves_only_journals() {
    let scene = Scene::line(2, 1);
    let shas = contents(&scene, &["good", "good\nfine", "bad\nfine\nnew", "bad\nfine"]);
    let work = scene.path("work");
    let start = ["run", "--json", "--explain", "-C", work.to_str().unwrap()];
    let ends = ["--good", &shas[0], "--bad", &shas[3], "--", "sh", "-c", "! grep -q bad value"];
    let ran = scene.program(&[&start[..], &ends].concat());
    assert_eq!(ran.found(), (0, vec![shas[2].as_str()]), "{}", ran.words);
    let cause = &ran.answer["causes"][0]["cause"];
    assert_eq!(cause["status"], "found", "{}", ran.answer);
    let patch = cause["patch"].as_str().unwrap();
    assert!(patch.contains("+bad") && !patch.contains("+new"), "{patch}");
    assert_eq!((scene.work_trees(), scene.own_journals().len()), (vec![], 2));
}

#[test]
fn an_invalid_store_is_a_note() {
    let scene = Scene::line(10, 5);
    scene.write("outcomes.db", &"no store ".repeat(200));
    let store = scene.path("outcomes.db");
    let ran: Ran = scene.run_line(&["--store", store.to_str().unwrap()]);
    assert_eq!(ran.found(), (0, vec![scene.sha(5)]), "{}", ran.words);
    assert_eq!(ran.words.matches("--store is not used").count(), 1, "{}", ran.words);
}
