//! The current time as text.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The last second that RFC 3339 can express: the end of the year 9999.
const LATEST: u64 = 253_402_300_799;

/// Returns the current time in UTC as RFC 3339 text, to the second. A clock that is set before 1970 reads as the
/// beginning of 1970.
#[must_use]
pub fn moment() -> String {
    written(SystemTime::now())
}

fn written(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs().min(LATEST);
    humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(since)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_before_1970_reads_as_1970() {
        let second = Duration::from_secs(1);
        assert_eq!(written(UNIX_EPOCH - second), "1970-01-01T00:00:00Z");
        assert_eq!(written(UNIX_EPOCH + second), "1970-01-01T00:00:01Z");
        assert_eq!(written(UNIX_EPOCH + second * 2_000_000_000), "2033-05-18T03:33:20Z");
        assert_eq!(written(UNIX_EPOCH + Duration::from_secs(LATEST + 1)), "9999-12-31T23:59:59Z");
    }
}
