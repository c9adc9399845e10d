//! Numbers in the output of a run.

use firstbad::Error;
use regex::bytes::Regex;

use super::values::{Found, MOST_VALUES};
use crate::judging::judge::expression;

/// The longest expression, in bytes.
const LONGEST: usize = 10_000;

/// A regular expression for numbers.
#[derive(Debug, Clone)]
pub(super) struct Expression(Regex);

impl Expression {
    /// # Errors
    /// [`Error::InvalidArgument`] for `metric` if the expression is empty, long, or invalid.
    pub(super) fn parse(kind: &str, text: &str) -> Result<Expression, Error> {
        if text.is_empty() || text.len() > LONGEST {
            let expected = format!("regex:EXPR with an expression of at most {LONGEST} bytes");
            return Err(Error::invalid("metric", kind, expected));
        }
        let made = expression("metric", text).map_err(|error| match error {
            Error::InvalidArgument { argument, expected, .. } => Error::invalid(argument, kind, expected),
            other => other,
        });
        made.map(Expression)
    }

    /// Returns the number of each match: that of the first group, or of the whole match if there is no group.
    pub(super) fn read(&self, text: &[u8]) -> Found {
        let group = usize::from(self.0.captures_len() > 1);
        let mut values = Vec::new();
        for found in self.0.captures_iter(text).filter_map(|found| found.get(group)) {
            if values.len() >= MOST_VALUES {
                return Err(format!("it matches more than {MOST_VALUES} times"));
            }
            let digits = String::from_utf8_lossy(found.as_bytes()).trim().to_owned();
            let wrong = || format!("it matches {}, which is not a number", short(&digits));
            // `.*` also matches an empty line.
            if !digits.is_empty() {
                values.push(number(&digits).ok_or_else(wrong)?);
            }
        }
        if values.is_empty() { Err("the output has no match".to_owned()) } else { Ok(values) }
    }
}

/// Returns the last number in a text.
pub(super) fn last_number(text: &[u8]) -> Found {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b',' | b'_' | b'+' | b'-' | b'%');
    for word in text.rsplit(|&byte| !is_part(byte)).filter_map(|word| std::str::from_utf8(word).ok()) {
        let word = word.trim_start_matches([',', '_']).trim_end_matches(['.', ',', '_']);
        let bare = word.trim_end_matches(|end: char| end.is_ascii_alphabetic() || end == '%');
        if let Some(value) = number(word).or_else(|| number(bare)) {
            return Ok(vec![value]);
        }
        if is_grouped(bare) {
            return Err(format!("the last number is {}: print it without separators", short(bare)));
        }
        if let Some(value) = bare.rsplit(',').next().filter(|rest| rest.len() < bare.len()).and_then(number) {
            return Ok(vec![value]);
        }
    }
    Err("standard output has no number".to_owned())
}

/// Returns whether commas or underscores separate groups of three digits, as in `1,234`.
fn is_grouped(word: &str) -> bool {
    let whole = word.split('.').next().unwrap_or_default().trim_start_matches(['+', '-']);
    let mut groups = whole.split([',', '_']);
    let is_digits = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    let first = groups.next().is_some_and(|first| first.len() <= 3 && is_digits(first));
    let rest: Vec<&str> = groups.collect();
    first && !rest.is_empty() && rest.iter().all(|group| group.len() == 3 && is_digits(group))
}

/// Returns a finite number in decimal notation, with or without an exponent.
pub(super) fn number(text: &str) -> Option<f64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-'));
    text.parse().ok().filter(|value: &f64| is_plain && value.is_finite())
}

/// Returns a text in quotes, shortened for a note.
pub(super) fn short(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(expression: &str, text: &[u8]) -> Found {
        Expression::parse(expression, expression).unwrap().read(text)
    }

    #[test]
    fn an_expression_reads_every_match() {
        let text = b"a: 1.5 req/s\nb: -2e3 req/s\na: 7 req/s\n";
        assert_eq!(read("^a: ([0-9.]+)", text), Ok(vec![1.5, 7.0]));
    }

    #[test]
    fn an_expression_never_reads_a_wrong_number() {
        assert_eq!(read("(x)?y", b"y"), Err("the output has no match".to_owned()), "an absent group");
        assert_eq!(read("-?[0-9.e+]+", b"-2e+3"), Ok(vec![-2000.0]));
        assert_eq!(read("t=(.*)", b"t=4\nt=n/a"), Err("it matches \"n/a\", which is not a number".to_owned()));
        assert_eq!(read("(.*)", b"4\n\n"), Ok(vec![4.0]));
        for text in ["1,234", "1_234", "inf", "NaN", "1e999", "0x10", "1.2.3", "", "\u{221e}"] {
            assert!(read("t=(.*)$", format!("t={text}").as_bytes()).is_err(), "{text}");
        }
        assert!(read("t=(.*)", b"t=\xff\xfe").is_err());
        let many = b"1 ".repeat(MOST_VALUES + 1);
        assert_eq!(read("1", &many), Err(format!("it matches more than {MOST_VALUES} times")));
        let long = format!("t={}", "x".repeat(5_000_000));
        assert!(read("t=(.*)", long.as_bytes()).unwrap_err().len() < 200);
    }

    #[test]
    fn the_last_number_ignores_units_and_versions() {
        for (text, value) in [
            ("12\n", 12.0),
            ("took 3.4 s (v1.2.3)", 3.4),
            ("mean=12.5ms\ndone.", 12.5),
            ("a 1 b -7.5e-3.", -0.0075),
            ("[1,2]", 2.0),
            ("99%", 99.0),
            ("=.5,", 0.5),
            ("total: 5, of which 1.", 1.0),
            ("x86 gave 4", 4.0),
        ] {
            assert_eq!(last_number(text.as_bytes()), Ok(vec![value]), "{text}");
        }
        for text in ["", "nothing", "v1.2.3", "inf nan", "\u{ff11}"] {
            assert_eq!(last_number(text.as_bytes()), Err("standard output has no number".to_owned()), "{text}");
        }
        for text in ["1,234", "-1,234,567.8", "1_000 B"] {
            assert!(last_number(text.as_bytes()).unwrap_err().ends_with("print it without separators"), "{text}");
        }
        assert_eq!(last_number(&b"\xff 3 \xfe".repeat(10)), Ok(vec![3.0]));
    }
}
