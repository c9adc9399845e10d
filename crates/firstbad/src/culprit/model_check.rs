//! Checks whether the given rates fit the observations.
//!
//! The check compares the likelihood of all observations with the given rates and with both rates unknown, each averaged over the
//! hypotheses. Their ratio is a Bayes factor. If the given rates are right, it ever reaches `1 / (1 - confidence)` with
//! probability `1 - confidence` at most, however the search chooses its runs (Ville's inequality). Such a ratio refutes given
//! rates. Default rates are dropped as soon as other rates are more likely.

use std::sync::Arc;

use super::belief::Belief;
use super::config::CulpritConfig;
use crate::belief::{Rate, Rates, RunCounts};

/// Alternatives to the given rates.
#[derive(Debug)]
pub(crate) struct ModelCheck {
    /// Both rates unknown.
    unknown: Arc<Rates>,
    /// The given rates or, with probability [`DOUBT`] or [`DOUBT_UNTOLD`], both unknown.
    doubted: Arc<Rates>,
    /// For default rates, the logarithm of the ratio at which a doubter considers both alternatives equally likely. Given rates
    /// are trusted until they are refuted.
    ln_even: Option<f64>,
}

/// A belief with rates that fit better than the given ones.
#[derive(Debug)]
pub(crate) struct Instead {
    /// The belief with both rates unknown.
    pub(crate) unknown: Belief,
    /// Whether the observations refute the given rates. If not, the rates are only doubtful.
    pub(crate) is_refuted: bool,
}

impl ModelCheck {
    /// Returns `None` if the caller gave no rate, or if the floor leaves no other rates.
    pub(crate) fn new(config: &CulpritConfig, told: &Rates) -> Option<Self> {
        if (config.flake_rate, config.false_pass_rate) == (Rate::Estimate, Rate::Estimate) {
            return None;
        }
        let unknown = Rates::new(Rate::Estimate, config.min_flake_rate, Rate::Estimate).ok()?;
        let is_told = config.flake_rate != Rate::Estimate;
        let doubt = if is_told { DOUBT } else { DOUBT_UNTOLD };
        let ln_even = (!is_told).then(|| ((1.0 - doubt) / doubt).ln());
        Some(ModelCheck { doubted: Arc::new(told.or(&unknown, doubt)), unknown: Arc::new(unknown), ln_even })
    }

    /// The same check for a search for a fix, with rates that are [`Rates::swapped`].
    pub(crate) fn swapped(&self) -> Self {
        let swap = |rates: &Rates| Arc::new(rates.swapped());
        ModelCheck { unknown: swap(&self.unknown), doubted: swap(&self.doubted), ln_even: self.ln_even }
    }

    /// Returns the better belief, or `None` if the given rates are trusted.
    pub(crate) fn instead(&self, told: &Belief, confidence: f64) -> Option<Instead> {
        let refuted = told.ln_evidence() - (1.0 - confidence).ln();
        let limit = self.ln_even.map_or(refuted, |even| refuted.min(told.ln_evidence() + even));
        // A cheap upper bound: the likelihood with the best rates for each hypothesis.
        let classes = told.tallies();
        let most =
            classes.map(|(healthy, broken)| most_ln(healthy) + most_ln(broken)).fold(f64::NEG_INFINITY, f64::max);
        if most <= limit {
            return None;
        }
        let unknown = told.at_rates(&self.unknown);
        (unknown.ln_evidence() > limit).then(|| Instead { is_refuted: unknown.ln_evidence() > refuted, unknown })
    }

    /// Both rates unknown.
    pub(crate) fn unknown(&self) -> &Arc<Rates> {
        &self.unknown
    }

    /// The rates of someone who doubts the given rates.
    pub(crate) fn doubted_rates(&self) -> &Rates {
        &self.doubted
    }

    /// The belief of someone who doubts the given rates.
    pub(crate) fn doubted(&self, told: &Belief) -> Belief {
        told.at_rates(&self.doubted)
    }
}

/// The prior probability that default rates are wrong. With this value, a test that never flakes must pass three times at the bad
/// revision before it counts as a flake. With a lower value, half of the commits that break a test in every second run would
/// count as flakes.
const DOUBT_UNTOLD: f64 = 0.3;

/// The same probability if the caller gave the flake rate. The test must pass twice.
const DOUBT: f64 = 0.125;

/// The logarithm of the likelihood of runs at the most likely rate.
fn most_ln(runs: RunCounts) -> f64 {
    let all = f64::from(runs.runs());
    let term = |count: u32| if count == 0 { 0.0 } else { f64::from(count) * (f64::from(count) / all).ln() };
    term(runs.passes) + term(runs.fails)
}
