//! Every target on its seeds, on what fuzzing has found, and on mutations of these: the same ones every time.
//!
//! `FUZZ_ITERATIONS=10` runs ten times as many.

use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};

use firstbad_fuzz::{ALL, LONGEST, Mutations, Target, WATCHDOG};

/// Memory is counted for the whole process: one target at a time.
static ALONE: Mutex<()> = Mutex::new(());

fn times() -> usize {
    std::env::var("FUZZ_ITERATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Runs an input, and ends the process if that takes too long: nobody can end a thread.
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

fn hold(name: &str) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
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
            hold($name);
        })*

        #[test]
        fn every_target_is_run() {
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
    coverage "coverage"
    bisect_log "bisect-log"
    search "search"
    text "text"
}
