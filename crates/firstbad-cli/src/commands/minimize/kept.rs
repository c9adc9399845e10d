//! The journal of a reduction.

use std::path::Path;

use firstbad::digest::{Item, digest};
use firstbad::{Error, Search as _, Status};
use firstbad_journal::{Options, Session, Test};
use serde_json::json;

use super::subject::Subject;
use crate::args::MinimizeArgs;
use crate::driver_record::DriverRecord;
use crate::last_run::Journals;
use crate::opened_journal::warn_of_losses;
use crate::view::count;
use crate::{failure, streams};

/// The journal of a reduction.
pub(super) struct Kept {
    /// Whether the journal is in the cache because `--journal` is not given.
    is_own: bool,
}

impl Kept {
    /// Saves a reduction in its journal, and resumes an unfinished reduction of the same command.
    pub(super) fn begin(args: &MinimizeArgs, subject: &Subject, session: &mut Session) -> Result<Kept, Error> {
        let journals = Journals::at(args.repository.folder())?;
        let driver = DriverRecord::new(args.drive.jobs, None, args.test.output_dir.as_deref(), args.fetch)?.value()?;
        let mut options = subject.options(driver)?;
        let is_own = args.drive.journal.is_none();
        let path = match &args.drive.journal {
            Some(path) => path.clone(),
            None => {
                options.is_optional = true;
                let key = key(args, subject, session, &options)?;
                let begun = key.as_deref().and_then(|key| journals.newest(key));
                begun
                    .filter(|path| goes_on(path, &options.test))
                    .unwrap_or_else(|| journals.place(key.as_deref().unwrap_or_default()))
            }
        };
        let kept = Kept { is_own };
        match session.attach(&path, &options) {
            Ok(opening) => {
                journals.remember("minimize", &path);
                warn_of_losses(&path, &opening);
                if opening.resumed {
                    let runs = session.runs();
                    streams::note(format_args!("resuming {} after {}", path.display(), count(runs, "run")));
                    subject.know_time(session);
                }
            }
            Err(error) if is_own => streams::note(format_args!("the search is not saved: {}", failure::words(&error))),
            Err(error) => return Err(error),
        }
        Ok(kept)
    }

    /// Returns the journal, or `None` if it does not exist.
    pub(super) fn journal<'a>(&self, session: &'a Session) -> Option<&'a Path> {
        session.journal().filter(|_| session.journal_is_there())
    }

    /// Closes the journal. Prints how to resume, unless the report says so.
    pub(super) fn close(&self, args: &MinimizeArgs, session: &mut Session) {
        if self.journal(session).is_none() {
            return;
        }
        session.close();
        let is_said = !args.print.is_formatted() && (!args.print.quiet || args.output.is_some());
        if is_unfinished(session.status()) && !is_said {
            streams::note(match self.is_own {
                true => "to resume, run the same command again",
                false => "to resume, run the same command with --journal again",
            });
        }
    }
}

/// Returns the key of a reduction: its items, files, configuration, and test command.
fn key(args: &MinimizeArgs, subject: &Subject, session: &Session, options: &Options) -> Result<Option<String>, Error> {
    let Some(items) = options.digest.as_deref() else { return Ok(None) };
    let files: Vec<_> = args.files.iter().chain(&args.patch).map(std::path::absolute).collect();
    let files: Vec<_> = files.iter().flatten().map(|path| path.to_string_lossy()).collect();
    let Test::Command(mut test) = options.test.clone() else { return Ok(None) };
    if let Some(fields) = test.as_object_mut() {
        fields.retain(|name, _| name != "files" && name != "carried");
    }
    let what = json!([items, files, subject.base(), session.inspect().configuration()?, test]).to_string();
    Ok(digest([Item::Text(&what)]).map(|digest| digest[..16].to_owned()))
}

/// Returns whether a journal is unfinished and has the same test.
fn goes_on(path: &Path, test: &Test) -> bool {
    let view = || -> Result<(Status, bool), Error> {
        let contents = firstbad_journal::read(path)?;
        let world = contents.header.world(path, None)?;
        Ok((Session::view(path, &contents, world)?.status(), contents.header.check_test(path, test).is_ok()))
    };
    match view() {
        Ok((status, true)) => is_unfinished(status),
        Ok((status, false)) if is_unfinished(status) => {
            streams::note("starting again, because the test's files have changed");
            false
        }
        _ => false,
    }
}

fn is_unfinished(status: Status) -> bool {
    matches!(status, Status::Running | Status::Budget | Status::Stopped)
}
