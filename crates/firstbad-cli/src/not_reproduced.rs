//! Explains why a failure is not reproduced.

use firstbad::{ChangeSet, Target, with_short_ids};
use firstbad_report::{Asked, plain};

use crate::{printed, streams};

/// The maximum number of output lines.
const SHOWN: usize = 20;

/// Prints the outcome and the output of the whole patch, file, or history.
pub(crate) fn explain_why_not(noun: &str, asked: &[Asked], count: usize, printed: Option<Vec<u8>>) {
    let whole = Target::from(ChangeSet::all(count));
    let seen = asked.iter().find(|one| one.target == whole);
    let how = match seen {
        None => "not tested".to_owned(),
        Some(Asked { outcome, note: Some(note), .. }) => format!("{outcome} ({})", with_short_ids(&plain(note))),
        Some(Asked { outcome, .. }) => outcome.to_string(),
    };
    streams::note(format_args!("the whole {noun} has another outcome: {how}"));
    show(printed.or_else(|| printed_for(seen?)));
}

/// Prints the output of the test at the start of a walk.
pub(crate) fn show_start(asked: &[Asked]) {
    show(asked.iter().find_map(printed_for));
}

fn printed_for(seen: &Asked) -> Option<Vec<u8>> {
    printed::end_of(seen.output.as_ref()?.as_ref())
}

fn show(printed: Option<Vec<u8>>) {
    let Some(printed) = printed else { return };
    let is_empty = printed.iter().all(u8::is_ascii_whitespace);
    streams::note(if is_empty { "the test printed nothing" } else { "the test printed:" });
    printed::show(&printed, SHOWN);
}
