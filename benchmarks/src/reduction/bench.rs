//! What all parts share.

use std::time::Instant;

use crate::figure::Figure;
use crate::options::Options;

/// What all parts share.
pub(super) struct Bench<'a> {
    pub(super) options: &'a Options,
    /// Where the command line says so: trials instead of each part's own number.
    pub(super) trials: Option<u64>,
    pub(super) started: Instant,
    pub(super) targets: Vec<Figure>,
    /// What should not be: results that are not exact where they have to be.
    pub(super) wrong: Vec<String>,
}

impl Bench<'_> {
    /// Says how far it is.
    pub(super) fn progress(&self, what: impl std::fmt::Display) {
        eprintln!("{:6.1} s  {what}", self.started.elapsed().as_secs_f64());
    }

    pub(super) fn target(&mut self, figure: Figure) {
        self.targets.push(figure);
    }

    /// Notes what is wrong unless it holds.
    pub(super) fn hold(&mut self, holds: bool, wrong: impl FnOnce() -> String) {
        if !holds {
            self.wrong.push(wrong());
        }
    }
}
