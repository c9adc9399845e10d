use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::changelist::Changelist;
use super::trace::Trace;
use crate::error::Error;

/// The definition of a [`Factor`]. Values above 1 make a changelist more suspicious, and values below 1 make it less suspicious.
/// No value is below 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "factor", rename_all = "snake_case", deny_unknown_fields)]
pub enum FactorConfig {
    /// The number of added and deleted lines, as (1 + ln(1 + lines)) to the power of `strength`.
    Size {
        /// The exponent, at least 0. With 0, the size has no effect.
        strength: f64,
    },
    /// The product of the factors of the words in the message. Words match whole words in any case.
    Words {
        /// The factor of each word.
        factors: BTreeMap<String, f64>,
    },
    /// The factor of the author's e-mail address in any case, or else of the author's name. Other authors have factor 1.
    Authors {
        /// The factor of each author.
        factors: BTreeMap<String, f64>,
    },
    /// The files and lines in a stack trace or log.
    Trace {
        /// The stack trace or log, from any language.
        text: String,
        /// The factor of a change that touches a named file.
        file: f64,
        /// The factor of a change that touches a named line or a line at most three lines away, if its lines are known.
        line: f64,
    },
}

/// A function from changelists to factors of their weights in a prior.
#[derive(Debug, Clone)]
pub struct Factor(Kind);

#[derive(Debug, Clone)]
enum Kind {
    Size(f64),
    Words(Vec<(Vec<char>, f64)>),
    Authors(BTreeMap<String, f64>),
    Trace { trace: Trace, file: f64, line: f64 },
}

fn checked(argument: &str, factor: f64) -> Result<f64, Error> {
    if factor.is_finite() && factor >= 0.0 {
        return Ok(factor);
    }
    Err(Error::invalid(argument, factor, "a finite number, 0 or above"))
}

fn all_checked(argument: &str, factors: &BTreeMap<String, f64>) -> Result<(), Error> {
    factors.iter().try_for_each(|(name, &factor)| checked(&format!("{argument}[{name:?}]"), factor).map(|_| ()))
}

impl Factor {
    /// Creates a factor from its definition.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if a number is negative or not finite, or if a word has no letters.
    pub fn new(config: FactorConfig) -> Result<Factor, Error> {
        let kind = match config {
            FactorConfig::Size { strength } => Kind::Size(checked("strength", strength)?),
            FactorConfig::Words { factors } => {
                all_checked("words", &factors)?;
                let word = |(word, factor): (String, f64)| {
                    let folded = folded(&word);
                    if folded.iter().any(|letter| letter.is_alphanumeric()) {
                        return Ok((folded, factor));
                    }
                    Err(Error::invalid("words", word, "words with a letter or a digit"))
                };
                Kind::Words(factors.into_iter().map(word).collect::<Result<_, _>>()?)
            }
            FactorConfig::Authors { factors } => {
                all_checked("authors", &factors)?;
                Kind::Authors(factors.into_iter().map(|(name, factor)| (name.to_lowercase(), factor)).collect())
            }
            FactorConfig::Trace { text, file, line } => {
                Kind::Trace { trace: Trace::new(&text), file: checked("file", file)?, line: checked("line", line)? }
            }
        };
        Ok(Factor(kind))
    }

    /// Returns the factor of a changelist, finite and at least 0.
    #[must_use]
    pub fn of(&self, changelist: &Changelist) -> f64 {
        match &self.0 {
            Kind::Size(strength) => {
                (1.0 + ((changelist.added + changelist.deleted) as f64).ln_1p()).powf(*strength).min(f64::MAX)
            }
            Kind::Words(words) => {
                let message = folded(&changelist.message);
                let there = words.iter().filter(|(word, _)| contains(&message, word));
                there.map(|(_, factor)| factor).product::<f64>().min(f64::MAX)
            }
            Kind::Authors(authors) => {
                let of = |name: &str| authors.get(&name.to_lowercase()).copied();
                of(&changelist.email).or_else(|| of(&changelist.author)).unwrap_or(1.0)
            }
            Kind::Trace { trace, file, line } => {
                let lines = |name: &String| changelist.lines.get(name).map(Vec::as_slice).unwrap_or_default();
                let touched = changelist.files.iter().filter(|name| trace.names(name));
                let factors =
                    touched.map(|name| if trace.names_line(name, lines(name)) { line.max(*file) } else { *file });
                factors.reduce(f64::max).unwrap_or(1.0)
            }
        }
    }
}

fn folded(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Returns whether `text` contains `word` without an adjacent letter or digit.
fn contains(text: &[char], word: &[char]) -> bool {
    let ends = |at: Option<&char>| at.is_none_or(|letter| !letter.is_alphanumeric());
    text.windows(word.len()).enumerate().any(|(start, window)| {
        window == word && ends(start.checked_sub(1).map(|before| &text[before])) && ends(text.get(start + word.len()))
    })
}
