//! All integration tests in one program, because linking one program per file takes minutes.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends with the words of what went wrong")]

mod carry;
mod clones;
mod explain;
mod hangs;
mod host;
mod input;
mod list;
mod metric;
mod minimize;
mod onto;
mod port;
mod prior;
mod programs;
mod rank;

mod render;
mod run;
mod shells;
mod slice;
mod steering;
mod support;
mod tell;
mod triage;
