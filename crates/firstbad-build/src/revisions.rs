//! Build graphs of the source at revisions, without a checkout.

use firstbad::Error;
use firstbad_git::Repository;

use crate::kinds::{is_read, read};
use crate::loaded::Loaded;
use crate::options::SourceOptions;
use crate::source::Snapshot;

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
        Ok(Loaded { revisions: Some(self.clone()), ..loaded })
    }

    /// The same for the graph before a range of changes; `None` if the revision had nothing of the kind yet.
    ///
    /// # Errors
    /// As [`Revisions::at`], but for that.
    pub fn before(&self, revision: &str) -> Result<Option<Loaded>, Error> {
        match self.at(revision) {
            Err(Error::InvalidArgument { .. }) => Ok(None),
            loaded => loaded.map(Some),
        }
    }
}
