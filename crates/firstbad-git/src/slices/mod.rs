//! The trees for parts of a history, which a search for the smallest slice tests (DEFINER, Section 2).
//!
//! A history is a chain of trees from its base to its tip, and a change is one step of the chain ([`chain`]). A set of changes is
//! the base with only these steps, each applied by a three-way merge ([`Slices::tree`]). Nothing is checked out, and a merge
//! conflict is an outcome without a run. [`slicing`] opens a search, and [`outcome`] turns a slice into commits.

mod chain;
mod change;
mod charges;
mod coverage;
mod defined;
mod definitions;
mod dependencies;
mod made;
mod onto;
mod outcome;
mod parsing;
mod parts;
mod slicing;
mod sources;
mod tree;
mod trial;
mod uses;

use std::path::Path;
use std::sync::{Arc, Mutex};

use firstbad::{Error, OutcomeCache, SlicedHistory};

use crate::cache;
use crate::repository::Repository;
use crate::trees::{Seen, Trees};

pub use change::SliceChange;
pub use defined::SlicedDefinition;
pub use dependencies::DependencyKind;
pub use made::Conflict;
pub use outcome::SlicedCommit;

use chain::Chain;
use definitions::Definitions;
use made::Made;
use sources::Sources;

/// A history and the trees of its parts. Each tree is built once, and nothing is checked out. New objects are stored in
/// firstbad's own folder, which is removed on drop. Only [`Slices::create_branch`] writes to the user's repository.
#[derive(Debug)]
pub struct Slices {
    repository: Repository,
    trees: Trees,
    chain: Chain,
    made: Mutex<Made>,
    seen: Seen,
    read: Mutex<Source>,
}

/// The source files read so far.
#[derive(Debug)]
struct Source {
    sources: Sources,
    /// The definitions of the history, once they are needed.
    definitions: Option<Arc<Definitions>>,
}

impl Slices {
    /// Opens a history of a repository. New objects are stored in a new folder below `folder`, which must be outside the
    /// repository. If `None`, firstbad's cache folder is used.
    ///
    /// # Errors
    /// - [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] for `base`, `tip`, or `onto`.
    /// - [`Error::InvalidArgument`] if the base is not in the first-parent history of the tip, if nothing changes in `paths`, if
    ///   the tip has no `tests`, if `onto` has the tip, if there are more than 10,000 commits, or if `folder` is inside the repository.
    /// - [`Error::Git`] or [`Error::Io`] if the repository or folder cannot be used.
    pub fn open(repository: &Repository, history: &SlicedHistory, folder: Option<&Path>) -> Result<Slices, Error> {
        let above = match folder {
            Some(folder) => cache::absolute(folder)?.join(cache::name(repository)),
            None => repository.cache_folder("slices")?,
        };
        if cache::is_inside(&above, repository) {
            return Err(Error::invalid("folder", &above, "a folder outside the repository"));
        }
        let trees = Trees::open(repository, &above)?;
        let mut sources = Sources::new();
        let chain = Chain::of(repository, &trees, history, &mut sources)?;
        let read = Mutex::new(Source { sources, definitions: None });
        let (made, seen) = (Mutex::default(), Seen::new("tree"));
        Ok(Slices { repository: repository.clone(), trees, chain, made, seen, read })
    }

    /// Returns the options of the history, with full commit ids.
    #[must_use]
    pub fn history(&self) -> &SlicedHistory {
        &self.chain.history
    }

    /// Returns the full id of the commit that sets of changes are applied to: the base, or the branch of a slice for another one.
    #[must_use]
    pub fn ground(&self) -> &str {
        self.chain.history.onto.as_deref().unwrap_or(&self.chain.history.base)
    }

    /// Returns the changes, oldest first. A set of changes contains indices into this list.
    #[must_use]
    pub fn changes(&self) -> &[SliceChange] {
        &self.chain.changes
    }

    /// Shares outcomes with other searches through a cache from now on. The cache knows a tree as the revision `tree:` followed
    /// by its full id.
    pub fn share(&self, cache: Box<dyn OutcomeCache>) {
        self.seen.share(cache);
    }

    /// Returns why sharing outcomes has stopped, or `None` if there was no error.
    #[must_use]
    pub fn cache_trouble(&self) -> Option<String> {
        self.seen.trouble()
    }

    /// Removes all objects. No more trees can be built then. Dropping does the same.
    ///
    /// # Errors
    /// [`Error::Io`] if a file cannot be removed. The next [`Slices`] of the same repository try again.
    pub fn close(&self) -> Result<(), Error> {
        self.trees.remove()
    }
}
