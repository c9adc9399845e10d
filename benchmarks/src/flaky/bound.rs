//! The least that any search needs: the entropy of the prior over the capacity of the channel.

/// The entropy of an event, in bits.
pub(super) fn entropy(p: f64) -> f64 {
    let term = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
    term(p) + term(1.0 - p)
}

/// Bits that one run of a test tells at most, if healthy revisions fail with this chance and broken ones always.
pub(super) fn capacity(flakes: f64) -> f64 {
    let chance = 1.0 / (1.0 + (-entropy(flakes) / (1.0 - flakes)).exp2());
    entropy(chance) - (1.0 - chance) / (1.0 - flakes) * entropy(flakes)
}

/// Runs that `suspects` alike and "no culprit" at 0.4 take at least, on average.
pub(super) fn bound(suspects: usize, flakes: f64) -> f64 {
    (entropy(0.4) + 0.6 * (suspects as f64).log2()) / capacity(flakes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_reference_figures() {
        for (suspects, flakes, runs) in
            [(100, 0.1, 6.50), (1000, 0.0, 6.95), (1000, 0.3, 13.80), (1000, 0.5, 21.59), (10_000, 0.1, 11.72)]
        {
            assert!((bound(suspects, flakes) - runs).abs() < 0.006, "{suspects} {flakes}");
        }
    }
}
