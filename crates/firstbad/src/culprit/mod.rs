//! Flake-aware culprit finding (FACF; Henderson et al. 2023): who did it, how sure that is, or that nobody did.

mod algorithm;
mod answer;
mod belief;
mod bound;
mod burst;
mod config;
mod costs;
mod cumulated;
mod decision;
mod deflaked;
mod finish;
mod information;
mod inseparable;
mod joint;
mod message;
mod model_check;
mod next_runs;
mod report;
mod suspects;
mod testable;
mod verification;

pub use crate::belief::{NoCulprit, Rate, Tally, Uniform};
pub use crate::search::{Hypothesis, Posterior};
pub use algorithm::Culprit;
pub use config::{Choose, CulpritConfig};
pub use report::{Conclusion, CulpritReport, Reason};
pub use verification::{
    Check, Earlier, ReasonCode, Role, Sampling, Verification, VerificationConfig, VerificationReason,
    VerificationReport, sample_for_verification,
};

pub(crate) use belief::Belief;
pub(crate) use costs::Costs;
pub(crate) use decision::{Decision, Due, decide, due_run};
pub(crate) use information::run_at;
pub(crate) use joint::joint_runs;
pub(crate) use suspects::Suspects;

use crate::search::AskTell;

/// A search for the culprit with a flaky test; see [`CulpritConfig`] for what it can be told.
///
/// [`AskTell::new`] raises [`Error::InvalidArgument`](crate::Error::InvalidArgument) for rates, probabilities, weights or
/// costs out of range, for other than one bad revision, for a good one that is no ancestor of it or that is it, and
/// if every suspect weighs 0.
pub type CulpritSearch = AskTell<Culprit>;

/// A check of a conclusion by reruns; see [`VerificationConfig`] for what it can be told.
///
/// [`AskTell::new`] raises [`Error::InvalidArgument`](crate::Error::InvalidArgument) for rates and confidences out of range,
/// and for a culprit that is no suspect between the ends.
pub type CulpritVerifier = AskTell<Verification>;
