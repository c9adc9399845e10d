//! The journal of a reduction: the one that was named, else one in the cache folder, where the same command goes on.

use std::path::Path;

use firstbad::digest::{Item, digest};
use firstbad::{Error, Search as _, Status};
use firstbad_journal::{Options, Session, Test};
use serde_json::json;

use super::subject::Subject;
use crate::args::ReduceArgs;
use crate::driver_record::DriverRecord;
use crate::last_run::Journals;
use crate::opened_journal::warn_of_losses;
use crate::view::count;
use crate::{failure, streams};

/// Where a reduction is kept.
pub(super) struct Kept {
    /// Whether the journal is one that nobody asked for.
    is_own: bool,
}

impl Kept {
    /// Keeps a reduction that is at its start in a journal, and goes on where one that was not over is kept already. A journal
    /// that nobody asked for is a help: where it cannot be made, the reduction goes on without.
    ///
    /// # Errors
    /// Those of [`Subject::attach`] for a journal that was named.
    pub(super) fn begin(args: &ReduceArgs, subject: &Subject, session: &mut Session) -> Result<Kept, Error> {
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
                journals.remember("reduce", &path);
                warn_of_losses(&path, &opening);
                if opening.resumed {
                    let answers = session.runs();
                    streams::note(format_args!("resuming {} after {}", path.display(), count(answers, "answer")));
                    subject.know_time(session);
                }
            }
            Err(error) if is_own => streams::note(format_args!("no journal is kept: {}", failure::words(&error))),
            Err(error) => return Err(error),
        }
        Ok(kept)
    }

    /// The journal that will be there after the reduction; `None` if there is none.
    pub(super) fn journal<'a>(&self, session: &'a Session) -> Option<&'a Path> {
        session.journal().filter(|_| session.journal_is_there())
    }

    /// Ends it, and says how to go on if there is more to do and no report in words has said so.
    pub(super) fn close(&self, args: &ReduceArgs, session: &mut Session) {
        if self.journal(session).is_none() {
            return;
        }
        session.close();
        let is_said = !args.print.is_formatted() && (!args.print.quiet || args.output.is_some());
        if is_unfinished(session.status()) && !is_said {
            streams::note(match self.is_own {
                true => "to resume: the same command again",
                false => "to resume: the same command with its --journal again",
            });
        }
    }
}

/// What tells reductions apart whose journals nobody named: what is reduced, where it is, how, and for which test,
/// whatever the files of that hold; `None` where what is reduced has no digest.
fn key(args: &ReduceArgs, subject: &Subject, session: &Session, options: &Options) -> Result<Option<String>, Error> {
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

/// Whether the reduction that is kept there was not over, and its answers are of this test.
fn goes_on(path: &Path, test: &Test) -> bool {
    let view = || -> Result<(Status, bool), Error> {
        let contents = firstbad_journal::read(path)?;
        let world = contents.header.world(path, None)?;
        Ok((Session::view(path, &contents, world)?.status(), contents.header.check_test(path, test).is_ok()))
    };
    match view() {
        Ok((status, true)) => is_unfinished(status),
        Ok((status, false)) if is_unfinished(status) => {
            streams::note("what the test's files hold has changed since this was begun: it begins again");
            false
        }
        _ => false,
    }
}

fn is_unfinished(status: Status) -> bool {
    matches!(status, Status::Running | Status::Budget | Status::Stopped)
}
