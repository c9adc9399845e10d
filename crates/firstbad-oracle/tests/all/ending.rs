//! Timeouts and interruptions end every process of a command.

// The commands are Unix shell scripts.
#![cfg(unix)]

use std::time::{Duration, Instant};

use crate::commands::{oracle_with, repo, run, word};
use crate::common::{lives, sh, soon};
use firstbad::{Error, Outcome};
use firstbad_oracle::{CommandOptions, Verdict};

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
fn a_signal_to_the_whole_run_interrupts_it() {
    let repo = repo();
    let started = repo.temp.join("started");
    let script = format!("echo > {}; kill -TERM $$", started.display());
    let crash = || CommandOptions { on_signal: Verdict::Fail, ..repo.options() };
    let keep_going = &mut || !started.exists();
    let seen = oracle_with(&repo, &script, crash()).run_until("HEAD", keep_going);
    assert_eq!(word(&seen), "interrupted");
    // The command sends the signal itself, so no interruption follows.
    assert_eq!(word(&oracle_with(&repo, "kill -TERM $$", crash()).run("HEAD")), "fail");
}

#[test]
fn an_infinite_timeout_is_valid() {
    let endless = |options: &mut CommandOptions| {
        options.timeout = Some(Duration::MAX);
        options.kill_after = Duration::MAX;
    };
    assert_eq!(word(&run(&repo(), "exit 0", endless)), "pass");
}

#[test]
fn processes_that_ignore_sigterm_are_killed() {
    let repo = repo();
    let pids = repo.temp.join("pids");
    // The leader exits immediately, and its child does not.
    let script = format!("(trap '' TERM; echo ready; sleep 300; sleep 300) & echo $! > {}; wait", pids.display());
    let seen = run(&repo, &script, |options| {
        options.timeout = Some(Duration::from_millis(200));
        options.kill_after = Duration::from_millis(100);
    });
    assert_eq!(word(&seen), "unresolved");
    assert!(!lives(&std::fs::read_to_string(&pids).unwrap()));
    let seen = run(&repo, "trap '' TERM; while :; do sleep 0.05; done", |options| {
        options.timeout = Some(Duration::from_millis(100));
        options.kill_after = Duration::from_millis(100);
    });
    assert_eq!(word(&seen), "unresolved");
}

#[test]
fn remaining_processes_of_a_passing_test_are_killed() {
    let repo = repo();
    let pids = repo.temp.join("pids");
    let seen = run(&repo, &format!("sleep 300 & echo $! > {}; exit 0", pids.display()), |_| {});
    assert_eq!(word(&seen), "pass");
    assert!(seen.unwrap().seconds.unwrap() < 30.0);
    assert!(!lives(&std::fs::read_to_string(&pids).unwrap()));
}

#[test]
fn processes_in_other_groups_end_with_an_interrupted_run_or_the_oracle() {
    let repo = repo();
    let pids = repo.temp.join("pids");
    let pid = || std::fs::read_to_string(&pids).unwrap_or_default();
    let file = pids.display();
    let script = |more: &str| {
        format!(
            "rm -f {file}; setsid sh -c 'echo $$ > {file}; exec sleep 300' & while ! [ -s {file} ]; do :; done; {more}"
        )
    };
    let short = |options: &mut CommandOptions| options.timeout = Some(Duration::from_millis(200));
    let mut options = repo.options();
    short(&mut options);
    let late = oracle_with(&repo, &script("sleep 300"), options);
    assert_eq!(word(&late.run("HEAD")), "unresolved");
    assert!(!lives(&pid()));
    // A server started by a build can serve the next run.
    let quick = oracle_with(&repo, &script("exit 0"), repo.options());
    assert_eq!(word(&quick.run("HEAD")), "pass");
    let server = pid();
    assert_eq!(word(&late.run("HEAD")), "unresolved");
    assert!(lives(&server));
    quick.close().unwrap();
    assert!(!lives(&server));
}

#[test]
fn an_interrupt_ends_all_runs_until_resume() {
    let repo = repo();
    let folder = repo.temp.path().display();
    let slow = oracle_with(
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
        // An immediate resume does not save current runs.
        slow.resume();
        for run in runs {
            assert_eq!(run.join().unwrap(), Err(Error::Interrupted));
        }
    });
    assert!(pids().iter().all(|pid| !lives(pid)));
    slow.interrupt();
    assert_eq!(slow.run("HEAD"), Err(Error::Interrupted));
    slow.resume();
    std::fs::write(repo.temp.join("quick"), "").unwrap();
    assert_eq!(word(&slow.run("HEAD")), "pass");
}

/// The grace period applies to timeouts. An interruption shortens it.
#[test]
fn an_interrupted_run_ends_soon_for_any_grace_period() {
    let repo = repo();
    let long = |options: &mut CommandOptions| options.kill_after = Duration::from_secs(300);
    let second = Duration::from_secs(1);
    // SIGTERM is ignored by the command, by a child that outlives it, and by the setup.
    let stubborn = "trap '' TERM; echo $$; while :; do sleep 0.02; done";
    let orphan = "(trap '' TERM; echo $$; while :; do sleep 0.02; done) & sleep 0.1; exit 0";
    for (script, setup) in [(stubborn, false), (orphan, false), (stubborn, true)] {
        let mut options = repo.options();
        long(&mut options);
        options.setup = setup.then(|| sh(script));
        let oracle = oracle_with(&repo, if setup { "exit 0" } else { script }, options);
        let log = || {
            let files = std::fs::read_dir(oracle.output_dir()).unwrap().map(|file| file.unwrap().path());
            files.map(|path| std::fs::read_to_string(path).unwrap()).collect::<String>()
        };
        let pid = || log().lines().find(|line| line.bytes().all(|byte| byte.is_ascii_digit())).map(str::to_owned);
        // Interrupts from another thread and by `keep_going`.
        let took = std::thread::scope(|scope| {
            let run = scope.spawn(|| oracle.run("HEAD"));
            soon(|| pid().is_some());
            std::thread::sleep(Duration::from_millis(200));
            let start = Instant::now();
            oracle.interrupt();
            run.join().unwrap().ok();
            start.elapsed()
        });
        assert!(took < second, "{script}: {took:?}");
        assert!(!lives(&pid().unwrap()));
        oracle.resume();
        for file in std::fs::read_dir(oracle.output_dir()).unwrap() {
            std::fs::remove_file(file.unwrap().path()).unwrap();
        }
        let mut since = None;
        let _ = oracle.run_until("HEAD", &mut || {
            if since.is_none() && pid().is_some() {
                since = Some(Instant::now() + Duration::from_millis(200));
            }
            since.is_none_or(|since| Instant::now() < since)
        });
        let took = since.unwrap().elapsed();
        assert!(took < second, "{script}: {took:?}");
        assert!(!lives(&pid().unwrap()));
    }
}

#[test]
fn an_interruption_shortens_the_grace_period_of_a_timeout() {
    let repo = repo();
    let mut options = repo.options();
    options.kill_after = Duration::from_secs(300);
    options.timeout = Some(Duration::from_millis(100));
    let oracle = oracle_with(&repo, "trap 'echo asked' TERM; echo $$; while :; do sleep 0.02; done", options);
    let log = oracle.output_dir().join(format!("{}.log", repo.sha("HEAD")));
    let text = || std::fs::read_to_string(&log).unwrap_or_default();
    let start = std::thread::scope(|scope| {
        let run = scope.spawn(|| oracle.run("HEAD"));
        soon(|| text().contains("asked"));
        let start = Instant::now();
        oracle.interrupt();
        run.join().unwrap().ok();
        start
    });
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    assert!(!lives(text().lines().next().unwrap()));
}

#[test]
fn run_until_stops_when_keep_going_returns_false() {
    let repo = repo();
    let oracle = oracle_with(&repo, "sleep 300 & echo $!; wait", repo.options());
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
    // Other runs are not affected.
    assert_eq!(oracle.run_until("HEAD", &mut || false), Err(Error::Interrupted));
}

#[test]
fn a_panic_in_keep_going_leaves_nothing_running() {
    let repo = repo();
    let oracle = oracle_with(&repo, "echo $$; sleep 300", repo.options());
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

#[test]
fn killed_commands_get_no_grace_period() {
    let repo = repo();
    let pids = repo.temp.join("pids");
    let script = format!("trap '' TERM; echo $$ > {}; while :; do sleep 1; done", pids.display());
    let patient = CommandOptions { kill_after: Duration::from_secs(600), ..repo.options() };
    let oracle = oracle_with(&repo, &script, patient);
    std::thread::scope(|scope| {
        let run = scope.spawn(|| oracle.run("HEAD"));
        soon(|| std::fs::read_to_string(&pids).is_ok_and(|text| text.ends_with('\n')));
        oracle.interrupt();
        let start = Instant::now();
        oracle.kill();
        assert_eq!(word(&run.join().unwrap()), "interrupted");
        assert!(start.elapsed() < Duration::from_millis(400), "{:?}", start.elapsed());
    });
    assert!(!lives(std::fs::read_to_string(&pids).unwrap().trim()));
    oracle.resume();
    assert_eq!(word(&oracle.run("HEAD")), "oracle_closed");
}
