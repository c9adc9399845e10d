//! Tests of the number of Git calls.

use std::os::unix::fs::PermissionsExt as _;

use super::scene::{Ran, Scene};

/// Options of Git with a value.
const WITH_VALUE: [&str; 3] = ["-c", "--git-dir", "--work-tree"];

/// Returns the Git commands in order.
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

/// Returns the number of Git calls for a number of runs.
struct Counted {
    calls: String,
    runs: usize,
}

impl Counted {
    fn of(script: &str) -> Counted {
        let scene = Scene::line(40, 17);
        std::fs::create_dir(scene.path("bin")).unwrap();
        let calls = scene.path("calls").display().to_string();
        let text =
            format!("#!/bin/sh\n(IFS='\t'; echo \"$*\" >> {calls})\nexport PATH=\"$REAL_PATH\"\nexec git \"$@\"\n");
        scene.write("bin/git", &text);
        std::fs::set_permissions(scene.path("bin/git"), std::fs::Permissions::from_mode(0o700)).unwrap();
        let ((good, bad), script) = (scene.ends(), scene.script(script));
        let mut command = scene.command(&["run", "--json", "--good", &good, "--bad", &bad, "--", "sh", "-c", &script]);
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", scene.path("bin").display())).env("REAL_PATH", path);
        let ran = Ran::of(&command.output().unwrap());
        assert_eq!(ran.found(), (0, vec![scene.sha(17)]), "{}", ran.words);
        Counted { calls: scene.read("calls"), runs: scene.asked().len() }
    }

    fn count(&self, name: &str) -> usize {
        commands(&self.calls).into_iter().filter(|command| *command == name).count()
    }
}

#[test]
fn a_run_calls_git_twice_for_each_test_and_a_few_times_in_all() {
    let counted = Counted::of("");
    let Counted { calls, runs } = &counted;
    // The repository and its endpoints are looked up once. The files of the culprit are compared once.
    assert_eq!((counted.count("rev-parse"), counted.count("cat-file")), (2, 1), "{calls}");
    // A slow machine prepares worktrees ahead.
    let (checkouts, cleaned) = (counted.count("checkout"), counted.count("clean"));
    assert!(checkouts >= *runs && cleaned == 0, "{calls}");
    // Subjects are read during the tests.
    let (all, most) = (commands(calls).len(), checkouts + runs + 20);
    assert!(all <= most, "{all} for {runs} runs and {checkouts} checkouts: {calls}");
}

#[test]
fn worktrees_are_cleaned_between_tests() {
    let counted = Counted::of("touch \"$FIRSTBAD_WORKTREE/left\"");
    // An unused worktree needs no cleanup.
    let cleaned = counted.count("clean");
    assert!(cleaned > 0 && cleaned < counted.runs, "{}", counted.calls);
}
