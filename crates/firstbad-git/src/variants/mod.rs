//! Revisions with changes on them: the tree that such a target is, and the patch that makes it.
//!
//! [`Variants`] answer what a search asks to see of them ([`Variants::read`]), and turn the targets of its probes into
//! patches for an oracle ([`Variants::carried`]). [`copy_files`] brings a patch to another revision, and [`porting`] opens
//! all of it for iterative delta debugging. The trees themselves are made by [`trees`](crate::trees).

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

/// How [`Variants`] are made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VariantsOptions {
    /// Files and folders that every tree has as one revision has them; none by default.
    pub overlay: Option<Overlay>,
    /// Where the folder with the objects that are made is put, outside the repository; `None`: in firstbad's cache folder.
    pub folder: Option<PathBuf>,
    /// Whether a part of a difference that leaves a file which does not parse is [known](Variants::trial) not to be worth a run.
    /// Not by default: a file that no test reads may be anything, so it is for searches that leave out whole files first.
    pub parse: bool,
}

/// A revision with changes on it, as a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    /// The patch from the revision's own tree to the one that was made, as [`Repository::diff`] writes it. It has what an
    /// [`Overlay`] changes as well.
    pub patch: Vec<u8>,
    /// The tree that was made, by its full id. Equal ids are equal files.
    pub tree: String,
    /// How the changes came to the revision.
    pub way: Way,
}

/// The trees of revisions with changes on them. Each is made once; nothing is checked out, and nothing is written into the
/// user's repository: new objects are in a folder of our own, which is removed when this is dropped.
#[derive(Debug)]
pub struct Variants {
    repository: Repository,
    trees: Trees,
    overlay: Option<Laid>,
    known: Mutex<Known>,
    parsed: Option<Parsed>,
    seen: Seen,
}

/// What was found out already.
#[derive(Debug, Default)]
struct Known {
    /// Of revisions that are full shas: their commits and trees.
    revisions: HashMap<String, (String, String)>,
    /// What each tree is under the overlay.
    laid: HashMap<String, String>,
    carried: HashMap<Carrying, Result<(String, Way), Error>>,
    /// The patch that was used last, by the digest of its text.
    patch: Option<(String, Arc<Patch>)>,
}

/// Some changes of a patch, and what they are brought from and to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Carrying {
    base: String,
    ours: String,
    digest: String,
    changes: ChangeSet,
}

/// A tree that was made, and of which commit it is a variant.
struct Built {
    commit: String,
    tree: String,
    way: Way,
}

impl Variants {
    /// Of a repository.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an overlay without paths, or with one that its revision does not have, and for a folder
    /// inside the repository; [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] for the overlay's revision;
    /// [`Error::Git`], [`Error::Io`].
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
            known: Mutex::default(),
            parsed: options.parse.then(Parsed::default),
            seen: Seen::new("tree"),
        })
    }

    /// The full id of a target's tree.
    ///
    /// A revision by itself has its own tree, with the overlay on it. Changes of a universe are applied to the tree that the
    /// universe starts from. If that is of another revision than the target's, what they change there is carried over in the
    /// first [`Way`] that works; then the overlay is laid on.
    ///
    /// # Errors
    /// [`Error::PatchConflict`] if no way works; [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`];
    /// [`Error::InvalidArgument`] for a target without a revision, or whose universe is missing, is no diff, or rests on more
    /// than 32 others; [`Error::PatchSyntax`] for a universe that is no patch; [`Error::Git`], also for content that a
    /// partial clone lacks; [`Error::Io`].
    pub fn tree(&self, target: &Target, universes: Universe<'_>) -> Result<String, Error> {
        Ok(self.built(target, universes, &Chain::default())?.tree)
    }

    /// A target as a patch on its revision.
    ///
    /// # Errors
    /// Those of [`Variants::tree`].
    pub fn carried(&self, target: &Target, universes: Universe<'_>) -> Result<Carried, Error> {
        let Built { commit, tree, way } = self.built(target, universes, &Chain::default())?;
        let (_, own) = self.revision(&commit)?;
        Ok(Carried { patch: self.trees.diff(&own, &tree)?, tree, way })
    }

    /// What a search asks to see: as [`Repository::read`], and diffs may be between targets with changes on them. Under an
    /// overlay both sides of a diff have it; files and names of files are those of the revision itself.
    ///
    /// # Errors
    /// Those of [`Variants::tree`] and [`Repository::read`].
    pub fn read(&self, request: &Request, universes: Universe<'_>) -> Result<Vec<u8>, Error> {
        match request {
            // Any part of it may be taken: a line that stays must not get in front of what takes another one's place.
            Request::Diff { from, to } => {
                let diff = self.trees.diff(&self.tree(from, universes)?, &self.tree(to, universes)?)?;
                Ok(interleaved(&diff))
            }
            other => self.repository.read(other),
        }
    }

    /// Shares what is seen of trees, from here on: a tree that another search tested is not run again. In the cache it is the
    /// revision `tree:` and the tree's full id; where a control is run, `tree with a control:` and that id.
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
    /// [`Error::Io`] if something could not be removed; the next [`Variants`] of the same repository try again.
    pub fn close(&self) -> Result<(), Error> {
        self.trees.remove()
    }

    // Nothing can panic while the lock is held, so a poisoned one is as good.
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

    /// The full ids of a revision's commit and tree.
    fn revision(&self, revision: &str) -> Result<(String, String), Error> {
        if let Some(known) = self.known().revisions.get(revision) {
            return Ok(known.clone());
        }
        let commit = self.repository.resolve(revision)?;
        // What is not touched may be missing, unless it can be had.
        if self.repository.fetches() {
            self.repository.complete_revisions(&[&commit])?;
        }
        let mut ids = self.repository.tree_ids(std::slice::from_ref(&commit))?;
        let ids = ids.pop().ok_or_else(|| Error::Git { message: format!("no answer for {revision:?}") })?;
        // A name may mean something else the next time.
        if commit == revision {
            self.known().revisions.insert(commit, ids.clone());
        }
        Ok(ids)
    }

    /// A tree with the overlay on it.
    fn laid(&self, tree: &str) -> Result<String, Error> {
        let Some(overlay) = &self.overlay else { return Ok(tree.to_owned()) };
        if let Some(known) = self.known().laid.get(tree) {
            return Ok(known.clone());
        }
        let laid = self.trees.overlaid(tree, overlay)?;
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

    /// Where the objects are that are made.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.trees.folder()
    }
}
