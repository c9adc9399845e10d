//! When it does not matter which of two revisions is asked.

use super::round::{alike, rounds, surprise};

/// What it comes to if suspects are parted in two.
#[derive(Clone, Copy)]
pub(super) struct Split {
    /// What the test tells for what it costs, in bits.
    tells: f64,
    /// How many runs it takes after that to tell the suspects of each part from one another.
    left: f64,
}

/// How much there is among some suspects to be told apart: the sum of their weights, and of each weight times its logarithm.
#[derive(Clone, Copy)]
pub(super) struct Mass {
    pub(super) sum: f64,
    pub(super) surprises: f64,
}

impl Mass {
    pub(super) fn of(weight: f64) -> Self {
        Mass { sum: weight, surprises: surprise(weight) }
    }

    pub(super) fn and(self, other: Self) -> Self {
        Mass { sum: self.sum + other.sum, surprises: self.surprises + other.surprises }
    }

    fn runs(self) -> f64 {
        self.sum * rounds(alike(self.sum, self.surprises), 1)
    }
}

impl Split {
    /// A part of all suspects, and the others.
    pub(super) fn new(tells: f64, part: Mass, all: Mass) -> Self {
        let rest = Mass { sum: all.sum - part.sum, surprises: all.surprises - part.surprises };
        Split { tells, left: (part.runs() + rest.runs()) / all.sum }
    }

    /// Whether it is as good as the best one, as far as runs go.
    ///
    /// Either measure alone lets too much pass: bits do not see that only whole runs can be asked for, and runs are counted
    /// as though suspects with as many bits were alike. `firstbad-benchmarks incremental` measures what both come to.
    pub(super) fn is_as_good_as(self, best: Split) -> bool {
        self.tells >= best.tells * (1.0 - EQUAL_BITS) && self.left <= best.left + EQUAL_RUNS
    }
}

/// A test that tells less by no more than this share tells as much.
const EQUAL_BITS: f64 = 0.01;

/// What takes more runs by no more than this takes as many.
pub(super) const EQUAL_RUNS: f64 = 0.002;
