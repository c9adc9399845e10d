//! What reductions say, in one sentence.

use super::config::{Guarantee, ReductionConfig};
use super::verdicts::Verdict;
use crate::search::{Outcome, Status, TargetObservation};

/// The message of a minimisation of `count` items, or pieces of a text, `kept` of which are kept. `refuted` is the
/// verdict about all items, if that ended it; `observations` are what was seen, and `untold` is how many smaller sets
/// could not be told.
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
        (Status::Found, _) if kept == 0 => format!("no item is needed: {} without any", holds(config.keep)),
        (Status::Found, Guarantee::OneMinimal) => {
            format!("{so_far}; no single part of what is kept can go{}", unknown(observations, untold))
        }
        // What seems to belong together was not tried apart.
        (Status::Found, _) if is_text || config.guess.is_some() => format!("{so_far}; single ones may still go"),
        (Status::Found, _) => {
            let branch = if config.parents.is_some() { " with all below it" } else { "" };
            format!("{so_far}; no single one can go{branch} if more items never hide it")
        }
        _ => format!("{so_far} at this point"),
    }
}

/// How many of the sets that count as unresolved nobody has run, as they do not parse, or do not apply, and how many
/// smaller ones told nothing when they were run.
fn unknown(observations: &[TargetObservation], untold: usize) -> String {
    let seen = observations.iter().map(|seen| &seen.observation);
    let not_run = seen.filter(|seen| !seen.ran && seen.outcome == Outcome::Unresolved).count();
    let sets = |count: usize, which: &str, what: &str| match count {
        0 => None,
        1 => Some(format!("1 {which}set could not be {what}")),
        many => Some(format!("{many} {which}sets could not be {what}")),
    };
    let said = [sets(not_run, "", "run"), sets(untold, "smaller ", "told")].into_iter().flatten().collect::<Vec<_>>();
    if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) }
}

/// The best answer so far: the report's message, once a set of items was seen to have the property.
pub(super) fn best(message: &str, observations: &[TargetObservation]) -> Vec<String> {
    if observations.is_empty() { Vec::new() } else { vec![message.to_owned()] }
}

/// The message of an isolation among `count` items, of which `apart` make the difference. `refuted` is the verdict about
/// all items, and `without` that about none, if that ended it.
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
            let seen = if keep == Outcome::Fail { "whether it fails" } else { "the property" };
            format!("{seen} cannot be told without any item, so there is nothing to compare with")
        }
        Status::NotReproduced => format!("{} without any item, so that there is no difference", holds(keep)),
        Status::Found => so_far,
        _ => format!("{so_far} at this point"),
    }
}

/// All items in words.
fn all(count: usize) -> String {
    if count == 1 { "the only item".to_owned() } else { format!("all {count} items together") }
}

fn not_reproduced(all: &str, keep: Outcome, refuted: Option<Verdict>) -> String {
    let seen = match (keep, refuted) {
        (Outcome::Fail, Some(Verdict::Unresolved)) => format!("the failure that is looked for was not seen with {all}"),
        (Outcome::Fail, _) => format!("it does not fail with {all}"),
        (_, Some(Verdict::Unresolved)) => format!("the property cannot be told for {all}"),
        _ => format!("the property does not hold for {all}"),
    };
    format!("{seen}, so there is nothing to reduce")
}

/// That what is kept is there: of a test the failure, else a property.
fn holds(keep: Outcome) -> &'static str {
    if keep == Outcome::Fail { "it fails" } else { "the property holds" }
}
