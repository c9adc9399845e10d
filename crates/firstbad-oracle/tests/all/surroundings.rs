//! Setup commands, warm builds, variables, signatures, and presets.

// The commands are Unix shell scripts.
#![cfg(unix)]

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::commands::{oracle, output};
use crate::common::{Repo, sh};
use firstbad::{Error, Outcome};
use firstbad_git::Repository;
use firstbad_oracle::{CommandOptions, CommandOracle, Preset, PresetChoice, Verdict};

/// Creates two commits that both ignore `*.o`.
fn repo() -> (Repo, String, String) {
    let repo = Repo::new();
    repo.write("f", "1\n");
    repo.write(".gitignore", "*.o\n/target\n");
    let first = repo.commit("one");
    repo.write("f", "2\n");
    let second = repo.commit("two");
    (repo, first, second)
}

const MESS: &str = "ls; git status --porcelain --ignored; touch a.o new; mkdir -p target/deep; touch target/deep/x";

#[test]
fn a_fresh_build_has_no_files_of_the_previous_one() {
    let (repo, first, second) = repo();
    let oracle = oracle(&repo, MESS, |_| {});
    for sha in [&first, &second, &second, &first] {
        assert_eq!(output(&oracle.run(sha).unwrap()), "f\n");
    }
}

#[test]
fn a_warm_build_keeps_only_ignored_files() {
    let (repo, first, second) = repo();
    let oracle = oracle(&repo, MESS, |options| options.keep_build = true);
    assert_eq!(output(&oracle.run(&first).unwrap()), "f\n");
    for sha in [&second, &second, &first] {
        assert_eq!(output(&oracle.run(sha).unwrap()), "a.o\nf\ntarget\n!! a.o\n!! target/\n");
    }
}

/// The user's global ignore file does not belong to the revision.
#[test]
fn a_warm_build_removes_files_ignored_only_globally() {
    let (repo, _, _) = repo();
    std::fs::write(repo.temp.join("ignore"), "own\n").unwrap();
    let config = repo.temp.join("config");
    std::fs::write(&config, format!("[core]\n\texcludesFile = {}\n", repo.temp.join("ignore").display())).unwrap();
    let ended = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "surroundings::child_with_a_configuration", "--ignored", "--nocapture"])
        .env("TEST_TEMP", repo.temp.path())
        .env("GIT_CONFIG_GLOBAL", &config)
        .output()
        .unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(std::fs::read_to_string(repo.temp.join("seen")).unwrap(), "f\na.o\nf\n");
}

#[test]
#[ignore = "run by the test above"]
fn child_with_a_configuration() {
    let Some(temp) = std::env::var_os("TEST_TEMP").map(PathBuf::from) else { return };
    let options = CommandOptions {
        keep_build: true,
        worktrees: Some(temp.join("trees")),
        output_dir: Some(temp.join("output")),
        ..CommandOptions::default()
    };
    let repository = Repository::open(temp.join("repo")).unwrap();
    let script = "git status --porcelain; ls >> $FIRSTBAD_REPOSITORY/../seen; touch a.o own";
    let oracle = CommandOracle::new(&repository, sh(script), options).unwrap();
    for revision in ["HEAD", "HEAD~1"] {
        oracle.run(revision).unwrap();
    }
}

#[test]
fn a_patch_removes_ignored_files() {
    let (repo, _, _) = repo();
    repo.write("kept.o", "x\n");
    repo.git(&["add", "-f", "kept.o"]);
    let sha = repo.commit("tracked and ignored");
    let patch = repo.open().diff("HEAD", "HEAD~1").unwrap();
    let oracle = oracle(&repo, "ls; touch a.o", |options| options.keep_build = true);
    assert_eq!(output(&oracle.run(&sha).unwrap()), "f\nkept.o\n");
    assert_eq!(output(&oracle.run_patched(&sha, &patch).unwrap()), "a.o\nf\n");
    assert_eq!(output(&oracle.run(&sha).unwrap()), "a.o\nf\nkept.o\n");
}

#[test]
fn commands_receive_their_location() {
    let (repo, first, second) = repo();
    let script = "echo \"$FIRSTBAD_REVISION|$FIRSTBAD_WORKTREE|$FIRSTBAD_OUTPUT|$FIRSTBAD_REPOSITORY|\
                  $FIRSTBAD_NEW_WORKTREE\"; pwd";
    let oracle = oracle(&repo, script, |_| {});
    for (sha, new) in [(&first, 1), (&second, 0), (&second, 0)] {
        let seen = oracle.run(sha).unwrap();
        let text = output(&seen);
        let (words, folder) = text.trim_end().split_once('\n').unwrap();
        let log = seen.output.unwrap();
        assert_eq!(words, format!("{sha}|{folder}|{log}|{}|{new}", repo.path.display()));
        assert!(seen.note.unwrap().ends_with(&format!("; output in {log}")));
    }
    let patched = oracle.run_patched(&first, b"").unwrap();
    assert!(patched.output.unwrap().ends_with(&format!("{first}.patch-1.log")));
}

/// Without a setup, the test is the only stage. A stage that fails does not count.
#[test]
fn a_worktree_is_new_until_a_test_passes() {
    let (repo, first, _) = repo();
    let stop = repo.temp.join("stop");
    let script = format!("echo $FIRSTBAD_NEW_WORKTREE; test ! -e {} || exit 130", stop.display());
    let oracle = oracle(&repo, &script, |_| {});
    std::fs::write(&stop, "").unwrap();
    assert_eq!(oracle.run(&first).unwrap_err().code(), "command_stopped");
    std::fs::remove_file(&stop).unwrap();
    for expected in ["1\n", "0\n"] {
        assert_eq!(output(&oracle.run(&first).unwrap()), expected);
    }
}

#[test]
fn the_setup_runs_first_and_shares_the_log() {
    let (repo, first, second) = repo();
    let oracle = oracle(&repo, "cat made; printf $FIRSTBAD_NEW_WORKTREE; exit 1", |options| {
        let script = "cat f > made; printf \"new $FIRSTBAD_NEW_WORKTREE\" >&2";
        options.setup = Some(sh(script));
    });
    let seen = oracle.run(&first).unwrap();
    let setup = "==> setup: sh -c cat f > made; printf \"new $FIRSTBAD_NEW_WORKTREE\" >&2\nnew";
    let test = "==> test: sh -c cat made; printf $FIRSTBAD_NEW_WORKTREE; exit 1\n";
    assert_eq!(output(&seen), format!("{setup} 1\n{test}1\n1"));
    assert_eq!((seen.outcome, seen.note.unwrap().starts_with("exit code 1; ")), (Outcome::Fail, true));
    assert_eq!(output(&oracle.run(&second).unwrap()), format!("{setup} 0\n{test}2\n0"));
    let patch = repo.open().diff("HEAD", "HEAD~1").unwrap();
    let patched = oracle.run_patched(&second, &patch).unwrap();
    assert_eq!(output(&patched), format!("{setup} 0\n{test}1\n0"));
}

#[test]
fn a_failed_setup_is_unresolved() {
    let (repo, first, second) = repo();
    let log = |sha: &str| repo.temp.join("output").join(format!("{sha}.log")).display().to_string();
    let script = "echo $FIRSTBAD_NEW_WORKTREE; case $(cat f) in 1) exit 3;; *) exit 0;; esac";
    let careful = oracle(&repo, "exit 1", |options| options.setup = Some(sh(script)));
    let seen = careful.run(&first).unwrap();
    assert_eq!((seen.outcome, seen.seconds), (Outcome::Unresolved, None));
    let note = format!("setup failed: exit code 3; output in {}", log(&first));
    assert_eq!((seen.note, seen.output), (Some(note), Some(log(&first))));
    // After a failed setup, the worktree is still new.
    let seen = careful.run(&second).unwrap();
    assert_eq!(seen.outcome, Outcome::Fail);
    assert!(output(&seen).contains("exit 0;; esac\n1\n==> test"));
    let words = |script: &str, change: fn(&mut CommandOptions)| {
        let ended = oracle(&repo, "exit 0", |options| {
            options.setup = Some(sh(script));
            change(options);
        });
        ended.run(&first).map(|seen| seen.note.unwrap().split(';').next().unwrap().to_owned())
    };
    assert_eq!(words("exit 125", |_| {}).unwrap(), "setup failed: exit code 125");
    assert_eq!(words("kill -9 $$", |_| {}).unwrap(), "setup failed: killed by signal 9");
    let short = |options: &mut CommandOptions| options.stage_timeout = Some(Duration::from_millis(100));
    let late = "setup failed: still running after 0.1 s";
    assert_eq!(words("sleep 300", short).unwrap(), late);
    // The test has a separate time limit.
    let test = |options: &mut CommandOptions| options.timeout = Some(Duration::from_secs(60));
    assert_eq!(words("exit 0", test).unwrap(), "exit code 0");
    for (script, code) in [("exit 126", 126), ("no-such-program-anywhere", 127)] {
        match words(script, |_| {}).unwrap_err() {
            Error::CommandNotFound { command, code: found, .. } => {
                assert_eq!((command, found), (format!("sh -c {script}"), code));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_setup_is_a_program_with_arguments() {
    let (repo, first, _) = repo();
    for words in [vec![], vec![String::new()]] {
        let options = CommandOptions { setup: Some(words), ..repo.options() };
        let error = CommandOracle::new(&repo.open(), sh("exit 0"), options).unwrap_err();
        assert!(matches!(&error, Error::InvalidArgument { argument, .. } if argument == "setup"), "{error}");
    }
    let missing = oracle(&repo, "exit 0", |options| options.setup = Some(vec!["no-such-program-anywhere".into()]));
    assert!(matches!(missing.run(&first), Err(Error::CommandNotFound { code: 127, .. })));
}

#[test]
fn only_a_failure_with_the_signature_counts() {
    let (repo, first, _) = repo();
    let run = |script: &str, change: &dyn Fn(&mut CommandOptions)| {
        let oracle = oracle(&repo, script, |options| {
            options.fail_pattern = Some(r"^Error: total is \d+$".to_owned());
            change(options);
        });
        oracle.run(&first).unwrap()
    };
    let outcome = |script: &str| run(script, &|_| {}).outcome;
    assert_eq!(outcome("echo before; echo 'Error: total is 42' >&2; echo after; exit 1"), Outcome::Fail);
    assert_eq!(outcome("echo 'Error: total is 42'; exit 0"), Outcome::Pass);
    assert_eq!(outcome("echo 'no Error: total is 42'; exit 1"), Outcome::Unresolved);
    assert_eq!(outcome("printf '\\377\\nError: total is 42\\n\\377'; exit 1"), Outcome::Fail);
    let other = run("echo 'Error: other'; exit 1", &|_| {});
    let note = r#"exit code 1, but the output has no match of "^Error: total is \\d+$"; output in "#;
    assert!(other.note.as_ref().unwrap().starts_with(note), "{other:?}");
    assert!(other.seconds.is_some());
    // Other outcomes than failures stay as they are.
    let unresolved = run("exit 125", &|_| {}).note.unwrap();
    assert!(unresolved.starts_with("exit code 125; output in "), "{unresolved}");
    // The failure can have any cause, and the output of the setup does not matter.
    let late = |options: &mut CommandOptions| {
        options.timeout = Some(Duration::from_millis(200));
        options.on_timeout = Verdict::Fail;
    };
    assert_eq!(run("echo 'Error: total is 1'; sleep 300", &late).outcome, Outcome::Fail);
    assert_eq!(run("sleep 300", &late).outcome, Outcome::Unresolved);
    let loud = |options: &mut CommandOptions| options.setup = Some(sh("echo 'Error: total is 1'"));
    assert_eq!(run("exit 1", &loud).outcome, Outcome::Unresolved);
    assert_eq!(run("echo 'Error: total is 1'; exit 1", &loud).outcome, Outcome::Fail);
}

#[test]
fn the_signature_is_a_regular_expression() {
    let (repo, _, _) = repo();
    let options = CommandOptions { fail_pattern: Some("a(".to_owned()), ..repo.options() };
    let error = CommandOracle::new(&repo.open(), sh("exit 0"), options).unwrap_err();
    assert_eq!(error.to_string(), "fail_pattern: \"a(\" is not valid; expected a regular expression (unclosed group)");
}

#[test]
fn exit_codes_take_precedence_over_presets() {
    let (repo, first, _) = repo();
    let run = |script: &str, change: &dyn Fn(&mut CommandOptions)| {
        let oracle = oracle(&repo, script, |options| {
            options.preset = PresetChoice::Is(Preset::Cargo);
            change(options);
        });
        oracle.run(&first)
    };
    let broken = "echo '   Compiling x'; echo 'error: could not compile `x` (lib) due to 1 previous error'; exit 101";
    let seen = run(broken, &|_| {}).unwrap();
    assert_eq!(seen.outcome, Outcome::Unresolved);
    let note = "exit code 101, but cargo could not test: \"error: could not compile `x` (lib) due to 1 previous \
                error\"; output in ";
    assert!(seen.note.as_ref().unwrap().starts_with(note), "{seen:?}");
    let failed = "echo 'test result: FAILED. 0 passed; 1 failed'; exit 101";
    assert_eq!(run(failed, &|_| {}).unwrap().outcome, Outcome::Fail);
    assert_eq!(run("echo 'running 0 tests'; exit 0", &|_| {}).unwrap().outcome, Outcome::Pass);
    let nothing = run("echo 'test result: ok. 0 passed'; exit 0", &|_| {}).unwrap();
    assert!(nothing.note.unwrap().starts_with("exit code 0, but cargo tested nothing: \"test result: ok. 0 passed\""));
    assert_eq!(nothing.outcome, Outcome::Unresolved);
    let own = |options: &mut CommandOptions| options.exit_codes = [(101, Verdict::Fail)].into();
    assert_eq!(run(broken, &own).unwrap().outcome, Outcome::Fail);
    // The preset ignores the output of the setup.
    let loud = |options: &mut CommandOptions| options.setup = Some(sh("echo 'error: could not compile `x`'"));
    assert_eq!(run("exit 101", &loud).unwrap().outcome, Outcome::Fail);
    // All presets treat a signal and a missing program alike.
    assert_eq!(run("kill -9 $$", &|_| {}).unwrap_err().code(), "command_stopped");
    assert_eq!(run("echo 'error: x'; exit 127", &|_| {}).unwrap_err().code(), "command_not_found");
}
