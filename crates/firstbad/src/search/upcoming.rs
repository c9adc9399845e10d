//! What will be asked next, for each answer that may come: a driver can make it ready meanwhile.

use std::cmp::Reverse;

use super::algorithm::Algorithm;
use super::ask_tell::AskTell;
use super::drive::Search as _;
use super::observation::Outcome;
use super::target::Target;
use crate::error::Error;

/// What is asked next where the oldest probe in flight passes, and where it fails; first what is asked after the answer that
/// leaves more suspects, which is the likelier one where they are alike.
pub(super) fn upcoming<A: Algorithm>(search: &AskTell<A>) -> Result<Vec<Target>, Error> {
    let Some(&id) = search.ledger.in_flight.first() else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for outcome in [Outcome::Pass, Outcome::Fail] {
        let mut copy = search.copy()?;
        // Where it cannot be, as an end that is known already, it need not be prepared for.
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

/// Targets, each once, by what is left to suspect before them: most first.
fn in_order(mut found: Vec<(Option<usize>, Target)>) -> Vec<Target> {
    found.sort_by_key(|(left, _)| Reverse(*left));
    let mut targets: Vec<Target> = found.into_iter().map(|(_, target)| target).collect();
    targets.dedup();
    targets
}
