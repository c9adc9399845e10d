//! Flake-aware culprit finding (FACF; Henderson et al. 2023): finds the commit that broke a flaky test, with a probability, or
//! that no commit did.

mod algorithm;
mod answer;
mod belief;
mod bound;
mod config;
mod costs;
mod cumulated;
mod decision;
mod deflaked;
mod failure_streak;
mod finish;
mod guard;
mod information;
mod inseparable;
mod joint;
mod limit;
mod message;
mod model_check;
mod next_runs;
#[cfg(test)]
mod posterior;
mod report;
mod suspects;
mod testable;
mod untestable;
mod verification;

pub use crate::belief::{NoCulprit, Prior, PriorName, Rate, RunCounts, Uniform};
pub use crate::search::{Hypothesis, Posterior};
pub use algorithm::Culprit;
pub use config::{CulpritConfig, CulpritStrategy};
pub use report::{Conclusion, CulpritReport, MissingRun, Reason};
pub use verification::{
    Check, Earlier, ReasonCode, Role, Sampling, Verification, VerificationConfig, VerificationReason,
    VerificationReport, sample_for_verification,
};

pub(crate) use belief::Belief;
pub(crate) use bound::takes_too_long;
pub(crate) use costs::Costs;
pub(crate) use decision::{Decision, Due, decide, due_run};
pub(crate) use guard::{Guard, Patience, Seen, Unproven};
pub(crate) use information::{is_useful, run_at};
pub(crate) use joint::joint_runs;
pub(crate) use limit::most_runs;
pub(crate) use model_check::ModelCheck;
pub(crate) use suspects::Suspects;
pub(crate) use verification::{Evidence, Short, contrast, without};

use crate::search::AskTell;

/// A search for the culprit with a flaky test. See [`CulpritConfig`] for the options.
///
/// # Evidence
/// The search reports a culprit only after a failure of the culprit and a pass of each of its parents. It requests these runs
/// itself. If they cannot be obtained, the search ends without a culprit and lists the missing runs ([`CulpritReport::missing`]).
///
/// # Number of runs
/// Every search ends, whatever the outcomes. One revision is run at most `R` times, plus once for each other probe in flight at
/// that moment:
///
/// ```text
/// R = max(8, ceil(4 (ln(1 / (1 - confidence)) + ln(1 / p)) / D))
/// ```
///
/// - `p` is the lowest prior probability of a suspect, among those above 0.
/// - `D` is the lower of the relative entropies, in nats, of a run's outcomes at a healthy and at a broken revision. Without
///   false passes, `D` is `ln(1 / flake_rate)`. If a rate is unknown or the given rates do not fit the observations, `D` is 0.1.
///
/// `R` is four times the average number of runs that settle one revision (Wald's sequential test). A revision with `R` runs
/// counts as unresolved. Suspects that only such revisions tell apart are reported together.
///
/// The final verification ([`CulpritConfig::verify`]) can run a revision `V` more times:
///
/// ```text
/// V = ceil(4 ln(1 / (1 - confidence)) / min(D, ln 2))
/// ```
///
/// If `R + V` runs do not suffice, the search ends with [`Status::TooFlaky`](crate::Status::TooFlaky). A search therefore takes
/// at most `R + V` runs for each suspect and each parent of a suspect. With `choose = "bisect"`, a revision is run until it
/// passes once or fails `reruns` times.
///
/// # Unresolved revisions
/// Unresolved revisions usually come in blocks. The search leaves a block in steps of growing size. Four unresolved revisions
/// make a block, and the search then runs nothing inside it.
///
/// # Errors
/// [`AskTell::new`] returns [`Error::InvalidArgument`](crate::Error::InvalidArgument) in these cases:
///
/// - A rate, probability, weight, or cost is out of range.
/// - There is not exactly one bad revision.
/// - A good revision is the bad revision or not an ancestor of it.
/// - Every suspect weighs 0.
pub type CulpritSearch = AskTell<Culprit>;

/// Checks a conclusion by reruns. See [`VerificationConfig`] for the options.
///
/// # Errors
/// [`AskTell::new`] returns [`Error::InvalidArgument`](crate::Error::InvalidArgument) if a rate or the confidence is out of
/// range, or if the culprit is not a suspect between the endpoints.
pub type CulpritVerifier = AskTell<Verification>;
