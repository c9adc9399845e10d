//! Whether a conclusion holds: FACF, Section 4 ("Culprit Verification").

mod algorithm;
mod config;
mod order;
mod report;

pub use algorithm::Verification;
pub use config::{Earlier, VerificationConfig};
pub use report::{Check, CheckReason, Role, VerificationReason, VerificationReport};
