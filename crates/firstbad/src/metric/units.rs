//! Units of measured numbers.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The largest number of characters of a unit.
pub(super) const LONGEST: usize = 20;

/// The smallest change that matters.
///
/// ```
/// use firstbad::metric::AtLeast;
/// assert_eq!(serde_json::from_str::<AtLeast>(r#""2.5%""#)?, AtLeast::Share(0.025));
/// let size: AtLeast = serde_json::from_str(r#""2kB""#)?;
/// assert_eq!(size, AtLeast::Amount { amount: 2000.0, text: "2kB".into(), unit: Some("B") });
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum AtLeast {
    /// A fraction of the number at the good revision, above 0 and at most 10.
    Share(f64),
    /// An amount above 0 in the unit of the number.
    Amount {
        /// The amount in the base unit.
        amount: f64,
        /// The text that was given.
        text: String,
        /// The base unit, if the text names one.
        unit: Option<&'static str>,
    },
}

impl Default for AtLeast {
    fn default() -> Self {
        AtLeast::Share(0.03)
    }
}

/// The units that firstbad knows, with their base unit and their size in it.
const UNITS: [(&str, &str, f64); 15] = [
    ("ns", "s", 1e-9),
    ("us", "s", 1e-6),
    ("µs", "s", 1e-6),
    ("ms", "s", 1e-3),
    ("s", "s", 1.0),
    ("min", "s", 60.0),
    ("h", "s", 3600.0),
    ("B", "B", 1.0),
    ("kB", "B", 1e3),
    ("KB", "B", 1e3),
    ("MB", "B", 1e6),
    ("GB", "B", 1e9),
    ("KiB", "B", 1024.0),
    ("MiB", "B", 1_048_576.0),
    ("GiB", "B", 1_073_741_824.0),
];

impl AtLeast {
    /// Returns the base unit, if the amount has one.
    #[must_use]
    pub fn unit(&self) -> Option<&'static str> {
        match self {
            AtLeast::Share(_) => None,
            AtLeast::Amount { unit, .. } => *unit,
        }
    }

    fn share(share: f64) -> Result<Self, String> {
        let expected = || "a fraction above 0 and at most 10, such as 0.03 or \"3%\"".to_owned();
        (share > 0.0 && share <= 10.0).then_some(AtLeast::Share(share)).ok_or_else(expected)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let trimmed = text.trim();
        let digits = trimmed.find(|letter: char| !matches!(letter, '0'..='9' | '.')).unwrap_or(trimmed.len());
        let (number, unit) = (trimmed[..digits].parse::<f64>(), trimmed[digits..].trim());
        let expected = || "a percentage such as \"3%\" or an amount such as \"2kB\"".to_owned();
        let number = number.map_err(|_| expected())?;
        if unit == "%" {
            return Self::share(number / 100.0);
        }
        let known = UNITS.iter().find(|known| known.0 == unit);
        let (base, size) = match (unit, known) {
            ("", _) => (None, 1.0),
            (_, Some(&(_, base, size))) => (Some(base), size),
            _ => return Err(expected()),
        };
        let amount = number * size;
        let is_usable = amount > 0.0 && amount.is_finite();
        is_usable.then(|| AtLeast::Amount { amount, text: trimmed.to_owned(), unit: base }).ok_or_else(expected)
    }
}

impl std::fmt::Display for AtLeast {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AtLeast::Share(share) => f.write_str(&percent(100.0 * share)),
            AtLeast::Amount { text, .. } => f.write_str(text),
        }
    }
}

impl Serialize for AtLeast {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            AtLeast::Share(share) => serializer.serialize_f64(*share),
            AtLeast::Amount { text, .. } => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for AtLeast {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "invalid type, expected a fraction, a percentage, or an amount")]
        enum Given<'a> {
            Number(f64),
            Text(#[serde(borrow)] Cow<'a, str>),
        }
        let read = match Given::deserialize(deserializer)? {
            Given::Number(share) => Self::share(share),
            Given::Text(text) => Self::parse(&text),
        };
        read.map_err(de::Error::custom)
    }
}

/// Returns a number with its unit, with three significant digits: `36.7 ms`, `2.10 MB`, `1234`.
///
/// ```
/// use firstbad::metric::amount;
/// assert_eq!(amount(0.0367, Some("s")), "36.7 ms");
/// assert_eq!(amount(2_104_000.0, Some("B")), "2.10 MB");
/// assert_eq!(amount(-180.0, Some("B")), "-180 B");
/// assert_eq!(amount(1234.0, None), "1234");
/// assert_eq!(amount(97.5, Some("req/s")), "97.5 req/s");
/// ```
#[must_use]
pub fn amount(number: f64, unit: Option<&str>) -> String {
    let size = number.abs();
    let scales: &[(f64, &str)] = match unit {
        Some("s") => &[(60.0, "min"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")],
        Some("B") => &[(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")],
        _ => &[],
    };
    match (scales.iter().find(|(least, _)| size >= *least), unit) {
        // Below 10 minutes, seconds are easier to read.
        (Some(&(60.0, _)), _) if size < 600.0 => format!("{} s", digits(number)),
        (Some(&(least, name)), _) => format!("{} {name}", digits(number / least)),
        (None, Some(unit)) => format!("{} {unit}", digits(number)),
        (None, None) => digits(number),
    }
}

/// Returns a percentage with at most three significant digits: `3%`, `12.5%`, `0.25%`, `244%`.
#[must_use]
pub fn percent(percentage: f64) -> String {
    let text = digits(percentage);
    let short = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{short}%")
}

/// Returns a number with three significant digits, and whole numbers below a million with all of theirs.
fn digits(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 || size.fract() == 0.0 && size < 1e6 {
        return format!("{number:.0}");
    }
    match size {
        size if !(1e-6..1e15).contains(&size) => format!("{number:.2e}"),
        size if size >= 99.95 => format!("{number:.0}"),
        size if size >= 9.995 => format!("{number:.1}"),
        size if size >= 0.9995 => format!("{number:.2}"),
        size => {
            // The number of zeros after the point, plus three digits.
            let places = (-size.log10()).floor() as usize + 3;
            format!("{number:.places$}")
        }
    }
}
