//! Whether a conclusion holds: FACF, Section 4 ("Culprit Verification").

mod algorithm;
mod checks;
mod config;
mod findings;
mod message;
mod order;
mod report;

pub use algorithm::Verification;
pub use config::{Earlier, VerificationConfig};
pub use report::{Check, ReasonCode, Role, VerificationReason, VerificationReport};
