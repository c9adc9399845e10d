//! Parts of a history as trees: what a search for the smallest slice of it tests (DEFINER, Section 2).
//!
//! A history is a chain of trees from its base to its tip, and a change is one step of it ([`chain`]). A set of changes is
//! the base with just these steps, each brought there by a three-way merge ([`Slices::tree`]): nothing is checked out, and
//! what git cannot merge is an answer that costs no run. [`slicing`] opens all of it for a search, and [`outcome`] makes commits
//! of a slice.

mod chain;
mod change;
mod charges;
mod coverage;
mod defined;
mod definitions;
mod dependencies;
mod made;
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

/// A history, and the trees of its parts. Each is made once; nothing is checked out, and nothing is written into the user's
/// repository but by [`Slices::create_branch`]: new objects are in a folder of our own, which is removed when this is dropped.
#[derive(Debug)]
pub struct Slices {
    repository: Repository,
    trees: Trees,
    chain: Chain,
    made: Mutex<Made>,
    seen: Seen,
    read: Mutex<Source>,
}

/// What is read of source files.
#[derive(Debug)]
struct Source {
    sources: Sources,
    /// The definitions of the history, once they were asked for.
    definitions: Option<Arc<Definitions>>,
}

impl Slices {
    /// Of a repository. New objects are put into a folder of their own below `folder`, outside the repository; `None`: in
    /// firstbad's cache folder.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] that name `base` or `tip`; [`Error::InvalidArgument`] for
    /// a base that is not on the line of first parents of the tip, `paths` in which nothing changes, `tests` that the tip
    /// does not have, more than 10,000 commits, and a folder inside the repository; [`Error::Git`], [`Error::Io`].
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

    /// The history, with full shas.
    #[must_use]
    pub fn history(&self) -> &SlicedHistory {
        &self.chain.history
    }

    /// The changes, oldest first. A set of changes holds indices of these.
    #[must_use]
    pub fn changes(&self) -> &[SliceChange] {
        &self.chain.changes
    }

    /// Shares what is seen of trees, from here on: a tree that another search tested is not run again. In the cache it is the
    /// revision `tree:` and the tree's full id.
    pub fn share(&self, cache: Box<dyn OutcomeCache>) {
        self.seen.share(cache);
    }

    /// Why outcomes are not shared any more; `None` if they are, or never were.
    #[must_use]
    pub fn cache_trouble(&self) -> Option<String> {
        self.seen.trouble()
    }

    /// Removes all that was made; nothing more can be made then. It is done by itself when this is dropped.
    ///
    /// # Errors
    /// [`Error::Io`] if something could not be removed; the next [`Slices`] of the same repository try again.
    pub fn close(&self) -> Result<(), Error> {
        self.trees.remove()
    }
}
