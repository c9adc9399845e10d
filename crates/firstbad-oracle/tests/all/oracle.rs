//! The meaning of exit codes, and the environment of commands.

// The commands are Unix shell scripts.
#![cfg(unix)]

use crate::commands::{oracle_with, repo, run, word};
use crate::common::{Repo, sh};
use firstbad::{Error, Outcome};
use firstbad_oracle::{CommandOptions, CommandOracle, Verdict};

#[test]
fn exit_codes_have_the_meaning_of_git_bisect_run() {
    let repo = repo();
    for (script, expected) in [
        ("exit 0", "pass"),
        ("exit 1", "fail"),
        ("exit 124", "fail"),
        ("exit 125", "unresolved"),
        ("exit 126", "command_not_found"),
        ("exit 127", "command_not_found"),
        ("no-such-program-anywhere", "command_not_found"),
        ("exit 128", "command_stopped"),
        ("exit 255", "command_stopped"),
        ("kill -9 $$", "command_stopped"),
        ("kill -TERM $$", "command_stopped"),
    ] {
        assert_eq!(word(&run(&repo, script, |_| {})), expected, "{script}");
    }
    let error = run(&repo, "exit 130", |_| {}).unwrap_err().to_string();
    assert!(error.contains("exit code 130") && error.contains("on_signal") && error.contains(".log"), "{error}");
    let error = run(&repo, "exit 127", |_| {}).unwrap_err();
    assert!(matches!(error, Error::CommandNotFound { code: 127, .. }));
}

#[test]
fn verdicts_of_exit_codes_can_be_changed() {
    let repo = repo();
    let on_signal = |options: &mut CommandOptions| options.on_signal = Verdict::Fail;
    assert_eq!(word(&run(&repo, "exit 200", on_signal)), "fail");
    assert_eq!(word(&run(&repo, "kill -9 $$", on_signal)), "fail");
    assert_eq!(word(&run(&repo, "exit 126", on_signal)), "command_not_found");
    let codes = |options: &mut CommandOptions| {
        options.exit_codes = [
            (0, Verdict::Fail),
            (3, Verdict::Unresolved),
            (5, Verdict::Stop),
            (75, Verdict::Retry),
            (127, Verdict::Pass),
            (137, Verdict::Pass),
        ]
        .into();
    };
    for (script, expected) in [
        ("exit 0", "fail"),
        ("exit 3", "unresolved"),
        ("exit 4", "fail"),
        ("exit 5", "command_stopped"),
        ("exit 75", "retry"),
        ("exit 127", "pass"),
        ("kill -9 $$", "pass"),
    ] {
        assert_eq!(word(&run(&repo, script, codes)), expected, "{script}");
    }
    // A missing program has the exit code of a shell.
    let missing = |meaning| {
        let options = CommandOptions { exit_codes: [(127, meaning)].into(), ..repo.options() };
        CommandOracle::new(&repo.open(), vec!["./no-such-program".to_owned()], options).unwrap().run("HEAD")
    };
    let seen = missing(Verdict::Unresolved).unwrap();
    assert_eq!((seen.outcome.as_str(), seen.signature.as_deref()), ("unresolved", Some("exit code 127")));
    assert!(seen.note.unwrap().starts_with("exit code 127: the command could not be started; output in "));
    assert_eq!((word(&missing(Verdict::Stop)), word(&missing(Verdict::Retry))), ("command_stopped", "retry"));
    assert!(run(&repo, "exit 5", codes).unwrap_err().to_string().contains("exit_codes"));
    // The machine can fail at any stage.
    let set_up = |options: &mut CommandOptions| {
        codes(options);
        options.setup = Some(crate::common::sh("exit 75"));
    };
    let error = run(&repo, "true", set_up).unwrap_err();
    assert_eq!(error.code(), "retry");
    assert!(error.to_string().contains("setup: exit code 75"), "{error}");
}

#[test]
fn programs_of_the_revision_can_be_run() {
    use std::os::unix::fs::PermissionsExt as _;
    let repo = repo();
    let before = repo.sha("HEAD");
    repo.write("tests/run.sh", "#!/bin/sh\nexit 1\n");
    let plain = repo.commit("not executable");
    std::fs::set_permissions(repo.path.join("tests/run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let good = repo.commit("executable");
    repo.write("tests/run.sh", "#!/no/such/shell\n");
    let bad_shell = repo.commit("bad shell");
    for program in ["./tests/run.sh", "tests/run.sh"] {
        let oracle = CommandOracle::new(&repo.open(), vec![program.to_owned()], repo.options()).unwrap();
        let code = |revision: &str| match oracle.run(revision) {
            Err(Error::CommandNotFound { code, revision: at, .. }) => {
                assert_eq!(at, revision);
                code
            }
            other => panic!("{other:?}"),
        };
        assert_eq!((code(&before), code(&plain), code(&bad_shell)), (127, 126, 127));
        assert_eq!(oracle.run(&good).unwrap().outcome, Outcome::Fail);
    }
    let missing =
        CommandOracle::new(&repo.open(), vec!["no-such-program-anywhere".to_owned()], repo.options()).unwrap();
    assert_eq!(missing.run("HEAD").unwrap_err().code(), "command_not_found");
    assert_eq!(CommandOracle::new(&repo.open(), vec![], repo.options()).unwrap_err().code(), "invalid_argument");
}

#[test]
fn the_command_sees_its_revision_and_its_output_is_kept() {
    let repo = repo();
    let first = repo.sha("HEAD");
    repo.git(&["tag", "-a", "-m", "t", "v1"]);
    repo.write("f", "2\n");
    let second = repo.commit("two");
    let mut options = repo.options();
    options.env.push(("ANSWER".to_owned(), "42".to_owned()));
    let script = "cat f; echo $FIRSTBAD_REVISION $ANSWER; git describe --tags; git log --oneline main | wc -l; cat; echo oops >&2; exit 1";
    let oracle = oracle_with(&repo, script, options);
    let seen = oracle.run("main").unwrap();
    assert_eq!(oracle.run(&first).unwrap().outcome, Outcome::Fail);
    oracle.run(&second).unwrap();
    let log = |name: String| std::fs::read_to_string(oracle.output_dir().join(name)).unwrap();
    let short = &repo.git(&["rev-parse", "--short", "HEAD"]);
    let two = format!("2\n{second} 42\nv1-1-g{short}\n2\noops\n");
    assert_eq!(log(format!("{second}.log")), two);
    assert_eq!(log(format!("{second}.2.log")), two);
    assert_eq!(log(format!("{first}.log")), format!("1\n{first} 42\nv1\n2\noops\n"));
    let note = seen.note.unwrap();
    assert_eq!(note, format!("exit code 1; output in {}", oracle.output_dir().join(format!("{second}.log")).display()));
    assert!(seen.seconds.unwrap() > 0.0 && seen.seconds.unwrap() < 60.0);
    let kept = oracle.output_dir().to_owned();
    drop(oracle);
    assert_eq!(std::fs::read_dir(kept).unwrap().count(), 3);
}

#[test]
fn an_unknown_revision_is_an_error() {
    let repo = repo();
    let oracle = oracle_with(&repo, "exit 0", repo.options());
    let unknown = |name: &str| oracle.run(name).unwrap_err().code();
    assert_eq!((unknown("nowhere"), unknown(&"12".repeat(20))), ("unknown_revision", "unknown_revision"));
    assert_eq!(oracle.run("HEAD").unwrap().outcome, Outcome::Pass);
}

#[test]
fn oracles_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<CommandOracle>();
    shared::<firstbad_git::Repository>();
}

#[test]
fn long_output_is_shortened_to_its_beginning_and_end() {
    let repo = Repo::new();
    repo.write("f", "");
    let sha = repo.commit("one");
    let seen = |middle: &str, signature: &str| {
        let script = format!(
            "echo first; head -c 3000000 /dev/zero | tr '\\0' x; {middle}; \
                              head -c 3000000 /dev/zero | tr '\\0' y; echo; echo last; exit 1"
        );
        let setup = Some(sh("echo begun; head -c 1000000 /dev/zero | tr '\\0' s; echo ended"));
        let options =
            CommandOptions { output_limit: 8192, fail_pattern: Some(signature.to_owned()), setup, ..repo.options() };
        let oracle = CommandOracle::new(&repo.open(), sh(&script), options).unwrap();
        let seen = oracle.run(&sha).unwrap();
        let text = std::fs::read_to_string(seen.output.as_ref().unwrap()).unwrap();
        assert!(text.len() < 20_000, "{}", text.len());
        for words in ["begun\n", "ended\n", "first\n", "\nlast\n", "==> 991", "bytes of output are left out here"] {
            assert!(text.contains(words), "{words}");
        }
        assert!(text.find("ended") < text.find("==> test: ") && text.find("==> test: ") < text.find("first"));
        seen
    };
    assert_eq!(seen("true", "^last$").outcome, Outcome::Fail);
    assert_eq!(seen("true", "^first$|^firstx+").outcome, Outcome::Fail);
    let lost = seen("echo middle", "middle");
    assert_eq!(lost.outcome, Outcome::Unresolved);
    assert!(lost.note.unwrap().contains("has no match of \"middle\" (59"), "what is left out is named");
    let options = CommandOptions { output_limit: 100, ..repo.options() };
    let refused = CommandOracle::new(&repo.open(), sh("true"), options).unwrap_err().to_string();
    assert!(refused.starts_with("output_limit: 100 is not valid; expected bytes, at least 4096"), "{refused}");
}
