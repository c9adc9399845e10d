//! The maximum number of runs of one revision, so that every search ends.

use crate::belief::Rates;

/// The runs that settle a revision with a margin of [`AMPLE`]: runs of this revision alone would bring the least likely suspect,
/// with prior probability `least`, to the confidence.
///
/// A run gives at least `D` nats on average. `D` is the lower of the relative entropies of a healthy and a broken revision's
/// outcomes (Wald's sequential test). If a rate is unknown, `D` is that of a test that fails in 9 of 10 runs.
pub(crate) fn most_runs(rates: &Rates, least: f64, confidence: f64) -> u32 {
    let needed = -(1.0 - confidence).ln() - least.ln();
    // The cast saturates.
    ((AMPLE * needed / per_run(rates)).ceil() as u32).max(FEW)
}

/// The maximum number of additional runs of one revision in a verification, enough to reach the confidence from even odds.
///
/// For someone who doubts the given rates, a run gives at most `ln 2` nats.
pub(crate) fn most_verification_runs(rates: &Rates, confidence: f64) -> u32 {
    let needed = -(1.0 - confidence).ln();
    (AMPLE * needed / per_run(rates).min(std::f64::consts::LN_2)).ceil() as u32
}

/// The average information of a run, in nats.
fn per_run(rates: &Rates) -> f64 {
    rates.known().map_or(UNKNOWN, |(flake, false_pass)| {
        let broken = 1.0 - false_pass;
        divergence(flake, broken).min(divergence(broken, flake))
    })
}

/// The margin over the average number of runs.
const AMPLE: f64 = 4.0;

/// The information of a run if a rate is unknown, in nats.
const UNKNOWN: f64 = 0.1;

/// The lower limit of the maximum.
const FEW: u32 = 8;

/// The relative entropy of two events with these probabilities, in nats.
fn divergence(p: f64, q: f64) -> f64 {
    let term = |p: f64, q: f64| if p > 0.0 { p * (p / q).ln() } else { 0.0 };
    term(p, q) + term(1.0 - p, 1.0 - q)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::Rate;

    #[test]
    fn the_maximum_number_of_runs_grows_with_the_rates() {
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
