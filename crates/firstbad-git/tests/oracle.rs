//! What the ending of a command means, and that nothing of it is left running.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod common;

use std::time::{Duration, Instant};

use common::{Repo, lives, sh, soon};
use firstbad::{Error, Observation, Outcome};
use firstbad_git::{CommandOptions, CommandOracle, Verdict};

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("f", "1\n");
    repo.commit("one");
    repo
}

fn oracle(repo: &Repo, script: &str, options: CommandOptions) -> CommandOracle {
    repo.open().command_oracle(sh(script), options).unwrap()
}

fn run(repo: &Repo, script: &str, change: impl FnOnce(&mut CommandOptions)) -> Result<Observation, Error> {
    let mut options = repo.options();
    change(&mut options);
    oracle(repo, script, options).run("HEAD")
}

fn word(ended: &Result<Observation, Error>) -> &'static str {
    match ended {
        Ok(observation) => observation.outcome.as_str(),
        Err(error) => error.code(),
    }
}

#[test]
fn exit_codes_mean_what_they_mean_to_git_bisect_run() {
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
fn meanings_can_be_changed() {
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
        ("exit 127", "pass"),
        ("kill -9 $$", "pass"),
    ] {
        assert_eq!(word(&run(&repo, script, codes)), expected, "{script}");
    }
    assert!(run(&repo, "exit 5", codes).unwrap_err().to_string().contains("exit_codes"));
}

#[test]
fn programs_of_the_revision_itself() {
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
        let oracle = repo.open().command_oracle(vec![program.to_owned()], repo.options()).unwrap();
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
    let missing = repo.open().command_oracle(vec!["no-such-program-anywhere".to_owned()], repo.options()).unwrap();
    assert_eq!(missing.run("HEAD").unwrap_err().code(), "command_not_found");
    assert_eq!(repo.open().command_oracle(vec![], repo.options()).unwrap_err().code(), "invalid_argument");
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
    let script = "cat f; echo $FIRSTBAD_REVISION $ANSWER; git describe --tags; git log --oneline origin/main | wc -l; cat; echo oops >&2; exit 1";
    let oracle = oracle(&repo, script, options);
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
fn a_revision_that_does_not_exist_is_no_outcome() {
    let repo = repo();
    let oracle = oracle(&repo, "exit 0", repo.options());
    let unknown = |name: &str| oracle.run(name).unwrap_err().code();
    assert_eq!((unknown("nowhere"), unknown(&"12".repeat(20))), ("unknown_revision", "unknown_revision"));
    assert_eq!(oracle.run("HEAD").unwrap().outcome, Outcome::Pass);
}

#[test]
fn a_timeout_ends_the_whole_group() {
    let repo = repo();
    let pids = repo.temp.join("pids");
    let script = format!("sleep 300 & echo $! $$ > {}; wait", pids.display());
    let short = |options: &mut CommandOptions| options.timeout = Some(Duration::from_millis(200));
    let start = Instant::now();
    let seen = run(&repo, &script, short).unwrap();
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(seen.outcome, Outcome::Unresolved);
    assert!(seen.note.unwrap().starts_with("still running after 0.2 s; output in /"));
    for pid in std::fs::read_to_string(&pids).unwrap().split_whitespace() {
        assert!(!lives(pid), "{pid}");
    }
    let fail = |options: &mut CommandOptions| {
        short(options);
        options.on_timeout = Verdict::Fail;
    };
    assert_eq!(word(&run(&repo, "sleep 300", fail)), "fail");
    let stop = |options: &mut CommandOptions| {
        short(options);
        options.on_timeout = Verdict::Stop;
    };
    assert!(run(&repo, "sleep 300", stop).unwrap_err().to_string().contains("on_timeout"));
}

#[test]
fn an_endless_timeout_is_one() {
    let endless = |options: &mut CommandOptions| {
        options.timeout = Some(Duration::MAX);
        options.grace = Duration::MAX;
    };
    assert_eq!(word(&run(&repo(), "exit 0", endless)), "pass");
}

#[test]
fn both_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<CommandOracle>();
    shared::<firstbad_git::Repository>();
}

#[test]
fn whoever_ignores_sigterm_is_killed() {
    let repo = repo();
    let pids = repo.temp.join("pids");
    // The leader goes at once, the child does not.
    let script = format!("(trap '' TERM; echo ready; sleep 300; sleep 300) & echo $! > {}; wait", pids.display());
    let seen = run(&repo, &script, |options| {
        options.timeout = Some(Duration::from_millis(200));
        options.grace = Duration::from_millis(100);
    });
    assert_eq!(word(&seen), "unresolved");
    assert!(!lives(&std::fs::read_to_string(&pids).unwrap()));
    let seen = run(&repo, "trap '' TERM; while :; do sleep 0.05; done", |options| {
        options.timeout = Some(Duration::from_millis(100));
        options.grace = Duration::from_millis(100);
    });
    assert_eq!(word(&seen), "unresolved");
}

#[test]
fn what_a_passing_test_leaves_running_is_ended() {
    let repo = repo();
    let pids = repo.temp.join("pids");
    let seen = run(&repo, &format!("sleep 300 & echo $! > {}; exit 0", pids.display()), |_| {});
    assert_eq!(word(&seen), "pass");
    assert!(seen.unwrap().seconds.unwrap() < 30.0);
    assert!(!lives(&std::fs::read_to_string(&pids).unwrap()));
}

#[test]
fn interrupt_ends_all_runs_until_resume() {
    let repo = repo();
    let folder = repo.temp.path().display();
    let slow = oracle(
        &repo,
        &format!("[ -e {folder}/quick ] && exit 0; sleep 300 & echo $! > {folder}/$$.pid; wait"),
        repo.options(),
    );
    let pids = || -> Vec<String> {
        let files = std::fs::read_dir(repo.temp.path()).unwrap().map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "pid"));
        files.map(|path| std::fs::read_to_string(path).unwrap()).filter(|text| !text.is_empty()).collect()
    };
    std::thread::scope(|scope| {
        let runs = [0, 1].map(|_| scope.spawn(|| slow.run("HEAD")));
        soon(|| pids().len() == 2);
        slow.interrupt();
        // A resume that comes at once does not save those that run.
        slow.resume();
        slow.interrupt();
        for run in runs {
            assert_eq!(run.join().unwrap(), Err(Error::Interrupted));
        }
    });
    assert!(pids().iter().all(|pid| !lives(pid)));
    assert_eq!(slow.run("HEAD"), Err(Error::Interrupted));
    slow.resume();
    std::fs::write(repo.temp.join("quick"), "").unwrap();
    assert_eq!(word(&slow.run("HEAD")), "pass");
}

#[test]
fn run_until_asks_and_ends() {
    let repo = repo();
    let oracle = oracle(&repo, "sleep 300 & echo $!; wait", repo.options());
    let start = Instant::now();
    let mut asked = 0;
    let log = oracle.output_dir().join(format!("{}.log", repo.sha("HEAD")));
    let ended = oracle.run_until("HEAD", &mut || {
        asked += 1;
        !std::fs::read_to_string(&log).is_ok_and(|text| !text.is_empty())
    });
    assert_eq!(ended, Err(Error::Interrupted));
    let most = start.elapsed().as_millis() / 50 + 50;
    assert!(asked > 1 && asked < most, "{asked} of {most}");
    assert!(!lives(&std::fs::read_to_string(&log).unwrap()));
    // The others are not concerned.
    assert_eq!(oracle.run_until("HEAD", &mut || false), Err(Error::Interrupted));
}

#[test]
fn a_panic_in_keep_going_leaves_nothing_running() {
    let repo = repo();
    let oracle = oracle(&repo, "echo $$; sleep 300", repo.options());
    let log = oracle.output_dir().join(format!("{}.log", repo.sha("HEAD")));
    let pid = || std::fs::read_to_string(&log).unwrap_or_default();
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        oracle.run_until("HEAD", &mut || {
            assert!(pid().is_empty(), "as wanted");
            true
        })
    }));
    assert!(ended.is_err() && !lives(&pid()));
    oracle.close().unwrap();
}
