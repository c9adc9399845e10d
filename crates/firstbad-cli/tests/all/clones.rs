//! Tests of partial clones, paths, and bisect logs.

// The commands need a Unix shell.
#![cfg(unix)]

use std::path::PathBuf;

use crate::support::Place;

/// Twelve commits, every third in `lib`. The ninth breaks the test.
fn history() -> (Place, Vec<String>) {
    let place = Place::new();
    place.git(&["config", "uploadpack.allowFilter", "true"]);
    place.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let commit = |number: usize| match number {
        8 => place.commit("lib/broken", "", "Break it"),
        _ if number % 3 == 2 => place.commit("lib/number", &format!("{number}\n"), "A step"),
        _ => place.commit("notes", &format!("{number}\n"), "A note"),
    };
    let shas = (0..12).map(commit).collect();
    (place, shas)
}

fn cloned(place: &Place, name: &str, how: &str) -> PathBuf {
    let path = place.path(name);
    place.git(&["clone", "-q", how, &format!("file://{}", place.repo().display()), path.to_str().unwrap()]);
    path
}

const TEST: [&str; 4] = ["--", "sh", "-c", "! test -e lib/broken"];

#[test]
fn a_shallow_clone_is_refused_before_the_first_run() {
    let (place, shas) = history();
    let clone = cloned(&place, "shallow", "--depth=6");
    let verbs: [(&[&str], &str); 4] = [
        (&["run", "--bad", "HEAD"], "--good: nothing is given"),
        (&["init", "../x.jsonl", "--bad", "HEAD"], "--good: nothing is given"),
        (&["run", "--fix", "--good", "HEAD"], "--bad: nothing is given"),
        (&["port", "--start", "HEAD"], "--good: nothing is given"),
    ];
    for (verb, words) in verbs {
        let ended = place.run_in(&clone, &[verb, &TEST].concat()).exits(2);
        for words in [words, &shas[6], "git fetch --unshallow", "fetch-depth: 0", "--fetch"] {
            assert!(ended.err.contains(words), "{verb:?}: {}", ended.err);
        }
        assert!(!place.path("x.jsonl").exists());
    }
    place.write("log", "git bisect start\ngit bisect bad HEAD\n");
    assert!(place.run_in(&clone, &["replay", "../log"]).exits(2).err.contains("shallow"));
    let found = place.run_in(&clone, &[&["run", "--json", "--good", "HEAD~4", "--bad", "HEAD"][..], &TEST].concat());
    assert_eq!(found.exits(0).json()["points"][0]["culprit"], *shas[8]);
    let found = place.run_in(&clone, &[&["run", "--json", "--fetch", "--bad", "HEAD"][..], &TEST].concat()).exits(0);
    assert_eq!(found.json()["points"][0]["culprit"], *shas[8]);
}

#[test]
fn a_journal_of_a_clone_that_became_shallow_gives_advice() {
    let (place, shas) = history();
    let clone = cloned(&place, "clone", "--no-local");
    let search = ["init", "../search.jsonl", "--good", &shas[0], "--bad", "HEAD"];
    place.run_in(&clone, &search).exits(0);
    std::fs::remove_dir_all(&clone).unwrap();
    let clone = cloned(&place, "clone", "--depth=2");
    let git = |words: &[&str]| place.git(&[&["-C", clone.to_str().unwrap()], words].concat());
    git(&["fetch", "-q", "--depth=1", "origin", &shas[0]]);
    let ended = place.run_in(&clone, &["ask", "../search.jsonl"]).exits(1);
    for words in ["became shallow", "is missing", "help: fetch the history with git fetch --unshallow"] {
        assert!(ended.err.contains(words), "{}", ended.err);
    }
    git(&["fetch", "-q", "--unshallow"]);
    place.run_in(&clone, &["ask", "../search.jsonl"]).exits(0);
}

#[test]
fn a_partial_clone_gives_advice() {
    let (place, shas) = history();
    let clone = cloned(&place, "partial", "--filter=blob:none");
    let run = |how: &[&str]| {
        let words = [&["run", "-q", "--json", "--good", &shas[0], "--bad", "HEAD"], how, &TEST].concat();
        place.run_in(&clone, &words)
    };
    let ended = run(&[]).exits(1);
    assert!(ended.err.contains("this partial clone lacks") && ended.err.contains("--fetch"), "{}", ended.err);
    let found = run(&["--fetch"]).exits(0).json();
    assert_eq!(found["points"][0]["culprit"], *shas[8]);
    // The tested commits are present, so their lines can be counted.
    let report = place.run_in(&clone, &["report"]).exits(0).out;
    assert!(report.contains("  changed     lib/broken +0 -0\n"), "{report}");
}

#[test]
fn a_resumed_run_fetches_again() {
    let (place, shas) = history();
    let clone = cloned(&place, "partial", "--filter=blob:none");
    let ends = ["run", "-q", "--json", "--good", &shas[0], "--bad", "HEAD"];
    let first = place.run_in(&clone, &[&ends[..], &["--fetch", "--max-runs", "2"], &TEST].concat()).exits(14);
    assert!(first.err.contains("run --resume"), "{}", first.err);
    let found = place.run_in(&clone, &["run", "--json", "--resume"]).exits(0);
    assert_eq!(found.json()["points"][0]["culprit"], *shas[8]);
}

#[test]
fn endpoints_need_not_touch_the_path() {
    let (place, shas) = history();
    let run = |form: &str| {
        let words = ["run", "-q", form, "--good", &shas[1], "--bad", &shas[10], "--path", "lib"];
        place.run(&[&words[..], &TEST].concat()).exits(10)
    };
    let found = run("--json").json();
    let point = &found["points"][0];
    assert_eq!(
        (&point["culprit"], &point["bad"], &point["good"], &point["parents_pass"]),
        (&serde_json::Value::Null, &shas[8].as_str().into(), &shas[5].as_str().into(), &false.into())
    );
    assert!(found["message"].as_str().unwrap().contains("but its parent was not tested"), "{found}");
    for form in ["--format=markdown", "--format=html", "--format=github"] {
        let words = run(form).out;
        assert!(words.contains("were not considered"), "{form}: {words}");
    }
}

#[test]
fn a_path_that_starts_later_has_an_older_revision() {
    let (place, shas) = history();
    let found = place.run(&[&["run", "-q", "--json", "--path", "lib/broken"][..], &TEST].concat()).exits(0).json();
    let point = &found["points"][0];
    assert_eq!((&point["culprit"], &point["good"]), (&shas[8].as_str().into(), &shas[7].as_str().into()), "{found}");
}

#[test]
fn pathspecs_are_relative_to_the_current_folder() {
    let (place, shas) = history();
    let folder = place.repo().join("lib");
    let found = |path: &str| {
        place.run_in(&folder, &[&["run", "-q", "--json", "--path", path][..], &TEST].concat()).exits(0).json()
    };
    for path in ["broken", "./broken", "../lib/broken", ":/lib/broken", ":(top)lib/broken", ":(glob)brok*"] {
        let found = found(path);
        let point = &found["points"][0];
        assert_eq!(
            (&point["culprit"], &point["good"]),
            (&shas[8].as_str().into(), &shas[7].as_str().into()),
            "{path}: {found}"
        );
    }
    place.run_in(&folder, &["run", "-q", "--resume", "--path", ":(glob)brok*"]).exits(0);
}

#[test]
fn an_endpoint_that_does_not_touch_the_path_is_not_the_culprit() {
    let (place, shas) = history();
    place.git(&["rm", "-q", "lib/broken"]);
    place.git(&["commit", "-q", "-m", "Repair it"]);
    let repaired = place.commit("lib/number", "13\n", "A step");
    place.commit("broken", "", "Break it elsewhere");
    let newest = place.commit("notes", "14\n", "A note");
    let test = ["--", "sh", "-c", "! test -e broken"];
    let run = |form: &str| {
        let words = ["run", "-q", form, "--good", &repaired, "--bad", "HEAD", "--path", "lib"];
        place.run(&[&words[..], &test].concat()).exits(10)
    };
    let found = run("--json").json();
    let point = &found["points"][0];
    assert_eq!((&found["status"], &point["culprit"]), (&"ambiguous".into(), &serde_json::Value::Null));
    assert_eq!((&point["outside_paths"], &point["bad"]), (&true.into(), &newest.as_str().into()));
    for form in ["--format=markdown", "--format=html"] {
        let words = run(form).out;
        let said = if form == "--format=html" { "were not considered" } else { "No commit that touches" };
        assert!(words.contains(said), "{form}: {words}");
    }
    let words = ["run", "-q", "--json", "--good", &shas[8], "--bad", &newest, "--path", "notes", "--path", "broken"];
    let found = place.run(&[&words[..], &test].concat()).exits(10).json();
    assert_eq!(found["points"][0]["bad"].as_str(), Some(&*place.git(&["rev-parse", "HEAD~1"]).trim().to_owned()));
    let ended = place.run(&[&["run", "--good", &shas[8], "--path", "nothing"][..], &test].concat()).exits(2);
    assert!(ended.err.contains("--path: [\"nothing\"] is not valid"), "{}", ended.err);
}

#[test]
fn outcomes_are_exported_to_git_bisect_and_imported() {
    let (place, shas) = history();
    let journal = place.path("run.jsonl");
    let journal = journal.to_str().unwrap();
    let words = ["run", "-q", "--journal", journal, "--good", &shas[1], "--bad", &shas[10], "--path", "lib"];
    place.run(&[&words[..], &TEST].concat()).exits(10);
    let log = place.run(&["report", journal, "--format=bisect-log"]).exits(10).out;
    place.write("log", &log);
    let log_path = place.path("log");
    let replayed = place.git(&["bisect", "replay", log_path.to_str().unwrap()]);
    // Newer versions of Git write 'bad'.
    let plain = |words: &str| words.replace('\'', "");
    assert!(plain(&replayed).contains(&format!("{} is the first bad commit", shas[8])), "{replayed}");
    let own = place.git(&["bisect", "log"]);
    place.git(&["bisect", "reset"]);
    // The log of Git contains endpoints that do not touch the path.
    place.write("own", &own);
    for name in ["../log", "../own"] {
        let read = place.run(&["replay", name, "--json"]).exits(10).json();
        assert_eq!(read["points"][0]["bad"], *shas[8], "{name}");
        let words = ["run", "-q", "--json", "--import", name, "--good", &shas[1], "--bad", &shas[10], "--path", "lib"];
        let known = place.run(&[&words[..], &TEST].concat()).exits(10).json();
        assert_eq!((&known["runs"], &known["points"][0]["bad"]), (&0.into(), &shas[8].as_str().into()), "{name}");
    }
    let line = format!("run -q --format=bisect-log --fix --bad {} --good {} -- test -e lib/broken", shas[1], shas[10]);
    let fixed: Vec<&str> = line.split(' ').collect();
    let log = place.run(&fixed).exits(0).out;
    assert!(log.starts_with("git bisect start '--term-new=fixed' '--term-old=broken'\n"), "{log}");
    place.write("log", &log);
    let replayed = place.git(&["bisect", "replay", log_path.to_str().unwrap()]);
    assert!(plain(&replayed).contains(&format!("{} is the first fixed commit", shas[8])), "{replayed}");
    place.write("own", &place.git(&["bisect", "log"]));
    place.git(&["bisect", "reset"]);
    for name in ["../log", "../own"] {
        let read = place.run(&["replay", name, "--json"]).exits(0).json();
        let point = &read["points"][0];
        assert_eq!((&point["find"], &point["culprit"]), (&"fix".into(), &shas[8].as_str().into()), "{name}");
        let known = place.run(&[&fixed[..2], &["--json", "--import", name], &fixed[3..]].concat()).exits(0).json();
        assert_eq!((&known["runs"], &known["points"][0]["culprit"]), (&0.into(), &shas[8].as_str().into()), "{name}");
    }
}

#[test]
fn no_culprit_without_an_older_outcome() {
    let place = Place::new();
    let good = place.commit("a", "1\n", "One");
    place.git(&["checkout", "-q", "--orphan", "side"]);
    place.git(&["rm", "-rfq", "."]);
    let root = place.commit("b", "1\n", "Another beginning");
    place.commit("b", "2\n", "Two");
    place.git(&["checkout", "-q", "main"]);
    place.git(&["merge", "-q", "--allow-unrelated-histories", "-m", "Both", "side"]);
    let run = |form: &str| {
        let words = ["run", "-q", form, "--good", &good, "--bad", "HEAD", "--", "sh", "-c", "! test -e b"];
        place.run(&words).exits(0).out
    };
    let found: serde_json::Value = serde_json::from_str(&run("--json")).unwrap();
    let second = &found["points"][1];
    assert_eq!(
        (&second["bad"], &second["good"], &second["parents_pass"]),
        (&root.as_str().into(), &().into(), &false.into())
    );
    assert!(second["culprit"].is_null(), "{second}");
    let short = &root[..12];
    for form in ["--format=markdown", "--format=github", "--format=gitlab", "--format=html"] {
        let words = run(form);
        for line in words.lines() {
            assert!(!line.to_lowercase().contains(&format!("by {short}")), "{form}: {line}");
            assert!(!line.to_lowercase().contains(&format!("by `{short}")), "{form}: {line}");
        }
    }
}

#[test]
fn empty_submodules_are_named_if_nothing_could_be_tested() {
    let place = Place::new();
    place.write("repo/.gitmodules", "[submodule \"lib\"]\n\tpath = lib\n\turl = ../lib\n");
    let good = place.commit("large", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "One");
    place.commit("a", "1\n", "Two");
    let found = place.run(&["run", "-q", "--json", "--good", &good, "--bad", "HEAD", "--", "sh", "-c", "exit 125"]);
    let found = found.exits(19).json();
    let warnings: Vec<&str> = found["warnings"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert!(warnings[0].contains("⟦submodules=true⟧") && warnings[1].contains("such as large"), "{warnings:?}");
    let none = place.run(&["run", "-q", "--json", "--good", &good, "--bad", "HEAD", "--", "sh", "-c", "exit 1"]).json();
    let warning = none["warnings"][0].as_str().unwrap();
    assert!(warning.contains("failed, as every revision did, and it has submodules (.gitmodules)"), "{warning}");
    let passes = place.run(&["run", "-q", "--json", "--good", &good, "--bad", "HEAD", "--", "sh", "-c", "exit 0"]);
    assert!(passes.json()["warnings"] == serde_json::json!([]));
}

#[test]
fn the_last_run_in_a_repository_that_was_moved_is_named() {
    let (place, shas) = history();
    let words = ["run", "-q", "--good", &shas[1], "--bad", &shas[10], "--max-runs", "2", "--", "test", "!", "-e"];
    place.run(&[&words[..], &["lib/broken"]].concat()).exits(14);
    std::fs::rename(place.repo(), place.path("moved")).unwrap();
    let said = place.run_in(&place.path("moved"), &["run", "--resume"]).exits(2).err;
    let (_, rest) = said.split_once("no run was started in this folder, but ").unwrap_or_default();
    let (journal, rest) = rest.split_once(' ').unwrap_or_default();
    assert!(rest.starts_with("has the last run of a repository with this history"), "{said}");
    let on = place.run_in(&place.path("moved"), &["run", "--json", "--journal", journal]).exits(0);
    assert_eq!(on.json()["points"][0]["culprit"], *shas[8], "{}", on.err);
    // Another history does not match.
    let other = Place::new();
    other.commit("a", "1\n", "One");
    std::fs::rename(other.repo(), place.path("other")).unwrap();
    let said = place.run_in(&place.path("other"), &["run", "--resume"]).exits(2).err;
    assert!(said.starts_with("error: no run was started in this folder\n"), "{said}");
}

#[test]
fn the_reason_for_an_empty_submodule_comes_first() {
    let place = Place::new();
    let good = place.commit("a", "1\n", "One");
    place.write("repo/.gitmodules", "[submodule \"lib\"]\n\tpath = lib\n\turl = /nowhere\n");
    place.git(&["add", ".gitmodules"]);
    place.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{good},lib")]);
    place.git(&["commit", "-q", "-m", "Two"]);
    place.configure("submodules = true");
    let found = place.run(&["run", "-q", "--good", "HEAD~1", "--bad", "HEAD", "--", "true"]).exits(19);
    let why = "is unresolved (cannot fill the submodule lib: fatal: transport 'file' not allowed (git fetch";
    assert!(found.out.contains(why) && !found.out.contains("firstbad.toml"), "{}", found.out);
    assert!(found.err.contains("    | cannot fill the submodule lib: fatal: transport 'file' not"), "{}", found.err);
    // Lines of Git's message are joined.
    place.git(&["config", "protocol.file.allow", "always"]);
    let found = place.run(&["run", "--good", "HEAD~1", "--bad", "HEAD", "--", "true"]).exits(19);
    let line = found.err.lines().find(|line| line.starts_with("1 run")).unwrap_or_default();
    assert!(line.contains("a git repository; fatal: ") && line.ends_with(" s) Two"), "{}", found.err);
}

#[test]
fn a_machine_that_fails_at_once_stops_the_run_with_a_resume_hint() {
    let (place, shas) = history();
    let words = ["run", "-q", "--good", &shas[1], "--bad", &shas[10], "--treat", "75=retry"];
    let away = place.path("away");
    std::fs::write(&away, "").unwrap();
    let test = format!("test ! -e {} || exit 75; ! test -e lib/broken", away.display());
    let ended = place.run(&[&words[..], &["--", "sh", "-c", &test]].concat());
    assert!(ended.code != 0 && ended.err.contains("the machine failed at revision"), "{}", ended.err);
    assert!(ended.err.ends_with("to resume: firstbad run --resume\n"), "{}", ended.err);
    assert!(ended.out.starts_with("Stopped after 0 runs"), "{}", ended.out);
    assert!(ended.out.contains("firstbad run --resume\n"), "{}", ended.out);
    std::fs::remove_file(&away).unwrap();
    let found = place.run(&["run", "-q", "--json", "--resume"]).exits(0).json();
    assert_eq!(found["points"][0]["culprit"], *shas[8]);
}
