use std::cmp::Reverse;

use super::algorithm::Algorithm;
use super::ask_tell::AskTell;
use super::drive::Search as _;
use super::outcome::Outcome;
use super::target::Target;
use crate::error::Error;

/// Returns the next targets for a pass and for a failure of the oldest probe in flight. The target after the outcome that leaves
/// more suspects comes first, because that outcome is more likely if suspects are equally likely.
pub(super) fn upcoming<A: Algorithm>(search: &AskTell<A>) -> Result<Vec<Target>, Error> {
    let Some(&id) = search.ledger.in_flight.first() else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for outcome in [Outcome::Pass, Outcome::Fail] {
        let mut copy = search.copy()?;
        // An impossible outcome, such as a failure of a good revision, needs no preparation.
        if copy.tell(id, outcome.into()).is_err() {
            continue;
        }
        let left = copy.algorithm.suspects().map(|suspects| suspects.count_ones(..));
        if let Some(probe) = copy.ask(1)?.pop() {
            found.push((left, probe.target));
        }
    }
    Ok(in_order(found))
}

/// Sorts targets by the number of suspects that are left before them, most first, and removes duplicates.
fn in_order(mut found: Vec<(Option<usize>, Target)>) -> Vec<Target> {
    found.sort_by_key(|(left, _)| Reverse(*left));
    let mut targets: Vec<Target> = found.into_iter().map(|(_, target)| target).collect();
    targets.dedup();
    targets
}
