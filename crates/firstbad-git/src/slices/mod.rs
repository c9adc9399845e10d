//! Parts of a history as trees: what a search for the smallest slice of it tests (DEFINER, Section 2).
//!
//! A history is a chain of trees from its base to its tip, and a change is one step of it ([`chain`]). A set of changes is
//! the base with just these steps, each brought there by a three-way merge ([`Slices::tree`]): nothing is checked out, and
//! what git cannot merge is an answer that costs no run. [`slicing`] opens all of it for a search, and [`outcome`] makes commits
//! of a slice.

mod chain;
mod outcome;
mod slicing;
mod trial;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use firstbad::patch::{Reach, hunk_dependencies};
use firstbad::{ChangeSet, Error, OutcomeCache, Patch, SlicedHistory};

use crate::cache;
use crate::repository::Repository;
use crate::trees::{Seen, Spaces, Trees};

pub use chain::SliceChange;
pub use outcome::SlicedCommit;

use chain::Chain;

/// A history, and the trees of its parts. Each is made once; nothing is checked out, and nothing is written into the user's
/// repository but by [`Slices::create_branch`]: new objects are in a folder of our own, which is removed when this is dropped.
#[derive(Debug)]
pub struct Slices {
    repository: Repository,
    trees: Trees,
    chain: Chain,
    /// What a tree with one more change on it is.
    merged: Mutex<HashMap<(String, usize), Result<String, Conflict>>>,
    seen: Seen,
}

/// A change that git cannot bring to what is there without others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The index of the change.
    pub change: usize,
    /// The files in which it conflicts, or git's own words.
    pub words: String,
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
        let chain = Chain::of(repository, &trees, history)?;
        Ok(Slices { repository: repository.clone(), trees, chain, merged: Mutex::default(), seen: Seen::new("tree") })
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

    /// What changes are thought to rest on, by index: where a hunk edits what another one wrote. It is a guess from the lines
    /// alone: whether git can bring a change somewhere, the merge says.
    ///
    /// # Errors
    /// [`Error::Git`]; [`Error::InvalidArgument`] if there are more than 2^22 needs.
    pub fn dependencies(&self) -> Result<BTreeMap<usize, Vec<usize>>, Error> {
        let patches: Vec<Patch> = (self.chain.states.windows(2))
            .map(|step| Patch::parse(&self.trees.diff(&step[0], &step[1])?))
            .collect::<Result<_, Error>>()?;
        let mut needed: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for found in hunk_dependencies(&patches, Reach::Touched)? {
            needed.entry(found.of.patch).or_default().extend(found.needs.iter().map(|need| need.patch));
        }
        for needs in needed.values_mut() {
            needs.sort_unstable();
            needs.dedup();
        }
        needed.retain(|_, needs| !needs.is_empty());
        Ok(needed)
    }

    /// The full id of the tree that the base has with just these changes, or which of them git cannot bring there.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an index that no change has; [`Error::Git`].
    pub fn tree(&self, changes: &ChangeSet) -> Result<Result<String, Conflict>, Error> {
        let states = &self.chain.states;
        let mut at = states[0].clone();
        for change in changes.iter() {
            let Some(next) = states.get(change + 1) else {
                return Err(Error::invalid("changes", change, format!("an index below {}", states.len() - 1)));
            };
            // The history itself, as far as nothing was left out, needs no merge.
            at = if at == states[change] {
                next.clone()
            } else {
                match self.merged(at, change)? {
                    Ok(tree) => tree,
                    Err(conflict) => return Ok(Err(conflict)),
                }
            };
        }
        Ok(Ok(at))
    }

    /// A tree with one more change on it.
    fn merged(&self, at: String, change: usize) -> Result<Result<String, Conflict>, Error> {
        let key = (at, change);
        if let Some(known) = self.known().get(&key) {
            return Ok(known.clone());
        }
        let sides = self.trees.sides(&self.chain.states[change], &key.0, &self.chain.states[change + 1])?;
        let made = self.trees.merged(&sides, Spaces::Count)?.map_err(|conflicts| Conflict {
            change,
            words: conflicts.words.unwrap_or_else(|| format!("a merge conflicts in {:?}", conflicts.paths)),
        });
        self.known().insert(key, made.clone());
        Ok(made)
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

    // Nothing can panic while the lock is held, so a poisoned one is as good.
    fn known(&self) -> MutexGuard<'_, HashMap<(String, usize), Result<String, Conflict>>> {
        self.merged.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
