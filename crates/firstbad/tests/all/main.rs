//! All integration tests of this crate, as one program. One program per file would take minutes and gigabytes to link.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends with the words of what went wrong")]

mod any_order;
mod bayes;
mod change;
mod claims;
mod confirmation;
mod content;
mod costs;
mod endings;
mod every_search;
mod explain;
mod find_good;
mod flaky;
mod graphs;
mod patch;
mod porting;
mod promises;
mod random;
mod rates;
mod reads;
mod reduction;
mod reports;
mod rounds;
mod run;
mod slicing;
mod snapshots;
mod suspects;
mod suspicion;
mod suspicion_vectors;
mod text;
mod this_failure;
mod triage;
mod unresolved_parents;
mod values;
mod verification;
