//! Tests of the first worktree.

use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command};

use super::scene::{Ran, Scene};
use super::signals::{send, soon};

/// Returns a scene with a Git that waits for a condition before it lists changes.
struct Slow(Scene);

impl Slow {
    fn until(condition: &str) -> Slow {
        let scene = Scene::line(40, 17);
        std::fs::create_dir(scene.path("bin")).unwrap();
        let here = scene.path("").display().to_string();
        scene.write(
            "bin/git",
            &format!(
                "#!/bin/sh\ncase \"$*\" in\n*' checkout '*) echo >> {here}checkouts ;;\n*' diff-tree '*)\n\
                 echo > {here}reading\nuntil {condition} || [ ! -e \"$0\" ]; do :; done ;;\nesac\n\
                 export PATH=\"$REAL_PATH\"\nexec git \"$@\"\n"
            ),
        );
        std::fs::set_permissions(scene.path("bin/git"), std::fs::Permissions::from_mode(0o700)).unwrap();
        Slow(scene)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let (good, bad) = self.0.ends();
        let script = self.0.script("");
        let ends = ["run", "--json", "--good", &good, "--bad", &bad];
        let mut command = self.0.command(&[&ends[..], arguments, &["--", "sh", "-c", &script]].concat());
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", self.0.path("bin").display())).env("REAL_PATH", path);
        command
    }
}

#[test]
fn the_first_checkout_begins_while_the_history_is_read() {
    let slow = Slow::until("[ -e \"${0%/*}/../checkouts\" ]");
    let ran = Ran::of(&slow.command(&[]).output().unwrap());
    assert_eq!((ran.code, ran.answer["points"][0]["bad"].as_str()), (0, Some(slow.0.sha(17))), "{}", ran.words);
    assert_eq!(slow.0.read("checkouts").lines().count(), slow.0.asked().len());
    assert_eq!(slow.0.work_trees(), Vec::<std::path::PathBuf>::new());
}

/// Each test waits for a second worktree, which only the preparation creates.
#[test]
fn the_next_revision_is_checked_out_during_a_test() {
    let scene = Scene::line(40, 17);
    let (good, bad) = scene.ends();
    let wait = "until [ $(ls -d cache/firstbad/worktrees/*/*/tree-*/ | wc -l) -ge 2 ]; do :; done";
    let script = scene.script(wait);
    let run = ["run", "--json", "--good", &good, "--bad", &bad, "--timeout", "60s", "--", "sh", "-c", &script];
    assert_eq!(scene.program(&run).found(), (0, vec![scene.sha(17)]));
    let asked = scene.asked();
    // The culprit and its parent can run again to confirm.
    assert!(asked.len() <= asked.iter().collect::<std::collections::BTreeSet<_>>().len() + 2, "{asked:?}");
    assert_eq!(scene.work_trees(), Vec::<std::path::PathBuf>::new());
}

/// Swapped endpoints are noticed while the first worktree is created.
#[test]
fn a_refused_run_leaves_nothing() {
    let scene = Scene::line(40, 17);
    let (good, bad) = scene.ends();
    let ran = scene.program(&["run", "--good", &bad, "--bad", &good, "--", "true"]);
    assert!(ran.code != 0 && scene.asked().is_empty(), "{}", ran.words);
    assert_eq!(scene.work_trees(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn a_signal_while_the_history_is_read_leaves_nothing() {
    let slow = Slow::until("false");
    let child: Child = slow.command(&[]).spawn().unwrap();
    soon(|| !slow.0.read("reading").is_empty() && !slow.0.read("checkouts").is_empty());
    send("INT", &child);
    let ran = Ran::of(&child.wait_with_output().unwrap());
    assert_eq!((ran.code, slow.0.asked().len()), (130, 0), "{}", ran.words);
    assert_eq!(slow.0.work_trees(), Vec::<std::path::PathBuf>::new());
}
