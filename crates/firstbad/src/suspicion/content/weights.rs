//! What counts how much.

use serde::{Deserialize, Serialize};

use super::traits::TRAITS;
use crate::error::Error;

/// What counts how much, in the logarithm of a suspect's weight.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContentWeights {
    /// That it touches a source file. For a merge only what differs from all of its parents counts, here and below.
    pub source: f64,
    /// The logarithm to base 2 of one more than the lines of source files that it adds and deletes; a file that is only
    /// renamed counts as one line, and one of a merge as 20 at most. Where it adds and deletes more than 100 lines of one
    /// file, as one that formats it does, the file's lines are divided by the third power of how many times 100 the fewer of
    /// the two are. Where a test is known and it touches more than 16 source files, the lines are divided by the third power
    /// of how many times 16 they are.
    pub lines: f64,
    /// That it touches source and test files; not of merges.
    pub source_and_test: f64,
    /// How well the source files that it touches fit the name of the test's file, in [0, 1]. Where they are more than 16, it is
    /// divided by how many times 16 they are.
    pub path: f64,
    /// Which share of the test's words its subject has, rare words counting more, in [0, 1].
    pub subject: f64,
    /// The part of the mass that all suspects share evenly, in [0, 1].
    pub floor: f64,
}

impl Default for ContentWeights {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl ContentWeights {
    /// What was fitted on recorded histories.
    pub const DEFAULT: Self =
        ContentWeights { source: 2.5, lines: 0.25, source_and_test: 1.0, path: 2.0, subject: 5.0, floor: 0.5 };

    /// All but the floor, in the order of `Fit::numbers`.
    pub(super) fn numbers(&self) -> [f64; TRAITS] {
        [self.source, self.lines, self.source_and_test, self.path, self.subject]
    }

    /// The same floor with other weights.
    pub(super) fn with_numbers(&self, numbers: [f64; TRAITS]) -> Self {
        let [source, lines, source_and_test, path, subject] = numbers;
        ContentWeights { source, lines, source_and_test, path, subject, floor: self.floor }
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        let weights = [
            ("source", self.source),
            ("lines", self.lines),
            ("source_and_test", self.source_and_test),
            ("path", self.path),
            ("subject", self.subject),
        ];
        if let Some((name, weight)) = weights.into_iter().find(|(_, weight)| !(-MOST..=MOST).contains(weight)) {
            return Err(Error::invalid(argument(name), weight, format!("a number in [-{MOST}, {MOST}]")));
        }
        match (0.0..=1.0).contains(&self.floor) {
            true => Ok(()),
            false => Err(Error::invalid(argument("floor"), self.floor, "a part of the whole, in [0, 1]")),
        }
    }
}

fn argument(name: &str) -> String {
    format!("weights[{name:?}]")
}

/// The most that one trait may count: with it, a suspect is `e` to this power times as likely.
const MOST: f64 = 50.0;
