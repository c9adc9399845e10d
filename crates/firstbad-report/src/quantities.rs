//! Numbers and durations in sentences.

/// Formats a number with its noun.
pub(crate) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// Formats a duration in seconds.
pub(crate) fn duration(seconds: f64) -> String {
    if seconds < 9.95 {
        return format!("{seconds:.1} s");
    }
    let whole = seconds.round() as u64;
    let parts = [(whole / 3600, "h"), (whole / 60 % 60, "min"), (whole % 60, "s")];
    let parts = parts.into_iter().filter(|&(of, _)| of > 0).map(|(of, unit)| format!("{of} {unit}"));
    parts.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_spaces_before_their_units() {
        let said = [0.04, 9.94, 9.96, 59.6, 125.0, 3_600.0, 90_061.0].map(duration);
        assert_eq!(said, ["0.0 s", "9.9 s", "10 s", "1 min", "2 min 5 s", "1 h", "25 h 1 min 1 s"]);
    }
}
