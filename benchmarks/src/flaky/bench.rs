//! What all parts share.

use std::time::Instant;

use crate::figure::Figure;
use crate::options::Options;

/// Share of healthy revisions' runs that fail, in the cells.
pub(super) const RATES: [f64; 5] = [0.0, 0.01, 0.1, 0.3, 0.5];

/// Suspects in the cells.
pub(super) const SIZES: [usize; 3] = [100, 1000, 10_000];

/// What all parts share.
pub(super) struct Bench<'a> {
    pub(super) options: &'a Options,
    pub(super) trials: u64,
    pub(super) started: Instant,
    pub(super) targets: Vec<Figure>,
}

impl Bench<'_> {
    /// Says how far it is.
    pub(super) fn progress(&self, what: impl std::fmt::Display) {
        eprintln!("{:6.1} s  {what}", self.started.elapsed().as_secs_f64());
    }

    pub(super) fn target(&mut self, figure: Figure) {
        self.targets.push(figure);
    }
}
