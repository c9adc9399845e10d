//! How often git is called: each call is a process, and a test that takes no time waits for all of them.

use std::os::unix::fs::PermissionsExt as _;

use super::scene::{Ran, Scene};

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

/// How often git was called, for so many runs of a script.
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
    // The repository is opened once, whoever asks for it, and its ends are looked up once.
    // Once more the files of the culprit and its parent are compared.
    assert_eq!((counted.count("rev-parse"), counted.count("cat-file")), (2, 1), "{calls}");
    // On a machine with much else to do some are made ahead of time. The tests leave nothing, which is seen without git.
    let (checkouts, cleaned) = (counted.count("checkout"), counted.count("clean"));
    assert!(checkouts >= *runs && cleaned == 0, "{calls}");
    // What each commit is called is asked for while it is tested.
    let (all, most) = (commands(calls).len(), checkouts + runs + 20);
    assert!(all <= most, "{all} for {runs} runs and {checkouts} checkouts: {calls}");
}

#[test]
fn what_a_test_leaves_is_cleaned_by_git() {
    let counted = Counted::of("touch \"$FIRSTBAD_WORKTREE/left\"");
    // What was made ahead of time has nothing to be cleaned.
    let cleaned = counted.count("clean");
    assert!(cleaned > 0 && cleaned < counted.runs, "{}", counted.calls);
}
