//! Flake-aware culprit finding (FACF; Henderson et al. 2023): who did it, how sure that is, or that nobody did.

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

/// A search for the culprit with a flaky test; see [`CulpritConfig`] for what it can be told.
///
/// **Nobody is named** before a failure of the culprit and a pass of each of its parents was seen. The search asks for
/// those runs itself; where they cannot be had, it ends without a name, and says what is missing
/// ([`CulpritReport::missing`]).
///
/// **It ends, whatever the oracle says.** One revision is run at most `R` times (and once for each further probe that is
/// in flight then),
///
/// ```text
/// R = max(8, ceil(4 (ln(1 / (1 - confidence)) + ln(1 / p)) / D)),
/// ```
///
/// `p` is the prior probability of the least likely suspect that is possible, `D` the lower of the relative entropies, in
/// nats, of one run's outcomes at a healthy revision and at a broken one (that is `ln(1 / flake_rate)` without false
/// passes), or 0.1 if a rate is unknown, or if the rates told do not fit what was seen: four times what it takes, on
/// average, to settle one revision by its own runs (Wald's sequential test). A revision with so many runs counts as one
/// that cannot be tested, and what only such revisions tell apart is the answer together.
///
/// The last stage, a verification ([`CulpritConfig::verify`]), may run a revision
/// `V = ceil(4 ln(1 / (1 - confidence)) / min(D, ln 2))` times more. If `R + V` runs of it do not suffice, nobody is named,
/// and the status is [`Status::TooFlaky`](crate::Status::TooFlaky). So the search takes at most `R + V` times as many runs
/// as there are suspects and parents of suspects. With `choose = "bisect"` a revision is run until it passes once or fails
/// `reruns` times.
///
/// **Unresolved revisions** come in blocks: the search steps out of a block with growing steps, and spends no run on
/// what lies inside it once four unresolved revisions make it one.
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
