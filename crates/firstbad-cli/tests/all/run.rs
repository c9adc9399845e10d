//! `firstbad run`, as people run it: the program itself, on repositories made by git.

// The commands here are scripts of a Unix shell.
#![cfg(unix)]

mod scene;

mod cached;
mod defaults;
mod endings;
mod errors;
mod faults;
mod git_calls;
mod head_start;
mod journals;
mod signals;
mod stages;
