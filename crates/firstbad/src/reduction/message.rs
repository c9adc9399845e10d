//! Messages of reductions.

use super::config::{Guarantee, ReductionConfig};
use super::verdicts::Verdict;
use crate::search::{Outcome, Status, TargetObservation};

/// Returns the message of a minimization of `count` items or pieces of a text, of which `kept` are kept.
///
/// `refuted` is the verdict of all items if they lack the property. `untold` is the number of smaller sets that are
/// unresolved.
pub(super) fn minimized(
    status: Status,
    guarantee: Guarantee,
    (kept, count): (usize, usize),
    config: &ReductionConfig,
    refuted: Option<Verdict>,
    observations: &[TargetObservation],
    untold: usize,
) -> String {
    let is_text = config.later.is_some();
    let noun = if is_text { "pieces of the text" } else { "items" };
    let so_far = match kept {
        1 => format!("1 of {count} {noun} is kept"),
        kept => format!("{kept} of {count} {noun} are kept"),
    };
    match (status, guarantee) {
        (Status::NotReproduced, _) => {
            let all = if is_text { "the whole text".to_owned() } else { all(count) };
            not_reproduced(&all, config.keep, refuted)
        }
        (Status::Found, _) if kept == 0 => format!("no item is needed, because {} without items", holds(config.keep)),
        (Status::Found, Guarantee::OneMinimal) => {
            format!("{so_far}. Each of them is needed{}", unknown(observations, untold))
        }
        // Items that seem to belong together were never tried apart.
        (Status::Found, _) if is_text || config.guess.is_some() => format!("{so_far}. Some may not be needed"),
        (Status::Found, _) => {
            let branch = if config.parents.is_some() { " with the items below it" } else { "" };
            format!("{so_far}. Each of them{branch} is needed, if more items never hide the failure")
        }
        _ => format!("{so_far} so far"),
    }
}

/// Counts the unresolved sets that were not run, because they do not parse or apply, and those that were.
fn unknown(observations: &[TargetObservation], untold: usize) -> String {
    let seen = observations.iter().map(|seen| &seen.observation);
    let not_run = seen.filter(|seen| !seen.ran && seen.outcome == Outcome::Unresolved).count();
    let sets = |count: usize, which: &str, [one, several]: [&str; 2]| match count {
        0 => None,
        1 => Some(format!("1 {which}set {one}")),
        many => Some(format!("{many} {which}sets {several}")),
    };
    let said = [
        sets(not_run, "", ["was not run", "were not run"]),
        sets(untold, "smaller ", ["is unresolved", "are unresolved"]),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>();
    if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) }
}

/// Returns the report's message once any set has the property.
pub(super) fn best(message: &str, observations: &[TargetObservation]) -> Vec<String> {
    if observations.is_empty() { Vec::new() } else { vec![message.to_owned()] }
}

/// Returns the message of an isolation among `count` items with a difference of `apart` items.
///
/// `refuted` is the verdict of all items, and `without` that of the empty set, if either ended the search.
pub(super) fn isolated(
    status: Status,
    keep: Outcome,
    (apart, count): (usize, usize),
    refuted: Option<Verdict>,
    without: Option<Verdict>,
) -> String {
    let so_far = match apart {
        1 => format!("1 of {count} items makes the difference"),
        apart => format!("{apart} of {count} items make the difference"),
    };
    match status {
        Status::NotReproduced if refuted.is_some() => not_reproduced(&all(count), keep, refuted),
        Status::NotReproduced if without == Some(Verdict::Unresolved) => {
            let seen = if keep == Outcome::Fail { "the test" } else { "the property" };
            format!("{seen} is unresolved without items, so there is no difference to find")
        }
        Status::NotReproduced => format!("{} without items, so there is no difference to find", holds(keep)),
        Status::Found => so_far,
        _ => format!("{so_far} so far"),
    }
}

fn all(count: usize) -> String {
    if count == 1 { "the only item".to_owned() } else { format!("all {count} items together") }
}

fn not_reproduced(all: &str, keep: Outcome, refuted: Option<Verdict>) -> String {
    let seen = match (keep, refuted) {
        (Outcome::Fail, Some(Verdict::Unresolved)) => format!("the test is unresolved with {all}"),
        (Outcome::Fail, _) => format!("the test does not fail with {all}"),
        (_, Some(Verdict::Unresolved)) => format!("the property is unresolved for {all}"),
        _ => format!("the property does not hold for {all}"),
    };
    format!("{seen}, so there is nothing to reduce")
}

fn holds(keep: Outcome) -> &'static str {
    if keep == Outcome::Fail { "the test fails" } else { "the property holds" }
}
