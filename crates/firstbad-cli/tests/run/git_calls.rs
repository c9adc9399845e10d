//! How often git is called: each call is a process, and a test that takes no time waits for all of them.

use std::os::unix::fs::PermissionsExt as _;

use crate::scene::{Ran, Scene};

/// Options with a value that come before git's own command.
const WITH_VALUE: [&str; 3] = ["-c", "--git-dir", "--work-tree"];

/// The commands of git that were called, in order.
fn commands(calls: &str) -> Vec<&str> {
    let command = |call| {
        let mut words = str::split(call, '\t');
        loop {
            match words.next()? {
                option if WITH_VALUE.contains(&option) => drop(words.next()),
                option if option.starts_with('-') => {}
                command => return Some(command),
            }
        }
    };
    calls.lines().filter_map(command).collect()
}

#[test]
fn a_run_calls_git_three_times_for_each_test_and_a_few_times_in_all() {
    let scene = Scene::line(40, 17);
    std::fs::create_dir(scene.path("bin")).unwrap();
    let calls = scene.path("calls").display().to_string();
    let text = format!("#!/bin/sh\n(IFS='\t'; echo \"$*\" >> {calls})\nexport PATH=\"$REAL_PATH\"\nexec git \"$@\"\n");
    scene.write("bin/git", &text);
    std::fs::set_permissions(scene.path("bin/git"), std::fs::Permissions::from_mode(0o700)).unwrap();
    let ((good, bad), script) = (scene.ends(), scene.script(""));
    let mut command = scene.command(&["run", "--json", "--good", &good, "--bad", &bad, "--", "sh", "-c", &script]);
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", scene.path("bin").display())).env("REAL_PATH", path);
    let ran = Ran::of(&command.output().unwrap());
    assert_eq!(ran.found(), (0, vec![scene.sha(17)]), "{}", ran.words);
    let (calls, runs) = (scene.read("calls"), scene.asked().len());
    let commands = commands(&calls);
    let count = |name: &str| commands.iter().filter(|command| **command == name).count();
    // The repository is opened once, whoever asks for it.
    assert_eq!(count("rev-parse"), 1, "{calls}");
    // On a machine with much else to do some are made ahead of time, and have nothing to be cleaned.
    let (checkouts, cleaned) = (count("checkout"), count("clean"));
    assert!(checkouts >= runs && cleaned < runs, "{calls}");
    assert!(commands.len() <= 3 * runs + (checkouts - runs) + 16, "{} for {runs} runs: {calls}", commands.len());
}
