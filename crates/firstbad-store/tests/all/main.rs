//! All integration tests of this crate in one binary, which saves minutes of linking and gigabytes of disk space.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends with the words of what went wrong")]

mod cache;
mod common;
mod files;
mod outcomes;
mod power_cuts;
mod processes;
