//! Triage of red nights, compared with one search for each test.

mod nights;
mod play;
mod separate;
mod verdicts;

pub(crate) use nights::run;

use firstbad::suite::SuiteCosts;
use firstbad_testkit::nights::Night;

use play::{Played, Way};

/// Triages a night with the defaults of firstbad.
pub(crate) fn play_default(night: &Night, costs: SuiteCosts, seed: u64) -> Result<Played, String> {
    play::play(night, Way::DEFAULT, costs, seed)
}
