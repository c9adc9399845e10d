//! A journal that exists already, resumed or only looked at.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use firstbad::{CommitGraph, Error, Search as _, SlicedHistory, World};
use firstbad_git::Repository;
use firstbad_journal::{Contents, Opening, Options, Session, WorldRecord};
use serde_json::Value;
use std::sync::Arc;

use crate::args::{JournalArgs, WriteArgs};
use crate::history;
use crate::last_run;
use crate::streams;

/// A journal that exists already.
pub(crate) struct OpenedJournal {
    /// Where it is.
    pub(crate) path: PathBuf,
    pub(crate) session: Session,
    pub(crate) repository: Option<Repository>,
}

impl OpenedJournal {
    /// Takes part in a journal.
    ///
    /// # Errors
    /// [`Error::Journal`] where there is none; [`Error::JournalLocked`] where somebody else writes to it for too long;
    /// those of [`history::world`].
    pub(crate) fn to_write(at: &WriteArgs) -> Result<OpenedJournal, Error> {
        let contents = firstbad_journal::read(&at.journal)?;
        let (repository, world) = history::world(&at.journal, &contents, at.repository.as_deref())?;
        let mut session = Session::new(contents.header.search(world)?);
        let digest = match contents.header.world {
            WorldRecord::Items { digest, .. } => digest,
            _ => None,
        };
        let opening = session.attach(&at.journal, &Options { wait: at.wait, digest, ..Options::default() })?;
        warn_of_losses(&at.journal, &opening);
        Ok(OpenedJournal { path: at.journal.clone(), session, repository })
    }

    /// Looks at a journal that somebody may be writing to.
    ///
    /// # Errors
    /// [`Error::Journal`]; those of [`last_run::meant`] and [`history::world`].
    pub(crate) fn to_read(args: &JournalArgs) -> Result<(OpenedJournal, Contents), Error> {
        let path = last_run::meant(args.at.journal(), args.at.repository.as_deref(), None)?;
        let contents = firstbad_journal::read(&path)?;
        contents.header.format_note().iter().for_each(streams::note);
        last_run::say_which(&contents.header, args.at.journal(), args.output);
        let (repository, world) = history::world(&path, &contents, args.at.repository.as_deref())?;
        let session = Session::view(&path, &contents, world)?;
        let repository =
            repository.map_or_else(|| sliced(&contents, args.at.repository.as_deref()), |found| Ok(Some(found)))?;
        Ok((OpenedJournal { path, session, repository }, contents))
    }

    /// The full id of a revision that somebody names: as the journal knows it, else as git does now.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`]; [`Error::InvalidArgument`] in a search without
    /// revisions.
    pub(crate) fn revision(&self, argument: &str, name: &str) -> Result<String, Error> {
        let graph = history_of(&self.session)
            .ok_or_else(|| Error::invalid(argument, name, "the id of a probe: this search is not about revisions"))?;
        match (graph.resolve(name, argument), &self.repository) {
            (Ok(node), _) => Ok(graph.id(node).to_owned()),
            // Not the repository that the journal names: another may be given.
            (Err(error @ Error::UnknownRevision { .. }), Some(repository)) => {
                let sha = repository.resolve(name).ok().filter(|sha| graph.get(sha).is_some());
                sha.ok_or(error)
            }
            (Err(error), _) => Err(error),
        }
    }
}

/// The repository whose history is sliced, of a journal of such a search: the one that is given, or the one here if it has
/// that history. `None` if it has not, or for another journal.
///
/// # Errors
/// Those of [`Repository::open`], for one that is given.
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

/// The history that a search is about, if it is about one.
pub(crate) fn history_of(session: &Session) -> Option<Arc<CommitGraph>> {
    match session.inspect().world() {
        World::History(graph) => Some(graph),
        World::Items(_) => None,
    }
}

/// What a search was told, as its options.
///
/// # Errors
/// Those of a configuration that has no JSON form.
pub(crate) fn configuration_of(session: &Session) -> Result<Cow<'_, Value>, Error> {
    // It may be long, with the ranking of all suspects, and a journal has it at hand.
    match session.header() {
        Some(header) => Ok(Cow::Borrowed(&header.configuration)),
        None => session.inspect().configuration().map(Cow::Owned),
    }
}

/// Prints a note if the end of the journal was lost, or if its format cannot detect losses.
pub(crate) fn warn_of_losses(journal: &Path, opening: &Opening) {
    if opening.torn > 0 {
        let (path, torn) = (journal.display(), opening.torn);
        streams::note(format_args!(
            "the last line of {path} was not written to its end; its {torn} bytes were dropped"
        ));
    }
    opening.format_note.iter().for_each(streams::note);
}
