//! All integration tests of this crate in one binary, which saves minutes of linking and gigabytes of disk space.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends with the words of what went wrong")]

mod changes;
mod clones;
mod common;
mod graph;
mod names;
mod open;
mod reports;
mod slices;
mod slices_reports;
mod slices_syntax;
mod tree_source;
mod variants;
mod variants_property;
