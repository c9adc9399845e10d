//! Numbers, times, and dates in cards.

use firstbad::Commit;

use crate::draw::escaped;

/// The no-break space between a number and its unit.
const SPACE: char = '\u{a0}';
/// The narrow no-break space between groups of thousands.
const NARROW: char = '\u{202f}';

/// Formats a number with separated thousands.
pub(super) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(NARROW);
        }
        text.push(digit);
    }
    text
}

/// Formats a number with its noun, for example "2 runs".
pub(super) fn count(many: u64, what: &str) -> String {
    let plural = if many == 1 { "" } else { "s" };
    format!("{} {what}{plural}", number(many))
}

/// Spells out a number under ten.
pub(super) fn words(many: usize) -> String {
    const WORDS: [&str; 10] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    WORDS.get(many).map_or_else(|| number(many as u64), |word| (*word).to_owned())
}

/// Formats a probability in tenths of a percent. Only 0 is 0% and only 1 is 100%.
pub(super) fn percent(probability: f64) -> String {
    match probability {
        p if p > 0.0 && p < 0.001 => "under 0.1%".to_owned(),
        p if p < 1.0 && p > 0.999 => "over 99.9%".to_owned(),
        p => format!("{:.1}%", 100.0 * p),
    }
}

/// Formats a duration in seconds.
pub(super) fn seconds(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return String::new();
    }
    let whole = seconds.round() as u64;
    match seconds {
        s if s < 0.0995 => format!("{:.0}{SPACE}ms", 1000.0 * s),
        s if s < 59.95 => format!("{s:.1}{SPACE}s"),
        _ if whole < 600 => format!("{}{SPACE}min {}{SPACE}s", whole / 60, whole % 60),
        _ if whole < 3600 => format!("{}{SPACE}min", whole / 60),
        _ => format!("{}{SPACE}h {}{SPACE}min", number(whole / 3600), whole % 3600 / 60),
    }
}

/// Formats an ISO 8601 day as `14 Nov 2025`. Other text stays as it is.
fn day(iso: &str) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut parts = iso.splitn(3, '-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let month = month.and_then(|month| month.parse::<usize>().ok()).and_then(|month| MONTHS.get(month.checked_sub(1)?));
    match (year, month, day.and_then(|day| day.parse::<u32>().ok())) {
        (Some(year), Some(month), Some(day)) => format!("{day} {month} {year}"),
        _ => iso.to_owned(),
    }
}

/// Returns the author and the date of a commit, as HTML.
pub(super) fn author(commit: &Commit) -> String {
    let author = super::element::text(&commit.author);
    if commit.author_date.is_empty() { author } else { format!("{author}, {}", escaped(&date(&commit.author_date))) }
}

/// Formats an ISO 8601 time as `14 Nov 2025, 16:02 UTC`.
fn date(iso: &str) -> String {
    match iso.split_once('T') {
        Some((date, time)) if time.ends_with('Z') && time.is_char_boundary(5) && time.len() >= 6 => {
            format!("{}, {} UTC", day(date), &time[..5])
        }
        Some((date, time)) => match (time.get(..5), time.rfind(['+', '-'])) {
            (Some(clock), Some(at)) => format!("{}, {clock} {}", day(date), &time[at..]),
            _ => day(iso),
        },
        None => day(iso),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_for_people() {
        assert_eq!(
            [number(0), number(999), number(1000), number(1_234_567)],
            ["0", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]
        );
        assert_eq!(
            [percent(0.0), percent(0.0004), percent(0.996), percent(0.99999), percent(1.0)]
                .map(|text| text.replace('\u{a0}', " ")),
            ["0.0%", "under 0.1%", "99.6%", "over 99.9%", "100.0%"]
        );
        assert_eq!(
            [0.02, 26.94, 59.97, 292.0, 660.0, 4000.0, f64::NAN].map(|time| seconds(time).replace('\u{a0}', " ")),
            ["20 ms", "26.9 s", "1 min 0 s", "4 min 52 s", "11 min", "1 h 6 min", ""]
        );
        assert_eq!(
            [date("2025-11-14T16:02:31Z"), date("2025-11-04"), date(""), date("täglich-02-ü"), date("T\u{1f600}Z")],
            ["14 Nov 2025, 16:02 UTC", "4 Nov 2025", "", "täglich-02-ü", "T\u{1f600}Z"]
        );
    }
}
