//! Tests of `firstbad run`.

// The commands need a Unix shell.
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
