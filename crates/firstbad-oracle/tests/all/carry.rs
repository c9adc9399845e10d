//! Untracked files of the checkout, copied into worktrees.
#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::common::Repo;
use firstbad::Error;
use firstbad_oracle::{CommandOptions, CommandOracle, CopyFiles, NotCarried, TestRecord, carried_files};

/// Creates a repository with two commits. The second one contains its own version of the check.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("value", "1\n");
    repo.commit("one");
    repo.write("own.sh", "echo own\n");
    repo.commit("two");
    repo
}

fn program(repo: &Repo, name: &str, text: &str) {
    repo.write(name, text);
    let path = repo.open().path().join(name);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn words(command: &[&str]) -> Vec<String> {
    command.iter().map(|&word| word.to_owned()).collect()
}

fn named(repo: &Repo, command: &[&str]) -> (Vec<String>, Vec<(String, NotCarried)>) {
    let found = carried_files(&repo.open(), &words(command), &repo.options()).unwrap();
    (found.carried.into_keys().collect(), found.left.into_iter().collect())
}

/// Returns the outcomes of a command for several revisions, run in sequence in the same worktree.
fn outcomes(repo: &Repo, command: &[&str], revisions: &[&str], options: CommandOptions) -> Vec<String> {
    let oracle = CommandOracle::new(&repo.open(), words(command), options).unwrap();
    revisions
        .iter()
        .map(|revision| {
            oracle.run(revision).map_or_else(|error| error.code().to_owned(), |seen| seen.outcome.as_str().to_owned())
        })
        .collect()
}

#[test]
fn an_untracked_script_runs_at_every_revision() {
    let repo = repo();
    program(&repo, "chk.sh", "#!/bin/sh\ngrep -q 1 value\n");
    repo.write("scratch/chk.py", "import sys\nsys.exit(0)\n");
    for how in [false, true] {
        for command in
            [&["./chk.sh"][..], &["bash", "chk.sh"], &["sh", "-c", "cd . && ./chk.sh"], &["python3", "scratch/chk.py"]]
        {
            let options = CommandOptions { keep_build: how, ..repo.options() };
            assert_eq!(outcomes(&repo, command, &["HEAD", "HEAD~1", "HEAD"], options), ["pass"; 3], "{command:?}");
        }
    }
    let off = CommandOptions { copy_files: CopyFiles::Paths(Vec::new()), ..repo.options() };
    assert_eq!(outcomes(&repo, &["./chk.sh"], &["HEAD"], off), ["command_not_found"]);
    let status = repo.git(&["status", "--porcelain"]);
    assert_eq!(status.trim(), "?? chk.sh\n?? scratch/", "the checkout is as it was");
}

#[test]
fn copied_contents_are_read_at_the_start_and_recorded() {
    let repo = repo();
    program(&repo, "chk.sh", "#!/bin/sh\nexit 0\n");
    let oracle = CommandOracle::new(&repo.open(), words(&["./chk.sh"]), repo.options()).unwrap();
    let record = oracle.record();
    assert_eq!(oracle.carried().collect::<Vec<_>>(), ["chk.sh"]);
    program(&repo, "chk.sh", "#!/bin/sh\nexit 1\n");
    assert_eq!(oracle.run("HEAD").unwrap().outcome.as_str(), "pass");
    let changed = CommandOracle::new(&repo.open(), words(&["./chk.sh"]), repo.options()).unwrap();
    assert_ne!(changed.record(), record);
    // The recorded test also runs after the file is removed.
    let kept = TestRecord::read(&record.value().unwrap()).unwrap();
    std::fs::remove_file(repo.open().path().join("chk.sh")).unwrap();
    let options = CommandOptions { worktrees: repo.options().worktrees, ..kept.options().unwrap() };
    assert_eq!(outcomes(&repo, &["./chk.sh"], &["HEAD"], options), ["pass"]);
}

#[test]
fn copied_files_do_not_replace_files_of_the_revision() {
    let repo = repo();
    repo.git(&["rm", "-q", "own.sh"]);
    repo.commit("three");
    repo.write("own.sh", "echo carried\n");
    let oracle =
        CommandOracle::new(&repo.open(), words(&["sh", "-c", "sh own.sh | grep -q own", "own.sh"]), repo.options())
            .unwrap();
    assert_eq!(oracle.run("HEAD").unwrap().outcome.as_str(), "fail");
    let seen = oracle.run("HEAD~1").unwrap();
    assert_eq!(seen.outcome.as_str(), "pass");
    assert!(seen.note.as_deref().unwrap().ends_with("; with own.sh from the revision"), "{:?}", seen.note);
    assert_eq!(repo.open().missing_files("HEAD~2", &words(&["own.sh", "value"])).unwrap(), ["own.sh"]);
}

#[test]
fn possible_build_output_is_not_copied() {
    let repo = repo();
    repo.write(".gitignore", "/dist/\n/local.sh\n");
    repo.commit("ignore");
    for name in ["dist/app.js", "local.sh", "new.sh", ".env"] {
        repo.write(name, "exit 0\n");
    }
    std::fs::write(repo.open().path().join("app"), b"\x7fELF\0").unwrap();
    let long = "#".repeat((1 << 20) + 1);
    repo.write("long.sh", &long);
    let (carried, left) =
        named(&repo, &["node", "dist/app.js", "local.sh", "new.sh", "--env-file=.env", "./app", "long.sh", "value"]);
    assert_eq!(carried, ["local.sh", "new.sh"]);
    let expected = [
        (".env", NotCarried::Hidden),
        ("app", NotCarried::Binary),
        ("dist/app.js", NotCarried::Made),
        ("long.sh", NotCarried::TooLong),
    ];
    assert_eq!(left, expected.map(|(name, why)| (name.to_owned(), why)));
    // If there is a build, ignored files may be its output.
    assert_eq!(named(&repo, &["sh", "-c", "make && ./local.sh"]).1, [("local.sh".to_owned(), NotCarried::Made)]);
    let built = CommandOptions { build: Some(words(&["make"])), ..repo.options() };
    assert!(carried_files(&repo.open(), &words(&["sh", "local.sh"]), &built).unwrap().carried.is_empty());
    // Copied files are older than the files from which `make` builds.
    let older = ["sh", "-c", "test value -nt new.sh", "new.sh"];
    assert_eq!(outcomes(&repo, &older, &["HEAD"], repo.options()), ["pass"]);
}

#[test]
fn listed_files_are_copied() {
    let repo = repo();
    repo.write("helper.sh", "exit 0\n");
    repo.write("chk.sh", ". ./helper.sh\n");
    let top = repo.open().path().to_owned();
    let absolute = top.join("helper.sh").display().to_string();
    let options = |paths: &[&str]| CommandOptions { copy_files: CopyFiles::Paths(words(paths)), ..repo.options() };
    assert_eq!(outcomes(&repo, &["sh", "chk.sh"], &["HEAD~1"], options(&["./chk.sh", &absolute])), ["pass"]);
    // Tracked files are copied to revisions that do not have them.
    assert_eq!(outcomes(&repo, &["sh", "own.sh"], &["HEAD~1", "HEAD"], options(&["own.sh"])), ["pass", "pass"]);
    symlink("/etc/passwd", top.join("link")).unwrap();
    repo.write("checks/deep/helper.sh", "exit 0\n");
    repo.write("checks/chk.sh", ". ./checks/deep/helper.sh\ntest ! -e checks/link\n");
    symlink("/etc/passwd", top.join("checks/link")).unwrap();
    assert_eq!(outcomes(&repo, &["sh", "checks/chk.sh"], &["HEAD~1"], options(&["checks"])), ["pass"]);
    for path in ["nothing.sh", "../outside", "/etc/passwd", ".git/config", "", "."] {
        let error = CommandOracle::new(&repo.open(), words(&["true"]), options(&[path])).unwrap_err();
        let words = error.to_string();
        assert!(matches!(&error, Error::InvalidArgument { argument, .. } if argument == "copy_files"), "{words}");
        assert!(words.contains(path) && words.contains("a file in the checkout"), "{words}");
    }
}

#[test]
fn copied_files_do_not_follow_links_or_replace_folders() {
    let repo = repo();
    let outside = tempfile::tempdir().unwrap();
    let top = repo.open().path().to_owned();
    // One revision has a link in place of the file's folder, and one has a folder in place of the file.
    symlink(outside.path(), top.join("checks")).unwrap();
    repo.git(&["add", "checks"]);
    repo.git(&["commit", "-q", "-m", "a link"]);
    repo.git(&["rm", "-q", "checks"]);
    repo.write("checks/chk.sh/file", "");
    repo.commit("a folder");
    repo.git(&["rm", "-q", "-r", "checks"]);
    repo.commit("neither");
    repo.write("checks/chk.sh", "exit 0\n");
    let oracle = CommandOracle::new(&repo.open(), words(&["sh", "checks/chk.sh"]), repo.options()).unwrap();
    for (revision, outcome) in [("HEAD", "pass"), ("HEAD~1", "unresolved"), ("HEAD~2", "unresolved"), ("HEAD", "pass")]
    {
        let seen = oracle.run(revision).unwrap();
        assert_eq!(seen.outcome.as_str(), outcome, "{revision}: {:?}", seen.note);
        if outcome == "unresolved" {
            let words = seen.note.unwrap();
            assert!(words.starts_with("checks/chk.sh cannot be copied to this revision: "), "{words}");
            assert_eq!(seen.stage.unwrap().as_str(), "setup");
        }
    }
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn changes_to_a_copied_file_do_not_affect_other_runs() {
    let repo = repo();
    repo.write(".gitignore", "chk.sh\n");
    repo.commit("ignore");
    repo.write("chk.sh", "test ! -e done && echo 'exit 1' > chk.sh\n");
    let options = CommandOptions { keep_build: true, ..repo.options() };
    assert_eq!(outcomes(&repo, &["sh", "chk.sh"], &["HEAD", "HEAD"], options), ["pass", "pass"]);
}
