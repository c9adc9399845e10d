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
    /// The number of changes that every set contains.
    pub(super) always: usize,
    pub(super) kept: usize,
    pub(super) guarantee: Guarantee,
    /// The verdict of all changes together, if it is known.
    pub(super) full: Option<Verdict>,
}

pub(super) fn message(said: &Said) -> String {
    let Said { status, keep, count, always, kept, guarantee, full } = *said;
    if always > 0 {
        return grown(said);
    }
    let (keeps, what) = if keep == Outcome::Fail { ("fails", "failure") } else { ("passes", "pass") };
    let all = if count == 1 { "the one change".to_owned() } else { format!("all {count} changes") };
    match full {
        None => return format!("{all} together were not tested yet"),
        Some(Verdict::Unresolved) => {
            return format!("the test is unresolved with {all}, so there is nothing to slice");
        }
        Some(Verdict::Fails) => {
            let expected = if keep == Outcome::Fail { "does not fail" } else { "does not pass" };
            return format!("the test {expected} with {all}, so there is nothing to slice");
        }
        Some(Verdict::Holds) => {}
    }
    if kept == 0 {
        return format!("no change is needed, because the test {keeps} at the base");
    }
    let slice = match kept {
        1 if count == 1 => format!("{all} is a slice with which the test {keeps}"),
        kept if kept == count => format!("{all} together are a slice with which the test {keeps}"),
        1 => format!("with 1 of {count} changes the test {keeps}"),
        kept => format!("with {kept} of {count} changes the test {keeps}"),
    };
    match (status, guarantee) {
        (Status::Found, Guarantee::OneMinimal) if kept == 1 => format!("{slice}. It is needed"),
        (Status::Found, Guarantee::OneMinimal) => {
            format!("{slice}. Each of them is needed, alone and with the changes that depend on it")
        }
        (Status::Found, Guarantee::Fixpoint) => format!(
            "{slice}. Each of them is needed, if more changes never hide \
                                                         the {what}"
        ),
        (Status::Found, Guarantee::BestSoFar) if kept == count => format!("{slice}. No smaller set was found"),
        (Status::Found, Guarantee::BestSoFar) => format!("{slice}. Fewer changes may be enough"),
        _ => format!("{slice}, so far"),
    }
}

/// Returns the message of a search in which every set contains some changes.
fn grown(said: &Said) -> String {
    let Said { status, count, always, kept, guarantee, full, .. } = *said;
    let given = if always == 1 { "the given change".to_owned() } else { format!("the {always} given changes") };
    let more = kept - always.min(kept);
    let others = if more == 1 { "1 other change".to_owned() } else { format!("{more} other changes") };
    match full {
        None => format!("no set of changes with {given} passes the test so far"),
        Some(Verdict::Unresolved) => {
            format!("the test is unresolved with {given}, also together with the other {} changes", count - always)
        }
        Some(Verdict::Fails) => {
            format!("the test does not pass with {given}, not even together with the other {} changes", count - always)
        }
        Some(Verdict::Holds) if more == 0 => format!("the test passes with {given} alone"),
        Some(Verdict::Holds) if status != Status::Found => format!("the test passes with {given} and {others}, so far"),
        Some(Verdict::Holds) => {
            let needed = match (guarantee, more) {
                (Guarantee::OneMinimal, 1) => "It is needed",
                (Guarantee::OneMinimal, _) => "Each of them is needed, alone and with the changes that depend on it",
                (Guarantee::Fixpoint, 1) => "It is needed, if more changes never hide the pass",
                (Guarantee::Fixpoint, _) => "Each of them is needed, if more changes never hide the pass",
                (Guarantee::BestSoFar, _) => "Fewer changes may be enough",
            };
            format!("the test passes with {given} and {others}. {needed}")
        }
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
        Verdict::Unresolved => {
            format!("the start was dropped: its {size} changes, with their assumed dependencies, are unresolved")
        }
        _ => format!(
            "the start was dropped: with its {size} changes and their assumed dependencies, the test did not have the \
             kept outcome"
        ),
    }
}

/// Warns that sets of the proof could not be built.
pub(super) fn not_built(names: &[String]) -> String {
    format!(
        "without {}, the test was unresolved in every run. The slice needs this change, but the behavior may not",
        names.join(", ")
    )
}
