//! Culprit verification (FACF, Section 4).

mod algorithm;
mod checks;
mod claim;
mod config;
mod findings;
mod message;
mod order;
mod report;
mod sample;
mod short;

pub use algorithm::Verification;
pub(super) use claim::Claim;
pub use config::{Earlier, VerificationConfig};
pub use report::{Check, ReasonCode, Role, VerificationReason, VerificationReport};
pub use sample::{Sampling, sample_for_verification};
pub(crate) use short::{Evidence, Short, contrast, without};
