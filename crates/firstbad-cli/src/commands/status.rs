//! `firstbad status`.

use std::fmt::Write as _;

use firstbad::{Error, Event, Report, Search as _, Spelling, Status, with_short_ids};
use firstbad_journal::{Contents, now};
use firstbad_report::Exit;
use serde::Serialize;

use super::ask::Lent;
use crate::args::StatusArgs;
use crate::opened_journal::OpenedJournal;
use crate::view::count;
use crate::{stop_record, streams};

/// The output (docs/schema/status.json).
#[derive(Serialize)]
struct Standing {
    schema: u32,
    status: Status,
    done: bool,
    /// The result so far in one sentence.
    message: String,
    /// The number of outcomes that cost a run.
    runs: u64,
    /// The number of outcomes of probes, including those without a run.
    asked: u64,
    /// The number of suspects, or `None` if the search never rules out revisions.
    suspects: Option<usize>,
    /// The probes without an outcome, oldest first.
    in_flight: Vec<Lent>,
    journal: String,
    id: String,
    /// The creation time in seconds since 1970.
    created: f64,
    /// The time of the last event in seconds since 1970.
    changed: f64,
}

/// Prints the status of a journal.
pub(super) fn run(args: &StatusArgs) -> Result<Exit, Error> {
    let (at, contents) = OpenedJournal::to_read(&args.at, false)?;
    let standing = Standing::of(&at, &contents)?;
    if args.output.is_json() {
        streams::json(&standing)?;
    } else {
        streams::print(&standing.text(&contents))?;
    }
    Ok(Exit::from(&Report::of(at.session.inspect())?))
}

impl Standing {
    fn of(at: &OpenedJournal, contents: &Contents) -> Result<Standing, Error> {
        let session = &at.session;
        let lent = |probe: firstbad::Probe| {
            // The leases are only in the records.
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
        let message = with_short_ids(&Spelling::CommandLine.render(&self.message));
        // A fresh search has no result yet.
        let mut text = match message.strip_prefix(&status) {
            _ if self.asked == 0 => String::new(),
            // The message of a flake has no status.
            _ if matches!(self.status, Status::Running | Status::Budget | Status::NotReproduced) => {
                format!("{message}\n")
            }
            Some(_) => format!("{message}\n"),
            None => format!("{status}: {message}\n"),
        };
        text.push_str(&count(self.runs, "run"));
        // While an unresolved endpoint is replaced, there are no suspects yet.
        if let Some(suspects) = self.suspects.filter(|&suspects| !self.done && suspects > 0) {
            let _ = write!(text, ", {} left", count(suspects as u64, "suspect"));
        }
        text.push('\n');
        for Lent { probe, until, why, tests, .. } in &self.in_flight {
            let _ = write!(text, "waiting for #{} {}", probe.id, probe.target);
            if let Some(tests) = tests {
                let _ = write!(text, " with {}", count(tests.len() as u64, "test"));
            }
            if let Some(left) = until.map(|until| until - now()) {
                let words = if left > 0.0 { "seconds left" } else { "seconds overdue" };
                let _ = write!(text, ", {:.0} {words}", left.abs());
            }
            text.push_str(
                &why.as_ref().map(|why| format!("  [{}]", firstbad_report::plain(&why.message))).unwrap_or_default(),
            );
            text.push('\n');
        }
        if contents.torn > 0 {
            let _ = writeln!(text, "the last line of the journal is incomplete ({} bytes)", contents.torn);
        }
        text
    }
}
