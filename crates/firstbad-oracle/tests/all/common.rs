//! Temporary repositories, and helpers for tests that run commands in them.
#![cfg_attr(not(unix), allow(dead_code, unused_imports, reason = "most of these tests need a Unix shell"))]

use std::path::PathBuf;
use std::process::Command;

use firstbad_oracle::CommandOptions;

#[path = "../../../firstbad-git/tests/all/common.rs"]
mod repositories;

pub(crate) use repositories::{Repo, changed_functions, cloned, git, history, snapshot, source};

impl Repo {
    /// Returns options that keep all files in the folder of the test.
    pub(crate) fn options(&self) -> CommandOptions {
        CommandOptions {
            worktrees: Some(self.temp.join("trees")),
            output_dir: Some(self.temp.join("output")),
            kill_after: std::time::Duration::from_millis(300),
            ..CommandOptions::default()
        }
    }

    /// Returns the existing pools.
    pub(crate) fn pools(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for name in std::fs::read_dir(self.temp.join("trees")).into_iter().flatten().flatten() {
            found.extend(std::fs::read_dir(name.path()).unwrap().map(|entry| entry.unwrap().path()));
        }
        found
    }
}

/// Returns a shell command.
pub(crate) fn sh(script: &str) -> Vec<String> {
    ["sh", "-c", script].map(str::to_owned).to_vec()
}

/// Returns whether a process is alive. A zombie is not.
pub(crate) fn lives(pid: &str) -> bool {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    let state = text.rfind(')').and_then(|end| text[end + 2..].chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

/// Sends a signal, such as `TERM`.
pub(crate) fn kill(pid: u32, signal: &str) {
    // In a Turkish locale, the `kill` of procps does not know HUP.
    let mut kill = Command::new("kill");
    assert!(kill.env("LC_ALL", "C").args(["-s", signal, &pid.to_string()]).status().unwrap().success());
}

/// Waits until `what` returns true.
pub(crate) fn soon(mut what: impl FnMut() -> bool) {
    for _ in 0..2000 {
        if what() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("it does not happen");
}
