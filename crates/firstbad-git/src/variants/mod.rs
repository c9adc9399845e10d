//! Revisions with changes applied: their trees, and the patches that create them.
//!
//! [`Variants`] provide the content that a search requests ([`Variants::read`]) and convert targets to patches for an oracle
//! ([`Variants::carried`]). [`copy_files`] applies a patch to another revision, and [`porting`] opens a search of iterative delta
//! debugging. [`trees`](crate::trees) builds the trees.

mod carry;
mod parsing;
mod porting;
mod trial;
mod universe;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use firstbad::patch::interleaved;
use firstbad::{ChangeSet, Error, OutcomeCache, Patch, Request, Target};

use crate::cache;
use crate::repository::Repository;
use crate::trees::{Laid, Overlay, Seen, Trees};

pub use carry::Way;
pub use porting::porter;
pub use trial::{Trial, wants_control};
pub use universe::{Universe, universes_of};

use parsing::Parsed;
use universe::Chain;

/// The options of [`Variants`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VariantsOptions {
    /// Files and folders of one revision that replace those of every tree. Default: none.
    pub overlay: Option<Overlay>,
    /// The parent of the folder for new objects, outside the repository. If `None`, firstbad's cache folder.
    pub folder: Option<PathBuf>,
    /// Whether a part of a difference that breaks the syntax of a file is [known](Variants::trial) to be unresolved. Default:
    /// false, because a broken file may not matter to the test. Useful for searches that first remove whole files.
    pub parse: bool,
}

/// A revision with changes, as a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    /// The patch from the revision's tree to the new tree, in the format of [`Repository::diff`]. It includes the changes of an
    /// [`Overlay`].
    pub patch: Vec<u8>,
    /// The full id of the new tree. Equal ids mean equal files.
    pub tree: String,
    /// How the changes were applied.
    pub way: Way,
}

/// The trees of revisions with changes. Each tree is built once, and nothing is checked out. New objects are stored in firstbad's
/// own folder, which is removed on drop. Nothing is written to the user's repository.
#[derive(Debug)]
pub struct Variants {
    repository: Repository,
    trees: Trees,
    overlay: Option<Laid>,
    /// A tree and paths. Files outside these paths come from this tree. `None` if all paths vary.
    within: Option<(String, Vec<String>)>,
    known: Mutex<Known>,
    parsed: Option<Parsed>,
    seen: Seen,
}

/// The cached results.
#[derive(Debug, Default)]
struct Known {
    /// The commits and trees of revisions that are full ids.
    revisions: HashMap<String, (String, String)>,
    /// The trees with the overlay applied.
    laid: HashMap<String, String>,
    carried: HashMap<Carrying, Result<(String, Way), Error>>,
    /// The last patch, by the digest of its text.
    patch: Option<(String, Arc<Patch>)>,
}

/// Some changes of a patch, with the trees that they come from and are applied to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Carrying {
    base: String,
    ours: String,
    digest: String,
    changes: ChangeSet,
}

/// A new tree, with the commit that it is a variant of.
struct Built {
    commit: String,
    tree: String,
    way: Way,
}

impl Variants {
    /// Creates variants for a repository.
    ///
    /// # Errors
    /// - [`Error::InvalidArgument`] if the overlay has no paths or missing ones, or if the folder is inside the repository.
    /// - [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] for the overlay's revision.
    /// - [`Error::Git`] or [`Error::Io`] if the repository or folder cannot be used.
    pub fn new(repository: &Repository, options: VariantsOptions) -> Result<Variants, Error> {
        let above = match options.folder {
            Some(folder) => cache::absolute(&folder)?.join(cache::name(repository)),
            None => repository.cache_folder("variants")?,
        };
        if cache::is_inside(&above, repository) {
            return Err(Error::invalid("folder", &above, "a folder outside the repository"));
        }
        let overlay = options.overlay.map(|overlay| Laid::of(repository, "overlay", &overlay)).transpose()?;
        let trees = Trees::open(repository, &above)?;
        Ok(Variants {
            repository: repository.clone(),
            trees,
            overlay,
            within: None,
            known: Mutex::default(),
            parsed: options.parse.then(Parsed::default),
            seen: Seen::new("tree"),
        })
    }

    /// Returns the full id of a target's tree.
    ///
    /// A revision without changes has its own tree with the overlay. Changes of a universe are applied to the tree that the
    /// universe starts from. If the target has another revision, the changes are then applied to that revision in the first
    /// [`Way`] that works. The overlay is applied last.
    ///
    /// # Errors
    /// - [`Error::PatchConflict`] if no way works.
    /// - [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] if a revision cannot be resolved.
    /// - [`Error::InvalidArgument`] if the target has no revision, or if its universe is missing, is not a diff, or depends on
    ///   more than 32 others.
    /// - [`Error::PatchSyntax`] if a universe is not a patch.
    /// - [`Error::Git`] or [`Error::Io`] if Git fails, or if a partial clone lacks a content.
    pub fn tree(&self, target: &Target, universes: Universe<'_>) -> Result<String, Error> {
        Ok(self.built(target, universes, &Chain::default())?.tree)
    }

    /// Returns a target as a patch for its revision.
    ///
    /// # Errors
    /// See [`Variants::tree`].
    pub fn carried(&self, target: &Target, universes: Universe<'_>) -> Result<Carried, Error> {
        let Built { commit, tree, way } = self.built(target, universes, &Chain::default())?;
        let (_, own) = self.revision(&commit)?;
        Ok(Carried { patch: self.trees.diff(&own, &tree)?, tree, way })
    }

    /// Returns the content that a search requests, like [`Repository::read`]. In addition, diffs can be between targets with
    /// changes. With an overlay, both sides of a diff have it, but files and lists of files are those of the revision itself.
    ///
    /// # Errors
    /// The errors of [`Variants::tree`] and [`Repository::read`].
    pub fn read(&self, request: &Request, universes: Universe<'_>) -> Result<Vec<u8>, Error> {
        match request {
            // Interleaved, so that any subset of the changes keeps the order of lines.
            Request::Diff { from, to } => {
                let diff = self.trees.diff(&self.tree(from, universes)?, &self.tree(to, universes)?)?;
                Ok(interleaved(&diff))
            }
            other => self.repository.read(other),
        }
    }

    /// Shares outcomes with other searches through a cache from now on. The cache knows a tree as the revision `tree:` followed
    /// by its full id, or `tree with a control:` if a control runs.
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
    /// [`Error::Io`] if a file cannot be removed. The next [`Variants`] of the same repository try again.
    pub fn close(&self) -> Result<(), Error> {
        self.trees.remove()
    }

    // No code panics while the lock is held, so a poisoned lock is still valid.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn built(&self, target: &Target, universes: Universe<'_>, chain: &Chain) -> Result<Built, Error> {
        let Some(revision) = target.revision.as_deref() else {
            return Err(Error::invalid("target", target, "a revision, or a revision with changes on it"));
        };
        let (commit, own) = self.revision(revision)?;
        let Some(changes) = target.changes.as_ref().filter(|changes| !changes.is_empty()) else {
            return Ok(Built { tree: self.laid(&own)?, commit, way: Way::None });
        };
        let (from, content, chain) = chain.next(target, universes)?;
        let base = self.built(&from, universes, &chain)?;
        let ours = if base.commit == commit { base.tree.clone() } else { self.laid(&own)? };
        let digest = content.digest().to_owned();
        let carrying = Carrying { base: base.tree, ours, digest, changes: changes.clone() };
        if let Some(known) = self.known().carried.get(&carrying) {
            return known.clone().map(|(tree, way)| Built { commit, tree, way });
        }
        let patch = self.patch(&carrying.digest, content.bytes())?;
        let made = self.carry(&patch, &carrying);
        if matches!(made, Ok(_) | Err(Error::PatchConflict { .. })) {
            self.known().carried.insert(carrying, made.clone());
        }
        made.map(|(tree, way)| Built { commit, tree, way })
    }

    fn carry(&self, patch: &Patch, Carrying { base, ours, changes, .. }: &Carrying) -> Result<(String, Way), Error> {
        let part = patch.subset(&changes.iter().collect::<Vec<_>>())?;
        if part.is_empty() {
            return Ok((ours.clone(), Way::None));
        }
        let (tree, way) = carry::carry(&self.trees, &part, base, ours)?;
        Ok((self.laid(&tree)?, way))
    }

    /// Returns the full ids of a revision's commit and tree.
    fn revision(&self, revision: &str) -> Result<(String, String), Error> {
        if let Some(known) = self.known().revisions.get(revision) {
            return Ok(known.clone());
        }
        let commit = self.repository.resolve(revision)?;
        // Unchanged objects may be missing, but are fetched if allowed.
        if self.repository.fetches() {
            self.repository.complete_revisions(&[&commit])?;
        }
        let mut ids = self.repository.tree_ids(std::slice::from_ref(&commit))?;
        let ids = ids.pop().ok_or_else(|| Error::Git { message: format!("git did not resolve {revision:?}") })?;
        // Only a full id always means the same commit.
        if commit == revision {
            self.known().revisions.insert(commit, ids.clone());
        }
        Ok(ids)
    }

    /// Restricts a tree to the paths that vary, and applies the overlay.
    fn laid(&self, tree: &str) -> Result<String, Error> {
        if self.overlay.is_none() && self.within.is_none() {
            return Ok(tree.to_owned());
        }
        if let Some(known) = self.known().laid.get(tree) {
            return Ok(known.clone());
        }
        let own = match &self.within {
            None => tree.to_owned(),
            Some((start, paths)) => {
                self.trees.overlaid(start, &Laid::where_there(|| self.trees.git(), tree, paths)?)?
            }
        };
        let laid =
            self.overlay.as_ref().map_or_else(|| Ok(own.clone()), |overlay| self.trees.overlaid(&own, overlay))?;
        self.known().laid.insert(tree.to_owned(), laid.clone());
        Ok(laid)
    }

    fn patch(&self, digest: &str, text: &[u8]) -> Result<Arc<Patch>, Error> {
        if let Some((_, patch)) = self.known().patch.as_ref().filter(|(known, _)| known == digest) {
            return Ok(Arc::clone(patch));
        }
        let patch = Arc::new(Patch::parse(text)?);
        self.known().patch = Some((digest.to_owned(), Arc::clone(&patch)));
        Ok(patch)
    }

    /// Returns the folder with the new objects.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.trees.folder()
    }
}
