//! All integration tests of this crate in one program. One program per file would take minutes and gigabytes to link.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends with the words of what went wrong")]

mod effort;
mod forecasts;
mod git_agreement;
mod histories;
mod judge;
mod paper;
mod scenes;
mod soak;
mod sound_searches;
mod upcoming;
mod vectors;
