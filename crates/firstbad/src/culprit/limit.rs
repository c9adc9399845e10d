//! How often one revision is run at most, so that every search ends, whatever its oracle says.

use crate::belief::Rates;

/// How many runs of one revision are enough to tell, [`AMPLE`] times over, whether it is healthy or broken: the least
/// likely suspect, of probability `least` beforehand, would reach the confidence by runs of that one revision alone.
///
/// A run tells `D` nats on average, the lower of the relative entropies of a healthy and a broken revision's outcomes
/// (Wald's sequential test). Where a rate is unknown, what a test tells that fails in 9 of 10 runs is reckoned with.
pub(crate) fn most_runs(rates: &Rates, least: f64, confidence: f64) -> u32 {
    let needed = -(1.0 - confidence).ln() - least.ln();
    // A float that is too large for a count becomes the largest one.
    ((AMPLE * needed / per_run(rates)).ceil() as u32).max(FEW)
}

/// How many further runs of one revision a verification may take: as much again as reaches the confidence from even odds.
///
/// Who believes no rate that was told learns no more than `ln 2` from a run, however reliable the test is said to be.
pub(crate) fn most_verification_runs(rates: &Rates, confidence: f64) -> u32 {
    let needed = -(1.0 - confidence).ln();
    (AMPLE * needed / per_run(rates).min(std::f64::consts::LN_2)).ceil() as u32
}

/// What a run tells on average, in nats.
fn per_run(rates: &Rates) -> f64 {
    rates.known().map_or(UNKNOWN, |(flake, false_pass)| {
        let broken = 1.0 - false_pass;
        divergence(flake, broken).min(divergence(broken, flake))
    })
}

/// How much more than is needed on average is ample.
const AMPLE: f64 = 4.0;

/// What a run tells, in nats, if a rate is unknown.
const UNKNOWN: f64 = 0.1;

/// As many runs of one revision are always made, if they are asked for.
const FEW: u32 = 8;

/// The relative entropy of two events by their chances, in nats.
fn divergence(p: f64, q: f64) -> f64 {
    let term = |p: f64, q: f64| if p > 0.0 { p * (p / q).ln() } else { 0.0 };
    term(p, q) + term(1.0 - p, 1.0 - q)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::Rate;

    #[test]
    fn is_more_than_any_search_needs_and_less_than_endless() {
        let most = |flake: f64, false_pass: f64| {
            let rates = Rates::new(Rate::Known(flake), 0.0, Rate::Known(false_pass));
            rates.map(|rates| most_runs(&rates, 1e-3, 0.99)).unwrap_or_default()
        };
        assert_eq!(most(0.0, 0.0), 8);
        // ln(1e5) / ln(10) is 5.
        assert_eq!(most(0.1, 0.0), 20);
        assert!((10..20).contains(&most(0.05, 0.02)), "{}", most(0.05, 0.02));
        assert!((500..1000).contains(&most(0.4, 0.4)), "{}", most(0.4, 0.4));
    }
}
