//! `firstbad undo`.

use firstbad::search::answers;
use firstbad::{Error, Search as _, Status};
use firstbad_report::Exit;
use serde::Serialize;

use crate::args::UndoArgs;
use crate::opened_journal::OpenedJournal;
use crate::streams;
use crate::view::count;

/// The output (docs/schema/undone.json).
#[derive(Serialize)]
struct Undone {
    schema: u32,
    /// The number of removed outcomes.
    undone: u32,
    status: Status,
    done: bool,
    /// The number of runs left.
    runs: u64,
}

/// Removes the last outcomes, including imported outcomes.
pub(super) fn run(args: &UndoArgs) -> Result<Exit, Error> {
    let mut at = OpenedJournal::to_write(&args.at)?;
    let recorded = answers(&at.session.inspect().events(0)).len();
    if usize::try_from(args.n).is_ok_and(|n| n > recorded) {
        let journal = args.at.journal.display().to_string();
        let (recorded, help) = match recorded {
            0 => ("no outcome".to_owned(), String::new()),
            _ => (count(recorded as u64, "outcome"), format!("\nhelp: undo at most {recorded}")),
        };
        return Err(Error::Journal {
            path: journal,
            message: format!("cannot undo {}, it has {recorded}{help}", count(args.n.into(), "outcome")),
        });
    }
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
