//! Whether what was told of the rates fits what was seen.
//!
//! All that was seen has a likelihood with the rates as told, and one with both rates unknown, each averaged over whoever it
//! was. The ratio of the two is a Bayes factor: if the rates are as told, it ever reaches `1 / (1 - confidence)` with a
//! probability of `1 - confidence` at most, however long the search runs and whatever it runs (Ville's inequality). That
//! refutes them. A default that nobody told is given up as soon as other rates are the likelier ones.

use std::sync::Arc;

use super::belief::Belief;
use super::config::CulpritConfig;
use crate::belief::{Rate, Rates, RunCounts};

/// Other rates to hold the told ones against.
#[derive(Debug)]
pub(crate) struct ModelCheck {
    /// Both unknown.
    unknown: Arc<Rates>,
    /// As told or, with a chance of [`DOUBT`] or [`DOUBT_UNTOLD`], both unknown.
    doubted: Arc<Rates>,
    /// Where nothing was told but a default: by how much likelier what was seen is with both unknown, as a logarithm, once a
    /// doubter thinks either as likely. What was told is believed until it is refuted.
    ln_even: Option<f64>,
}

/// What to believe instead, at rates that fit better than those told.
#[derive(Debug)]
pub(crate) struct Instead {
    /// What is believed with both rates unknown.
    pub(crate) unknown: Belief,
    /// Whether what was seen refutes the rates told, and does not only make them doubtful.
    pub(crate) is_refuted: bool,
}

impl ModelCheck {
    /// `None` if nothing was told, or if the floor leaves no other rates.
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

    /// The same check for a search for a fix, told the rates [`Rates::swapped`].
    pub(crate) fn swapped(&self) -> Self {
        let swap = |rates: &Rates| Arc::new(rates.swapped());
        ModelCheck { unknown: swap(&self.unknown), doubted: swap(&self.doubted), ln_even: self.ln_even }
    }

    /// What to believe instead; `None` if the rates told are to be believed.
    pub(crate) fn instead(&self, told: &Belief, confidence: f64) -> Option<Instead> {
        let refuted = told.ln_evidence() - (1.0 - confidence).ln();
        let limit = self.ln_even.map_or(refuted, |even| refuted.min(told.ln_evidence() + even));
        // No rates are likelier than those at which each hypothesis fits best: that is quickly seen.
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

    /// The rates of a doubter.
    pub(crate) fn doubted_rates(&self) -> &Rates {
        &self.doubted
    }

    /// What a doubter of the rates told believes.
    pub(crate) fn doubted(&self, told: &Belief) -> Belief {
        told.at_rates(&self.doubted)
    }
}

/// How likely it is, to a doubter, that the rates are others than those told, where nothing was told but that a broken revision
/// never passes, which is the default: with as much a test that never flakes passes three times at `bad` before nobody is to
/// blame. With less, half of the commits that make a test fail every second time would be called a flake.
const DOUBT_UNTOLD: f64 = 0.3;

/// The same for who has said how often the test fails at a healthy revision: it passes twice.
const DOUBT: f64 = 0.125;

/// The logarithm of the likelihood of runs at the rate at which it is highest.
fn most_ln(runs: RunCounts) -> f64 {
    let all = f64::from(runs.runs());
    let term = |count: u32| if count == 0 { 0.0 } else { f64::from(count) * (f64::from(count) / all).ln() };
    term(runs.passes) + term(runs.fails)
}
