//! Messages of slicing.

use super::report::SlicerReport;
use crate::reduction::{Guarantee, Verdict};
use crate::search::{Outcome, Status};

/// The inputs of the message.
pub(super) struct Said {
    pub(super) status: Status,
    pub(super) keep: Outcome,
    /// The numbers of changes before and after.
    pub(super) count: usize,
    pub(super) kept: usize,
    pub(super) guarantee: Guarantee,
    /// The verdict of all changes together, if it is known.
    pub(super) full: Option<Verdict>,
}

pub(super) fn message(said: &Said) -> String {
    let Said { status, keep, count, kept, guarantee, full } = *said;
    let keeps = if keep == Outcome::Fail { "fails" } else { "passes" };
    let all = if count == 1 { "the one change".to_owned() } else { format!("all {count} changes") };
    match full {
        None => return format!("nothing is known yet: {all} together were not tested"),
        Some(Verdict::Unresolved) => {
            return format!("with {all} the test could not be run, so there is nothing to slice");
        }
        Some(Verdict::Fails) => {
            let expected = if keep == Outcome::Fail { "does not fail as it should" } else { "does not pass" };
            return format!("with {all} the test {expected}, so there is nothing to slice");
        }
        Some(Verdict::Holds) => {}
    }
    if kept == 0 {
        return format!("no change is needed: the test {keeps} at the base");
    }
    let slice = match kept {
        1 if count == 1 => format!("{all} is a slice with which the test {keeps}"),
        kept if kept == count => format!("{all} together are a slice with which the test {keeps}"),
        1 => format!("with 1 of {count} changes the test {keeps}"),
        kept => format!("with {kept} of {count} changes the test {keeps}"),
    };
    match (status, guarantee) {
        (Status::Found, Guarantee::OneMinimal) if kept == 1 => format!("{slice}; it cannot go"),
        (Status::Found, Guarantee::OneMinimal) => {
            format!("{slice}; none of them can go, alone or with those of them that rest on it")
        }
        (Status::Found, Guarantee::Fixpoint) => format!("{slice}; no single one can go if more changes never hide it"),
        (Status::Found, Guarantee::BestSoFar) if kept == count => format!("{slice}; of no smaller set that was seen"),
        (Status::Found, Guarantee::BestSoFar) => format!("{slice}; whether fewer are enough was not asked"),
        _ => format!("{slice}, at this point"),
    }
}

/// The number of sizes to list.
const SIZES: usize = 8;

/// Lists the last sizes of the slice by run (DEFINER, Figure 13).
pub(super) fn best(report: &SlicerReport) -> Vec<String> {
    let sizes = &report.sizes[report.sizes.len().saturating_sub(SIZES)..];
    let told: Vec<String> = sizes.iter().map(|size| format!("{} after run {}", size.changes, size.run)).collect();
    if told.is_empty() { Vec::new() } else { vec![format!("changes left of {}: {}", report.of, told.join(", "))] }
}

/// Warns that the start, with its predicted dependencies, was not sufficient.
pub(super) fn start_dropped(size: usize, seen: Verdict) -> String {
    match seen {
        Verdict::Unresolved => format!(
            "the start was dropped: its changes, with what they are thought to rest on {size}, could not be put together or \
             tested"
        ),
        _ => format!(
            "the start was dropped: with its changes, and what they are thought to rest on, {size} in all, the test did not \
             show what is to be kept"
        ),
    }
}

/// Warns that sets of the proof could not be built.
pub(super) fn not_built(names: &[String]) -> String {
    format!(
        "without {} the test could not be run, whatever else was left out: that shows that it cannot go, not that the \
         behaviour needs it",
        names.join(", ")
    )
}
