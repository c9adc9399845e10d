//! Builds that go on from what earlier ones left, and what becomes of those that cannot.

// The commands here are scripts of a Unix shell.
#![cfg(unix)]

use std::time::Duration;

use crate::common::{Repo, sh};
use firstbad::{Observation, Outcome, Stage};
use firstbad_oracle::{CommandOptions, CommandOracle};

/// Counts what is run. A build goes on only from what nobody built.
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
fn a_build_that_fails_with_what_earlier_ones_left_is_made_anew() {
    let test = "cmp number made.o && test \"$FIRSTBAD_NEW_WORKTREE\" = 0";
    let (repo, shas, oracle) = world(test, |options| options.build = Some(sh(BUILD)));
    let seen = oracle.run(&shas[0]).unwrap();
    assert_eq!((seen.outcome, runs(&repo)), (Outcome::Fail, 1), "{seen:?}");
    // What it finds is new, and said to be.
    let seen = oracle.run(&shas[1]).unwrap();
    assert_eq!((seen.outcome, runs(&repo)), (Outcome::Fail, 2), "{seen:?}");
    let anew = "; built anew, because with what earlier builds left it was unresolved: build did not get through";
    assert!(note(&seen).starts_with("exit code 1; output in ") && note(&seen).contains(anew), "{seen:?}");
    let output = std::fs::read_to_string(seen.output.unwrap()).unwrap();
    assert!(output.contains("build"), "{output}");
    // One that cannot be built at all is tried twice, and then it is that revision's.
    let seen = oracle.run(&shas[3]).unwrap();
    assert_eq!((seen.outcome, seen.stage, runs(&repo)), (Outcome::Unresolved, Some(Stage::Build), 2), "{seen:?}");
    assert!(note(&seen).contains(anew), "{seen:?}");
}

#[test]
fn a_test_that_builds_by_itself_is_run_anew_where_it_cannot_tell() {
    let test = format!("({BUILD}) || exit 125; cmp number made.o");
    let (repo, shas, oracle) = world(&test, |_| {});
    assert_eq!((oracle.run(&shas[0]).unwrap().outcome, runs(&repo)), (Outcome::Pass, 1));
    let seen = oracle.run(&shas[1]).unwrap();
    assert_eq!((seen.outcome, runs(&repo)), (Outcome::Pass, 2), "{seen:?}");
    assert!(note(&seen).contains("built anew"), "{seen:?}");
    assert_eq!((oracle.run(&shas[3]).unwrap().outcome, runs(&repo)), (Outcome::Unresolved, 2));
    // The tree is emptied of what nobody could build, too.
    assert_eq!((oracle.run(&shas[2]).unwrap().outcome, runs(&repo)), (Outcome::Pass, 1));
}

#[test]
fn nothing_is_run_anew_without_need() {
    // In a new tree nothing was left.
    let (repo, shas, oracle) = world(&format!("{BUILD}; exit 125"), |_| {});
    assert_eq!((oracle.run(&shas[0]).unwrap().outcome, runs(&repo)), (Outcome::Unresolved, 1));
    // Where everything is removed before each run nothing is left either.
    let (repo, shas, oracle) = world(&format!("{BUILD}; exit 125"), |options| options.keep_build = false);
    for sha in &shas {
        assert_eq!((oracle.run(sha).unwrap().outcome, runs(&repo)), (Outcome::Unresolved, 1));
    }
    // A failure is one.
    let (repo, shas, oracle) = world("echo >> \"$RUNS\"; exit 1", |_| {});
    for sha in &shas {
        assert_eq!((oracle.run(sha).unwrap().outcome, runs(&repo)), (Outcome::Fail, 1));
    }
    // What takes too long is not begun once more.
    let (repo, shas, oracle) =
        world("echo >> \"$RUNS\"; sleep 60", |options| options.timeout = Some(Duration::from_millis(50)));
    for sha in &shas[..2] {
        assert_eq!((oracle.run(sha).unwrap().outcome, runs(&repo)), (Outcome::Unresolved, 1));
    }
}
