//! Information in bits.

/// The entropy of an event with probability `p`, in bits, from 0 to 1.
pub(crate) fn entropy(p: f64) -> f64 {
    let term = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
    term(p) + term(1.0 - p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_is_one_bit_in_the_middle_and_zero_at_the_ends() {
        assert_eq!((entropy(0.0), entropy(0.5), entropy(1.0)), (0.0, 1.0, 0.0));
        assert!((entropy(0.1) - 0.468_995_593_589_281).abs() < 1e-12);
    }
}
