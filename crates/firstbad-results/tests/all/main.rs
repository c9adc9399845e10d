//! All integration tests of this crate in one binary.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends with the words of what went wrong")]

mod fixtures;
mod formats;
mod hostile;
mod properties;
mod real;
mod results;
mod runners;
mod signatures;
mod written;
