//! Builds that reuse the files of earlier builds, and builds that fail because of them.

// The commands are Unix shell scripts.
#![cfg(unix)]

use std::time::Duration;

use crate::common::{Repo, sh};
use firstbad::{Observation, Outcome, Stage};
use firstbad_oracle::{CommandOptions, CommandOracle};

/// Records each build, which succeeds only without the files of an earlier one.
const BUILD: &str = "echo build >> \"$RUNS\"; test ! -e made.o && test $(cat number) != 3 && cp number made.o";

fn world(test: &str, change: impl FnOnce(&mut CommandOptions)) -> (Repo, Vec<String>, CommandOracle) {
    let repo = Repo::new();
    let shas = (0..4).map(|number| {
        repo.write("number", &format!("{number}\n"));
        repo.write(".gitignore", "*.o\n");
        repo.commit(&number.to_string())
    });
    let shas = shas.collect();
    let runs = repo.temp.join("runs").display().to_string();
    let mut options = CommandOptions { keep_build: true, ..repo.options() };
    options.env.push(("RUNS".to_owned(), runs));
    change(&mut options);
    let oracle = CommandOracle::new(&repo.open(), sh(test), options).unwrap();
    (repo, shas, oracle)
}

fn runs(repo: &Repo) -> usize {
    let runs = std::fs::read_to_string(repo.temp.join("runs")).unwrap_or_default();
    std::fs::remove_file(repo.temp.join("runs")).unwrap();
    runs.lines().count()
}

fn note(seen: &Observation) -> &str {
    seen.note.as_deref().unwrap()
}

#[test]
fn a_failed_incremental_build_is_repeated_in_a_clean_worktree() {
    let test = "cmp number made.o && test \"$FIRSTBAD_NEW_WORKTREE\" = 0";
    let (repo, shas, oracle) = world(test, |options| options.build = Some(sh(BUILD)));
    let seen = oracle.run(&shas[0]).unwrap();
    assert_eq!((seen.outcome, runs(&repo)), (Outcome::Fail, 1), "{seen:?}");
    // The run was repeated in a clean worktree, and the note says so.
    let seen = oracle.run(&shas[1]).unwrap();
    assert_eq!((seen.outcome, runs(&repo)), (Outcome::Fail, 2), "{seen:?}");
    let anew = "; after a fresh build, because it was unresolved with the kept build: build failed";
    assert!(note(&seen).starts_with("exit code 1; output in ") && note(&seen).contains(anew), "{seen:?}");
    let output = std::fs::read_to_string(seen.output.unwrap()).unwrap();
    assert!(output.contains("build"), "{output}");
    // A revision that does not build at all is tried twice and is then unresolved.
    let seen = oracle.run(&shas[3]).unwrap();
    assert_eq!((seen.outcome, seen.stage, runs(&repo)), (Outcome::Unresolved, Some(Stage::Build), 2), "{seen:?}");
    assert!(note(&seen).contains(anew), "{seen:?}");
}

#[test]
fn an_unresolved_test_that_builds_is_repeated_in_a_clean_worktree() {
    let test = format!("({BUILD}) || exit 125; cmp number made.o");
    let (repo, shas, oracle) = world(&test, |_| {});
    assert_eq!((oracle.run(&shas[0]).unwrap().outcome, runs(&repo)), (Outcome::Pass, 1));
    let seen = oracle.run(&shas[1]).unwrap();
    assert_eq!((seen.outcome, runs(&repo)), (Outcome::Pass, 2), "{seen:?}");
    assert!(note(&seen).contains("after a fresh build"), "{seen:?}");
    assert_eq!((oracle.run(&shas[3]).unwrap().outcome, runs(&repo)), (Outcome::Unresolved, 2));
    // The worktree is also cleaned after a failed build.
    assert_eq!((oracle.run(&shas[2]).unwrap().outcome, runs(&repo)), (Outcome::Pass, 1));
}

#[test]
fn runs_are_repeated_only_if_needed() {
    // A new worktree has no files of earlier builds.
    let (repo, shas, oracle) = world(&format!("{BUILD}; exit 125"), |_| {});
    assert_eq!((oracle.run(&shas[0]).unwrap().outcome, runs(&repo)), (Outcome::Unresolved, 1));
    // Fresh worktrees have no files of earlier builds.
    let (repo, shas, oracle) = world(&format!("{BUILD}; exit 125"), |options| options.keep_build = false);
    for sha in &shas {
        assert_eq!((oracle.run(sha).unwrap().outcome, runs(&repo)), (Outcome::Unresolved, 1));
    }
    // A failure counts without a second run.
    let (repo, shas, oracle) = world("echo >> \"$RUNS\"; exit 1", |_| {});
    for sha in &shas {
        assert_eq!((oracle.run(sha).unwrap().outcome, runs(&repo)), (Outcome::Fail, 1));
    }
    // A run that exceeds its time limit is not repeated.
    let (repo, shas, oracle) =
        world("echo >> \"$RUNS\"; sleep 60", |options| options.timeout = Some(Duration::from_millis(50)));
    for sha in &shas[..2] {
        assert_eq!((oracle.run(sha).unwrap().outcome, runs(&repo)), (Outcome::Unresolved, 1));
    }
}
