//! All integration tests of this crate, as one program.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends with the words of what went wrong")]

mod cards;
mod change;
mod golden;
mod porting;
mod rankings;
mod triage;
mod words;
