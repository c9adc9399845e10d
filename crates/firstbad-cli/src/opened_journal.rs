//! Opens existing journals.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use firstbad::{CommitGraph, Error, Search as _, SlicedHistory, World};
use firstbad_git::Repository;
use firstbad_journal::{Contents, Opening, Options, Session, WorldRecord};
use serde_json::Value;
use std::sync::Arc;

use crate::args::{ReadArgs, WriteArgs};
use crate::history;
use crate::last_run;
use crate::streams;

/// An open journal.
pub(crate) struct OpenedJournal {
    pub(crate) path: PathBuf,
    pub(crate) session: Session,
    pub(crate) repository: Option<Repository>,
}

impl OpenedJournal {
    /// Opens a journal for writing.
    pub(crate) fn to_write(at: &WriteArgs) -> Result<OpenedJournal, Error> {
        let contents = firstbad_journal::read(&at.journal)?;
        let (repository, world) = history::world(&at.journal, &contents, at.repository.named())?;
        let mut session = Session::new(contents.header.search(world)?);
        let digest = match contents.header.world {
            WorldRecord::Items { digest, .. } => digest,
            _ => None,
        };
        let opening = session.attach(&at.journal, &Options { wait: at.wait, digest, ..Options::default() })?;
        warn_of_losses(&at.journal, &opening);
        Ok(OpenedJournal { path: at.journal.clone(), session, repository })
    }

    /// Opens a journal for reading, even while another process writes to it.
    pub(crate) fn to_read(args: &ReadArgs, quiet: bool) -> Result<(OpenedJournal, Contents), Error> {
        let path = last_run::meant(args.journal(), args.repository.named(), None)?;
        let contents = firstbad_journal::read(&path)?;
        contents.header.format_note().iter().for_each(streams::note);
        last_run::say_which(&contents.header, args.journal(), quiet);
        let (repository, world) = history::world(&path, &contents, args.repository.named())?;
        let session = Session::view(&path, &contents, world)?;
        let repository =
            repository.map_or_else(|| sliced(&contents, args.repository.named()), |found| Ok(Some(found)))?;
        Ok((OpenedJournal { path, session, repository }, contents))
    }

    /// Returns the full id of a revision, from the journal or from Git.
    pub(crate) fn revision(&self, argument: &str, name: &str) -> Result<String, Error> {
        let graph = history_of(&self.session)
            .ok_or_else(|| Error::invalid(argument, name, "the id of a probe, because this search has no revisions"))?;
        match (graph.resolve(name, argument), &self.repository) {
            (Ok(node), _) => Ok(graph.id(node).to_owned()),
            // The given repository can have names that the journal lacks.
            (Err(error @ Error::UnknownRevision { .. }), Some(repository)) => {
                let sha = repository.resolve(name).ok().filter(|sha| graph.get(sha).is_some());
                sha.ok_or(error)
            }
            (Err(error), _) => Err(error),
        }
    }
}

/// Returns the repository of a slice search, if it has that history.
fn sliced(contents: &Contents, given: Option<&Path>) -> Result<Option<Repository>, Error> {
    let Ok(history) = SlicedHistory::from_options(&contents.header.configuration) else { return Ok(None) };
    let repository = match given {
        Some(folder) => Repository::open(folder)?,
        None => match Repository::open(Path::new(".")) {
            Ok(repository) => repository,
            Err(_) => return Ok(None),
        },
    };
    let is_there = |revision: &str| repository.resolve(revision).is_ok();
    Ok((is_there(&history.base) && is_there(&history.tip)).then_some(repository))
}

/// Returns the history of a search, or `None` for a search among items.
pub(crate) fn history_of(session: &Session) -> Option<Arc<CommitGraph>> {
    match session.inspect().world() {
        World::History(graph) => Some(graph),
        World::Items(_) => None,
    }
}

/// Returns the configuration of a search.
pub(crate) fn configuration_of(session: &Session) -> Result<Cow<'_, Value>, Error> {
    // A journal has the configuration already. It can be long.
    match session.header() {
        Some(header) => Ok(Cow::Borrowed(&header.configuration)),
        None => session.inspect().configuration().map(Cow::Owned),
    }
}

/// Prints a note if the end of the journal was lost, or if its format cannot detect losses.
pub(crate) fn warn_of_losses(journal: &Path, opening: &Opening) {
    if opening.torn > 0 {
        let (path, torn) = (journal.display(), opening.torn);
        streams::note(format_args!("ignoring the incomplete last line of {path} ({torn} bytes)"));
    }
    opening.format_note.iter().for_each(streams::note);
}
