//! Commands that read journals run no programs of a repository.

// The commands need a Unix shell.
#![cfg(unix)]

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;

use crate::support::Place;

const VERBS: [&[&str]; 7] = [
    &["status", "JOURNAL"],
    &["report", "JOURNAL"],
    &["replay", "JOURNAL"],
    &["explain", "JOURNAL"],
    &["ask", "JOURNAL"],
    &["tell", "JOURNAL", ":text", "pass"],
    &["undo", "JOURNAL"],
];

/// A repository whose configuration names programs. Each program writes a file to the folder `marks`.
struct Hostile {
    place: Place,
    shas: Vec<String>,
}

impl Hostile {
    fn new() -> Hostile {
        let place = Place::new();
        place.write("repo/.gitattributes", "text diff=mark filter=mark\n");
        let shas = (0..4).map(|number| place.commit("text", &format!("{number}\n"), "Step")).collect();
        // A changed file makes Git read the index and ask the monitor.
        place.write("repo/text", "changed\n");
        std::fs::create_dir(place.path("marks")).unwrap();
        for (key, name) in [
            ("core.fsmonitor", "fsmonitor"),
            ("core.pager", "pager"),
            ("core.editor", "editor"),
            ("core.sshCommand", "ssh"),
            ("core.gitProxy", "proxy"),
            ("core.askPass", "askpass"),
            ("core.alternateRefsCommand", "alternates"),
            ("credential.helper", "credential"),
            ("diff.external", "external"),
            ("diff.mark.textconv", "textconv"),
            ("diff.mark.command", "command"),
            ("filter.mark.clean", "clean"),
            ("filter.mark.smudge", "smudge"),
            ("filter.mark.process", "process"),
            ("gpg.program", "gpg"),
            ("uploadpack.packObjectsHook", "hook"),
        ] {
            place.git(&["config", key, place.program(name).to_str().unwrap()]);
        }
        for hook in ["post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"] {
            let path = place.path("repo/.git/hooks");
            std::fs::create_dir_all(&path).unwrap();
            std::fs::copy(place.program(hook), path.join(hook)).unwrap();
        }
        // A promisor remote would fetch missing objects.
        for (key, value) in [
            ("core.repositoryFormatVersion", "1".to_owned()),
            ("extensions.partialClone", "origin".to_owned()),
            ("remote.origin.promisor", "true".to_owned()),
            ("remote.origin.url", format!("ext::{}", place.program("fetch").display())),
            ("protocol.ext.allow", "always".to_owned()),
            ("log.showSignature", "true".to_owned()),
        ] {
            place.git(&["config", key, &value]);
        }
        place.forget_marks();
        Hostile { place, shas }
    }

    /// Writes a journal of an attacker with `tip` instead of a full id.
    fn journal(&self, name: &str, tip: &str, repository: &str) {
        let header = serde_json::json!({
            "journal": 1, "id": "x", "created": 0.0, "algorithm": "regression",
            "configuration": {"bad": [self.shas[3]], "good": [self.shas[0]]},
            "fingerprint": "0".repeat(32),
            "world": {"git": {
                "repository": repository, "tips": [tip, self.shas[3]], "exclude": [], "first_parent": false, "paths": [],
            }},
            "test": {"command": [self.place.program("test")]},
        });
        self.place.write(name, &format!("{header}\n"));
    }
}

impl Place {
    /// Returns a program that writes a mark.
    fn program(&self, name: &str) -> PathBuf {
        let path = self.path(&format!("programs/{name}"));
        self.write(
            &format!("programs/{name}"),
            &format!("#!/bin/sh\ntouch '{}/{name}'\n", self.path("marks").display()),
        );
        std::fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn marks(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path("marks")).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    fn forget_marks(&self) {
        for name in self.marks() {
            std::fs::remove_file(self.path("marks").join(name)).unwrap();
        }
    }
}

#[test]
fn the_hostile_repository_works_with_plain_git() {
    let Hostile { place, .. } = Hostile::new();
    let git =
        |arguments: &[&str]| drop(Command::new("git").args(arguments).current_dir(place.repo()).output().unwrap());
    git(&["status"]);
    git(&["rev-parse", ":text"]);
    git(&["cat-file", "-e", &"1".repeat(40)]);
    git(&["diff"]);
    let marks = place.marks();
    for name in ["fsmonitor", "fetch", "process", "post-index-change"] {
        assert!(marks.iter().any(|mark| mark == name), "{name}: {marks:?}");
    }
}

#[test]
fn no_reading_command_runs_a_program_of_the_repository() {
    let hostile = Hostile::new();
    let Hostile { place, shas } = &hostile;
    let folder = place.repo().display().to_string();
    for tip in [&shas[2], ":text", ":0:text", &"1".repeat(40), "HEAD^{/x}", "--all", "main"] {
        hostile.journal("run.jsonl", tip, &folder);
        for verb in VERBS {
            let words: Vec<&str> =
                verb.iter().map(|&word| if word == "JOURNAL" { "../run.jsonl" } else { word }).collect();
            let ended = place.run(&words);
            assert_eq!(place.marks(), [""; 0], "{verb:?} of {tip}: {}", ended.err);
            // Names are not ids, so nothing is looked up.
            assert_eq!(ended.err.contains("full ids"), tip.len() != 40, "{verb:?} of {tip}: {}", ended.err);
        }
        let log = format!("git bisect start '{}' '{tip}'\ngit bisect bad '{tip}'\n", shas[3]);
        place.write("log", &log);
        place.run(&["replay", "../log"]);
        place.run(&["replay", "../log", "--journal", "../begun.jsonl"]);
        assert_eq!(place.marks(), [""; 0], "replay of {tip}");
    }
    // A run in that repository runs only the user's test.
    place.run(&["run", "-q", "--bad", &shas[3], "--good", &shas[0], "--no-test-endpoints", "--", "true"]);
    assert_eq!(place.marks(), [""; 0]);
}

#[test]
fn fetching_runs_no_program_of_the_repository() {
    let Hostile { place, shas } = Hostile::new();
    let program = |name: &str| place.program(name).display().to_string();
    place.git(&["config", "remote.origin.uploadpack", &program("uploadpack")]);
    place.git(&["config", "credential.http://127.0.0.1:1.helper", &program("credential")]);
    place.git(&["config", "alias.lfs", &format!("!{}", program("alias"))]);
    let from = place.path("from");
    place.git(&[
        "clone",
        "-q",
        "--no-checkout",
        "--bare",
        &place.repo().display().to_string(),
        &from.display().to_string(),
    ]);
    place.forget_marks();
    for (url, words) in [
        (format!("ext::{}", program("fetch")), "not allowed"),
        ("ssh://127.0.0.1:1/x".to_owned(), "git fetch"),
        ("git://127.0.0.1:1/x".to_owned(), "git fetch"),
        ("http://127.0.0.1:1/x".to_owned(), "git fetch"),
        (format!("file://{}", from.display()), ""),
    ] {
        // The last fetch completes the history.
        place.write("repo/.git/shallow", &format!("{}\n", shas[1]));
        place.git(&["config", "remote.origin.url", &url]);
        place.forget_marks();
        place.configure("lfs = true");
        let ended = place.run(&["run", "-q", "--fetch", "--bad", &shas[3], "--good", &shas[0], "--", "true"]);
        assert_eq!(place.marks(), [""; 0], "{url}: {}", ended.err);
        assert!(ended.err.contains(words), "{url}: {}", ended.err);
        let ended = place.run(&["rank", "--fetch", "--bad", &shas[3], "--good", &shas[0]]);
        assert_eq!(place.marks(), [""; 0], "{url}: {}", ended.err);
    }
    assert!(!place.path("repo/.git/shallow").exists());
}

#[test]
fn a_journal_opens_only_the_repository_of_the_current_folder() {
    let hostile = Hostile::new();
    let here = Place::new();
    here.commit("a", "1\n", "One");
    hostile.journal("run.jsonl", &hostile.shas[2], hostile.place.repo().to_str().unwrap());
    // Git would fail if it opened this repository.
    hostile.place.git(&["config", "core.repositoryFormatVersion", "99"]);
    let journal = hostile.place.path("run.jsonl");
    for verb in VERBS {
        let path = journal.to_str().unwrap();
        let words: Vec<&str> = verb.iter().map(|&word| if word == "JOURNAL" { path } else { word }).collect();
        let ended = here.run(&words);
        assert_eq!(ended.code, 1, "{verb:?}: {}", ended.err);
        assert!(ended.err.contains("started elsewhere") && !ended.err.contains("found 99"), "{verb:?}: {}", ended.err);
        assert_eq!(hostile.place.marks(), [""; 0], "{verb:?}");
    }
}
