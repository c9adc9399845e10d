//! Build graphs of the source at revisions, without a checkout.

use std::path::Path;

use firstbad::Error;
use firstbad_git::Repository;
use firstbad_platform::files;

use crate::kinds::{is_read, read};
use crate::loaded::Loaded;
use crate::options::SourceOptions;
use crate::source::{Folder, Snapshot};

/// The build graph of a folder's source tree, the loader by its name in [`SOURCES`](crate::SOURCES).
///
/// # Errors
/// [`Error::Io`] if it is not a folder that can be read; [`Error::InvalidArgument`] as [`read`] says.
pub fn read_folder(kind: &str, folder: impl AsRef<Path>, options: &SourceOptions) -> Result<Loaded, Error> {
    let files = Folder::open(folder)?;
    let mut loaded = read(kind, &files, options)?;
    loaded.warnings.extend_from_slice(files.unread());
    Ok(loaded)
}

/// The revisions of a repository, each with a source tree of one kind.
#[derive(Debug, Clone)]
pub struct Revisions {
    repository: Repository,
    kind: String,
    options: SourceOptions,
}

impl Revisions {
    /// Source trees of a kind in [`SOURCES`](crate::SOURCES).
    #[must_use]
    pub fn new(repository: Repository, kind: impl Into<String>, options: SourceOptions) -> Revisions {
        Revisions { repository, kind: kind.into(), options }
    }

    /// The repository, and which source trees they are.
    pub(crate) fn parts(&self) -> (&Repository, &str, &SourceOptions) {
        (&self.repository, &self.kind, &self.options)
    }

    /// Those of the repository that a folder is the top level of; `None` if there is none.
    #[must_use]
    pub fn of_folder(folder: impl AsRef<Path>, kind: impl Into<String>, options: SourceOptions) -> Option<Revisions> {
        let folder = files::real_path(folder.as_ref()).ok()?;
        let repository = Repository::open(&folder).ok().filter(|repository| repository.path() == folder)?;
        Some(Revisions::new(repository, kind, options))
    }

    /// The build graph of a revision.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`]; [`Error::InvalidArgument`] for an unknown kind, and for a
    /// tree that has nothing of it; [`Error::Git`].
    pub fn at(&self, revision: &str) -> Result<Loaded, Error> {
        let tree = self.repository.tree(revision, |path| is_read(&self.kind, path))?;
        let source = Snapshot { paths: tree.paths, contents: tree.contents };
        let mut loaded = read(&self.kind, &source, &self.options)?;
        loaded.warnings.extend(tree.unread);
        Ok(loaded)
    }

    /// The same for the graph before a range of changes; `None` if the revision had nothing of the kind yet, or is not in
    /// this repository.
    ///
    /// # Errors
    /// As [`Revisions::at`], but for that.
    pub fn before(&self, revision: &str) -> Result<Option<Loaded>, Error> {
        match self.at(revision) {
            Err(Error::InvalidArgument { .. } | Error::UnknownRevision { .. }) => Ok(None),
            loaded => loaded.map(Some),
        }
    }
}
