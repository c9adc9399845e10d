//! Runs every target on its seeds, on its corpus, and on fixed mutations of them. `FUZZ_ITERATIONS=10` runs ten times as many.

use std::process::Command;
use std::sync::mpsc;

use firstbad_fuzz::{ALL, LONGEST, Mutations, Target, WATCHDOG};

/// Marks the process of a single target. Memory is measured per process, and separate processes run in parallel.
const ALONE: &str = "FIRSTBAD_FUZZ_ALONE";

fn times() -> usize {
    std::env::var("FUZZ_ITERATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Runs an input. If it takes too long, exits the process, because threads cannot be killed.
fn run(target: &Target, input: &[u8]) {
    let (done, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if ended.recv_timeout(WATCHDOG) == Err(mpsc::RecvTimeoutError::Timeout) {
                eprintln!("{}: no end within {WATCHDOG:?} of {:?}", target.name, String::from_utf8_lossy(input));
                std::process::abort();
            }
        });
        let caught = std::panic::catch_unwind(|| target.run(input));
        drop(done);
        if let Err(panic) = caught {
            eprintln!("{}: found with {:?}", target.name, String::from_utf8_lossy(input));
            std::panic::resume_unwind(panic);
        }
    });
}

fn hold(test: &str, name: &str) {
    if std::env::var_os(ALONE).is_none() {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        let ended = command.args(["--exact", test, "--nocapture"]).env(ALONE, "1").output().expect("its end");
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        return;
    }
    let target = ALL.iter().find(|target| target.name == name).expect("a target");
    let inputs = target.inputs();
    for input in &inputs {
        assert!(input.len() <= LONGEST);
        run(target, input);
    }
    for input in Mutations::new(&inputs, 1).take(target.iterations * times()) {
        run(target, &input);
    }
}

macro_rules! targets {
    ($($test:ident $name:literal)*) => {
        $(#[test]
        fn $test() {
            hold(stringify!($test), $name);
        })*

        #[test]
        fn every_target_passes() {
            let run = [$($name),*];
            assert!(ALL.iter().all(|target| run.contains(&target.name)));
        }
    };
}

targets! {
    commit_graph "commit-graph"
    commit_graph_file "commit-graph-file"
    patch "patch"
    journal "journal"
    snapshot "snapshot"
    bazel "bazel"
    nx "nx"
    turborepo "turborepo"
    cargo "cargo"
    go "go"
    workspaces "workspaces"
    python "python"
    javascript "javascript"
    outline "outline"
    repeated_source "repeated-source"
    repeated_patch "repeated-patch"
    coverage "coverage"
    results "results"
    results_junit "results-junit"
    results_tap "results-tap"
    results_jest "results-jest"
    results_mocha "results-mocha"
    results_go "results-go"
    results_libtest "results-libtest"
    results_jsonl "results-jsonl"
    test_plan "test-plan"
    bisect_log "bisect-log"
    search "search"
    text "text"
}
