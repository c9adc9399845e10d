//! All integration tests of this crate in one program. One program per file would take minutes and gigabytes to link.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends with the words of what went wrong")]

mod carry;
mod checkout;
mod commands;
mod common;
mod ending;
mod environments;
mod everywhere;
mod fixups;
mod isolation;
mod kept_builds;
mod line_ends;
mod measure;
mod oracle;
mod partial_clones;
mod patches;
mod places;
mod pool;
mod signals;
mod stages;
mod submodules;
mod suite;
mod surroundings;
mod tracing;
