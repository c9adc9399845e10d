//! `firstbad undo`: takes answers back.

use firstbad::{Error, Search as _, Status};
use firstbad_report::Exit;
use serde::Serialize;

use crate::args::UndoArgs;
use crate::opened_journal::OpenedJournal;
use crate::streams;

/// What is printed (docs/schema/undone.json).
#[derive(Serialize)]
struct Undone {
    schema: u32,
    /// How many answers were taken back.
    undone: u32,
    status: Status,
    done: bool,
    /// How many answers of the test are left.
    runs: u64,
}

/// Takes the last answers back; what was known from elsewhere counts as an answer, too.
///
/// # Errors
/// Those of [`OpenedJournal::to_write`]; [`Error::InvalidArgument`] where there are fewer answers.
pub(super) fn run(args: &UndoArgs) -> Result<Exit, Error> {
    let mut at = OpenedJournal::to_write(&args.at)?;
    at.session.undo(args.n)?;
    let session = &at.session;
    streams::json(&Undone {
        schema: 1,
        undone: args.n,
        status: session.status(),
        done: session.is_done(),
        runs: session.runs(),
    })?;
    Ok(Exit::Done)
}
