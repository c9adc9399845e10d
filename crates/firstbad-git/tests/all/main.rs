//! All tests of this crate but those beside its code, as one program: one for each file would take minutes to link, and
//! gigabytes.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends with the words of what went wrong")]

mod carry;
mod changes;
mod checkout;
mod clones;
mod commands;
mod common;
mod ending;
mod environments;
mod everywhere;
mod fixups;
mod graph;
mod isolation;
mod kept_builds;
mod line_ends;
mod names;
mod open;
mod oracle;
mod patches;
mod places;
mod pool;
mod reports;
mod signals;
mod slices;
mod slices_reports;
mod slices_syntax;
mod stages;
mod submodules;
mod surroundings;
mod tree_source;
mod variants;
mod variants_property;
