//! Iterative delta debugging: a good version behind broken ones, and the fix brought forward (Artho, "Iterative Delta
//! Debugging", 2011).
//!
//! A test fails today, and older versions do not run it: they do not build with it, or fail for other reasons. The
//! search walks back (`walk`), carries along the smallest patch with which the test fails as it does today, and
//! reduces (`reduction`) a new one where the old one does not do. Once a version passes, it finds what the test needs there,
//! what broke it, and what mends it (`ending`), and brings the fix forward. What counts as "the same failure" is in
//! `failure`.

mod algorithm;
mod config;
mod ending;
mod failure;
mod message;
mod patches;
mod reason;
mod reduction;
mod report;
mod route;
mod walk;

pub use algorithm::{Port, Porter};
pub use config::{PorterConfig, Walk};
pub use reason::Reason;
pub use report::{
    PortedPatch, PorterReduction, PorterReport, PorterStep, Purpose, ReductionResult, RegressionCheck, StepOutcome,
};
