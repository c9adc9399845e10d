//! All integration tests of this crate in one program. One program per file would take minutes and gigabytes to link.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends with the words of what went wrong")]

mod disk;
mod disturbed;
mod facts;
mod hostile;
mod killed;
mod play;
mod reads;
mod session;
mod sharing;
mod two_processes;
