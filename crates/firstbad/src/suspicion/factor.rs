//! What else speaks for or against a changelist: factors that need nothing but the changelist itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::changelist::Changelist;
use super::trace::Trace;
use crate::error::Error;

/// What a [`Factor`] is made of: how much more (above 1) or less suspicious something makes a changelist; never below 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "factor", rename_all = "snake_case", deny_unknown_fields)]
pub enum FactorConfig {
    /// The lines that it added and deleted: 1 + ln(1 + lines), to the power of `strength`.
    Size {
        /// 0 or above; 0 makes all alike.
        strength: f64,
    },
    /// Words in its message: the product of the factors of those that are there, whole words in any case.
    Words {
        /// A factor for each.
        factors: BTreeMap<String, f64>,
    },
    /// Who made it: the factor of the e-mail address, in any case, or else of the name; 1 for others.
    Authors {
        /// A factor for each.
        factors: BTreeMap<String, f64>,
    },
    /// What a stack trace or a log names: files, and their lines.
    Trace {
        /// The text, of any language.
        text: String,
        /// The factor of a change that touches a file that is named there.
        file: f64,
        /// The factor of one that touches a line that is named there, or one within three lines of it, where the change's lines
        /// are known.
        line: f64,
    },
}

/// A function of a changelist: the number that its weight in a prior is multiplied by.
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
    /// The factor that a configuration says.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for numbers below 0 or not finite, and for words without a letter.
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

    /// The number for a changelist, finite and 0 or above.
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

/// Whether `word` is in `text` with no letter or digit right before it or behind it.
fn contains(text: &[char], word: &[char]) -> bool {
    let ends = |at: Option<&char>| at.is_none_or(|letter| !letter.is_alphanumeric());
    text.windows(word.len()).enumerate().any(|(start, window)| {
        window == word && ends(start.checked_sub(1).map(|before| &text[before])) && ends(text.get(start + word.len()))
    })
}
