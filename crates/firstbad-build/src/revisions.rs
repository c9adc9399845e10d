//! Build graphs at revisions, without a checkout.

use std::path::Path;

use firstbad::Error;
use firstbad_git::Repository;
use firstbad_platform::files;

use crate::kinds::{is_read, read};
use crate::loaded::Loaded;
use crate::options::SourceOptions;
use crate::source::{Folder, Snapshot};

/// Loads the build graph of a folder's source tree. `kind` is one of [`SOURCES`](crate::SOURCES).
///
/// # Errors
/// [`Error::Io`] if the folder cannot be read, and the errors of [`read`].
pub fn read_folder(kind: &str, folder: impl AsRef<Path>, options: &SourceOptions) -> Result<Loaded, Error> {
    let files = Folder::open(folder)?;
    let mut loaded = read(kind, &files, options)?;
    loaded.warnings.extend_from_slice(files.unread());
    Ok(loaded)
}

/// A loader for the source trees at the revisions of a repository.
#[derive(Debug, Clone)]
pub struct Revisions {
    repository: Repository,
    kind: String,
    options: SourceOptions,
}

impl Revisions {
    /// Creates a loader. `kind` is one of [`SOURCES`](crate::SOURCES).
    #[must_use]
    pub fn new(repository: Repository, kind: impl Into<String>, options: SourceOptions) -> Revisions {
        Revisions { repository, kind: kind.into(), options }
    }

    /// Returns the repository, the kind, and the options.
    pub(crate) fn parts(&self) -> (&Repository, &str, &SourceOptions) {
        (&self.repository, &self.kind, &self.options)
    }

    /// Creates a loader for the repository whose top level is `folder`. Returns `None` if there is none.
    #[must_use]
    pub fn of_folder(folder: impl AsRef<Path>, kind: impl Into<String>, options: SourceOptions) -> Option<Revisions> {
        let folder = files::real_path(folder.as_ref()).ok()?;
        let repository = Repository::open(&folder).ok().filter(|repository| repository.path() == folder)?;
        Some(Revisions::new(repository, kind, options))
    }

    /// Loads the build graph at a revision.
    ///
    /// # Errors
    /// - [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] if the revision cannot be resolved.
    /// - [`Error::InvalidArgument`] if the kind is unknown, or if the tree contains nothing of this kind.
    /// - [`Error::Git`] if Git fails.
    pub fn at(&self, revision: &str) -> Result<Loaded, Error> {
        let tree = self.repository.tree(revision, |path| is_read(&self.kind, path))?;
        let source = Snapshot { paths: tree.paths, contents: tree.contents };
        let mut loaded = read(&self.kind, &source, &self.options)?;
        loaded.warnings.extend(tree.unread);
        Ok(loaded)
    }

    /// Loads the build graph before a range of changes. Returns `None` if the revision contains nothing of this kind, or is not
    /// in this repository.
    ///
    /// # Errors
    /// The other errors of [`Revisions::at`].
    pub fn before(&self, revision: &str) -> Result<Option<Loaded>, Error> {
        match self.at(revision) {
            Err(Error::InvalidArgument { .. } | Error::UnknownRevision { .. }) => Ok(None),
            loaded => loaded.map(Some),
        }
    }
}
