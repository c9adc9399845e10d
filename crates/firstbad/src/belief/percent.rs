//! Formats probabilities.

/// The maximum number of decimal places.
const MOST: usize = 9;

/// Formats a probability or rate in [0, 1] as a percentage, for example `"40.0%"`.
///
/// The percentage has one decimal place, or as many as it takes to differ from 0 and 1. Only 1 is `"100.0%"`, and only 0 is
/// `"0.0%"`.
///
/// ```
/// assert_eq!(firstbad::percent(0.4), "40.0%");
/// assert_eq!(firstbad::percent(0.99987), "99.99%");
/// assert_eq!(firstbad::percent(1.0 - 1e-15), "over 99.999999999%");
/// assert_eq!(firstbad::percent(1e-15), "under 0.000000001%");
/// ```
#[must_use]
pub fn percent(probability: f64) -> String {
    // The distance from 0 or 1, whichever is nearer.
    let apart = probability.min(1.0 - probability);
    if apart <= 0.0 {
        return format!("{:.1}%", 100.0 * probability);
    }
    // Subtract a little, because the logarithm of a power of ten can be slightly above a whole number.
    let digits = (-apart.log10() - 2.0 - 1e-9).ceil().max(1.0) as usize;
    if digits <= MOST {
        return format!("{:.digits$}%", 100.0 * probability);
    }
    let least = 0.1f64.powi(MOST as i32);
    if probability < 0.5 { format!("under {least:.MOST$}%") } else { format!("over {:.MOST$}%", 100.0 - least) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_certainty_looks_certain() {
        for exponent in 1..=300 {
            let little = 10f64.powi(-exponent);
            for probability in [little, 0.7 * little, 4.4 * little, 1.0 - little, 1.0 - 0.7 * little] {
                let text = percent(probability);
                let number: f64 = text.trim_start_matches("over ").trim_start_matches("under ")[..]
                    .trim_end_matches('%')
                    .parse()
                    .unwrap();
                assert_eq!(number <= 0.0, probability <= 0.0, "{text}");
                assert_eq!(number >= 100.0, probability >= 1.0, "{text}");
            }
        }
        let shown = [0.0, 0.001, 0.999, 0.9995, 0.5, 0.0312, 0.9999, 1.0].map(percent);
        assert_eq!(shown, ["0.0%", "0.1%", "99.9%", "99.95%", "50.0%", "3.1%", "99.99%", "100.0%"]);
    }
}
