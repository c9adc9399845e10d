//! Iterative delta debugging: finds a passing version behind versions that cannot run a test, and brings the fix forward
//! (Artho, "Iterative Delta Debugging", 2011).
//!
//! A test fails today, but older versions do not build with it or fail for other reasons. The search walks back (`walk`) and
//! carries the smallest patch with which the test fails as it does today. If the patch no longer works, the search reduces a
//! new one (`reduction`). Once a version passes, the search finds what the test needs there, what broke it, and what fixes
//! it (`ending`), and brings the fix forward. `failure` decides which outcomes are "the same failure".

mod algorithm;
mod config;
mod ending;
mod failure;
mod guesses;
mod message;
mod patches;
mod reason;
mod reduction;
mod report;
mod route;
mod walk;

pub use algorithm::{Port, Porter};
pub use config::{PorterConfig, Until, Walk};
pub use reason::Reason;
pub use report::{
    PortedPatch, PorterReduction, PorterReport, PorterStep, Purpose, ReductionResult, RegressionCheck, StepOutcome,
};
