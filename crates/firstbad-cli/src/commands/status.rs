//! `firstbad status`: where a search stands.

use std::fmt::Write as _;

use firstbad::{Error, Event, Report, Search as _, Spelling, Status};
use firstbad_journal::{Contents, now};
use firstbad_report::Exit;
use serde::Serialize;

use super::ask::Lent;
use crate::answer;
use crate::args::JournalArgs;
use crate::opened_journal::OpenedJournal;
use crate::view::count;
use crate::{stop_record, streams};

/// What is printed (docs/schema/status.json).
#[derive(Serialize)]
struct Standing {
    schema: u32,
    status: Status,
    done: bool,
    /// The answer so far in one sentence.
    message: String,
    /// How many answers cost a run of the test.
    runs: u64,
    /// How many answers came to probes, those that cost no run included.
    asked: u64,
    /// How many revisions can still be blamed; `None` if none can be ruled out for good.
    suspects: Option<usize>,
    /// What was asked and not answered, oldest first.
    in_flight: Vec<Lent>,
    journal: String,
    /// The run's id.
    id: String,
    /// When the journal was made, in seconds since 1970.
    created: f64,
    /// When something happened last, likewise.
    changed: f64,
}

/// Looks at a journal, whoever may be writing to it.
///
/// # Errors
/// Those of [`OpenedJournal::to_read`].
pub(super) fn run(args: &JournalArgs) -> Result<Exit, Error> {
    let (at, contents) = OpenedJournal::to_read(args)?;
    let standing = Standing::of(&at, &contents)?;
    let output = &args.output;
    if output.json {
        streams::json(&standing)?;
    } else if output.is_formatted() {
        answer::print(&answer::summary(&at.session, at.repository.as_ref())?, output, &at.session)?;
    } else {
        streams::print(&standing.text(&contents))?;
    }
    Ok(Exit::from(standing.status))
}

impl Standing {
    fn of(at: &OpenedJournal, contents: &Contents) -> Result<Standing, Error> {
        let session = &at.session;
        let lent = |probe: firstbad::Probe| {
            // A journal that is only looked at knows nothing of leases but what is written there.
            let asked = |event: &Event| matches!(event, Event::Asked { id, .. } if *id == probe.id);
            let until = contents.records.iter().find(|record| asked(&record.event)).and_then(|record| record.until);
            Lent::of(session, until, probe)
        };
        Ok(Standing {
            schema: 1,
            status: session.status(),
            done: session.is_done(),
            message: match stop_record::words_of(&at.path).filter(|_| session.status() == Status::Stopped) {
                Some(why) => format!("{}: {why}", Report::of(session.inspect())?.message()),
                None => Report::of(session.inspect())?.message().to_owned(),
            },
            runs: session.runs(),
            asked: session.asked(),
            suspects: session.inspect().suspects().map(|suspects| suspects.count_ones(..)),
            in_flight: session.in_flight().into_iter().map(lent).collect(),
            journal: at.path.display().to_string(),
            id: contents.header.id.clone(),
            created: contents.header.created,
            changed: contents.records.last().map_or(contents.header.created, |record| record.at),
        })
    }

    fn text(&self, contents: &Contents) -> String {
        let status = self.status.as_str().replace('_', " ");
        let message = Spelling::CommandLine.render(&self.message);
        // Some messages begin with the word.
        let mut text = match message.strip_prefix(&status) {
            Some(_) => format!("{message}\n"),
            None => format!("{status}: {message}\n"),
        };
        let _ = write!(text, "{} of the test", count(self.runs, "answer"));
        // While an end that cannot be tested is replaced there are none yet.
        if let Some(suspects) = self.suspects.filter(|&suspects| !self.done && suspects > 0) {
            let _ = write!(text, ", {} left", count(suspects as u64, "suspect"));
        }
        text.push('\n');
        for Lent { probe, until, why } in &self.in_flight {
            let _ = write!(text, "awaited: #{} {}", probe.id, probe.target);
            if let Some(left) = until.map(|until| until - now()) {
                let words = if left > 0.0 { "more seconds" } else { "seconds too late" };
                let _ = write!(text, ", {:.0} {words}", left.abs());
            }
            text.push_str(
                &why.as_ref().map(|why| format!("  [{}]", firstbad_report::plain(&why.message))).unwrap_or_default(),
            );
            text.push('\n');
        }
        if contents.torn > 0 {
            let _ = writeln!(text, "{} bytes at the end are not written to their end (yet)", contents.torn);
        }
        text
    }
}
