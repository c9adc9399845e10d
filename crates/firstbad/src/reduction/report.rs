//! What reductions answer.

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

use super::config::Guarantee;
use super::evidence::Evidence;
use super::verdicts::Verdict;
use crate::search::Status;
use crate::search::{Ledger, TargetObservation};

/// The smallest set that still has the property, final or the best so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MinimizeReport {
    /// Where the search stands.
    pub status: Status,
    /// The same in one sentence, for people.
    pub message: String,
    /// The items that are kept, as indices, ascending.
    pub kept: Vec<usize>,
    /// What is certain about them.
    pub guarantee: Guarantee,
    /// How many answers came from the oracle.
    pub queries: u64,
    /// Everything that was seen, in the order told.
    pub observations: Vec<TargetObservation>,
}

impl MinimizeReport {
    pub(super) fn new(
        evidence: &Evidence,
        status: Status,
        guarantee: Guarantee,
        refuted: Option<Verdict>,
        kept: &FixedBitSet,
        ledger: &Ledger,
    ) -> Self {
        let kept: Vec<usize> = kept.ones().collect();
        let count = evidence.count();
        let so_far = match kept.len() {
            1 => format!("1 of {count} items is kept"),
            kept => format!("{kept} of {count} items are kept"),
        };
        let message = match (status, guarantee) {
            (Status::NotReproduced, _) => not_reproduced(count, refuted),
            (Status::Found, _) if kept.is_empty() => "no item is needed: the property holds without any".to_owned(),
            (Status::Found, Guarantee::OneMinimal) => format!("{so_far}; no single part of what is kept can go"),
            (Status::Found, _) => format!("{so_far}; going over them again would drop nothing"),
            _ => format!("{so_far} at this point"),
        };
        let observations = ledger.observations(&evidence.items);
        MinimizeReport { status, message, kept, guarantee, queries: ledger.queries(), observations }
    }
}

/// Two sets as near to each other as was found: one has the property, the other one, within it, has it not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IsolateReport {
    /// Where the search stands.
    pub status: Status,
    /// The same in one sentence, for people.
    pub message: String,
    /// The items of the set that has the property, as indices, ascending.
    pub kept: Vec<usize>,
    /// The items of the set that has it not: all of them in `kept`.
    pub lacking: Vec<usize>,
    /// What is in the one and not in the other.
    pub difference: Vec<usize>,
    /// What is certain about the difference.
    pub guarantee: Guarantee,
    /// How many answers came from the oracle.
    pub queries: u64,
    /// Everything that was seen, in the order told.
    pub observations: Vec<TargetObservation>,
}

impl IsolateReport {
    pub(super) fn new(
        evidence: &Evidence,
        status: Status,
        guarantee: Guarantee,
        refuted: Option<Verdict>,
        without: Option<Verdict>,
        (holding, lacking): (&FixedBitSet, &FixedBitSet),
        ledger: &Ledger,
    ) -> Self {
        let difference: Vec<usize> = holding.difference(lacking).collect();
        let apart = match difference.len() {
            1 => format!("1 of {} items makes the difference", evidence.count()),
            apart => format!("{apart} of {} items make the difference", evidence.count()),
        };
        let message = match status {
            Status::NotReproduced if refuted.is_some() => not_reproduced(evidence.count(), refuted),
            Status::NotReproduced if without == Some(Verdict::Unresolved) => {
                "the property cannot be told without any item, so there is nothing to compare with".to_owned()
            }
            Status::NotReproduced => "the property holds without any item, so that there is no difference".to_owned(),
            Status::Found => apart,
            _ => format!("{apart} at this point"),
        };
        IsolateReport {
            status,
            message,
            kept: holding.ones().collect(),
            lacking: lacking.ones().collect(),
            difference,
            guarantee,
            queries: ledger.queries(),
            observations: ledger.observations(&evidence.items),
        }
    }
}

fn not_reproduced(count: usize, refuted: Option<Verdict>) -> String {
    let seen = match refuted {
        Some(Verdict::Unresolved) => "cannot be told",
        _ => "does not hold",
    };
    format!("the property {seen} for all {count} items together, so there is nothing to reduce")
}
