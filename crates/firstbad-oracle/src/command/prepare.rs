//! From a free work tree to one that holds what the test is to see.

use std::collections::BTreeSet;
use std::path::PathBuf;

use firstbad::{Error, Patch, Stage};

use super::CommandOracle;
use crate::worktree::submodules;
use crate::worktree::work_tree::{Preparation, WorkTree};

/// What a work tree was made into.
pub(crate) struct Prepared {
    /// The file with the patch, if there is one.
    pub(crate) patch: Option<PathBuf>,
    /// The number of changes in the patch.
    pub(crate) changes: Option<usize>,
    /// Files that are carried elsewhere, and that the revision has itself.
    pub(crate) own: BTreeSet<String>,
    /// Why there is nothing to test: the stage, and words.
    pub(crate) obstacle: Option<(Stage, String)>,
}

impl CommandOracle {
    /// Makes a work tree what the test is to see: the revision, the fix-ups, the patch, the submodules, the files that are
    /// carried.
    ///
    /// # Errors
    /// [`Error::PatchConflict`] if the patch does not apply; [`Error::Git`], [`Error::Io`], [`Error::Interrupted`].
    pub(crate) fn prepare(
        &self,
        work_tree: &mut WorkTree,
        revision: &str,
        patch: Option<&Patch>,
        how: &mut Preparation<'_, '_>,
    ) -> Result<Prepared, Error> {
        work_tree.prepare(revision, how)?;
        let changes = patch.map(Patch::len);
        for (place, fixup) in self.apply_patches.iter().enumerate() {
            match work_tree.fix_up(fixup, how) {
                Ok(()) => {}
                Err(error @ (Error::PatchConflict { .. } | Error::Git { .. })) => {
                    let why = format!("fix-up {} of {}: {error}", place + 1, self.apply_patches.len());
                    let patch = patch.map(|_| work_tree.beside("patch"));
                    return Ok(Prepared { patch, changes, own: BTreeSet::new(), obstacle: Some((Stage::Patch, why)) });
                }
                Err(error) => return Err(error),
            }
        }
        let patch = patch.map(|patch| work_tree.apply(patch, how)).transpose()?;
        let obstacle = submodules::fill(work_tree, &self.repository, how)?;
        let placed = work_tree.place_files(&self.carried)?;
        let obstacle = obstacle.or(placed.obstacle);
        Ok(Prepared { patch, changes, own: placed.own, obstacle: obstacle.map(|why| (Stage::Setup, why)) })
    }
}
