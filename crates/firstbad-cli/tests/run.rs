//! `firstbad run`, as people run it: the program itself, on repositories made by git.

// The commands here are scripts of a Unix shell.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

#[path = "run/scene.rs"]
mod scene;

#[path = "run/cached.rs"]
mod cached;
#[path = "run/defaults.rs"]
mod defaults;
#[path = "run/endings.rs"]
mod endings;
#[path = "run/errors.rs"]
mod errors;
#[path = "run/faults.rs"]
mod faults;
#[path = "run/git_calls.rs"]
mod git_calls;
#[path = "run/head_start.rs"]
mod head_start;
#[path = "run/journals.rs"]
mod journals;
#[path = "run/signals.rs"]
mod signals;
#[path = "run/stages.rs"]
mod stages;
