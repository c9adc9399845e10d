//! Why there is nothing to look for: what the test said of the whole, or of the start.

use firstbad::{ChangeSet, Target};
use firstbad_report::{Asked, plain};

use crate::{printed, streams};

/// How many lines of what the command printed are shown.
const SHOWN: usize = 20;

/// What was seen of all `count` items, which are a `noun` together, where it is not what is to be kept. `printed` is what the
/// command printed, where that is not in a file.
pub(crate) fn explain_why_not(noun: &str, asked: &[Asked], count: usize, printed: Option<Vec<u8>>) {
    let whole = Target::from(ChangeSet::all(count));
    let seen = asked.iter().find(|one| one.target == whole);
    let how = match seen {
        None => "not tested".to_owned(),
        Some(Asked { outcome, note: Some(note), .. }) => format!("{outcome} ({})", plain(note)),
        Some(Asked { outcome, .. }) => outcome.to_string(),
    };
    streams::note(format_args!("the whole {noun} is not what is to be kept: {how}"));
    show(printed.or_else(|| printed_for(seen?)));
}

/// What the command printed at the start of a walk, where there is nothing else that was seen.
pub(crate) fn show_start(asked: &[Asked]) {
    show(asked.iter().find_map(printed_for));
}

fn printed_for(seen: &Asked) -> Option<Vec<u8>> {
    printed::end_of(seen.output.as_ref()?.as_ref())
}

fn show(printed: Option<Vec<u8>>) {
    let Some(printed) = printed else { return };
    let is_empty = printed.iter().all(u8::is_ascii_whitespace);
    streams::note(if is_empty { "the command printed nothing" } else { "the command printed:" });
    printed::show(&printed, SHOWN);
}
