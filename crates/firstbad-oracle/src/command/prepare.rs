//! Prepares a worktree for a test.

use std::collections::BTreeSet;
use std::path::PathBuf;

use firstbad::{Error, Patch, Stage};

use super::CommandOracle;
use crate::worktree::submodules;
use crate::worktree::work_tree::{Preparation, WorkTree};

/// The result of preparing a worktree.
pub(crate) struct Prepared {
    /// The file with the patch, if there is one.
    pub(crate) patch: Option<PathBuf>,
    /// The number of changes in the patch.
    pub(crate) changes: Option<usize>,
    /// The files that the revision has itself, so firstbad did not copy them.
    pub(crate) own: BTreeSet<String>,
    /// The stage that prevents the test, and a description.
    pub(crate) obstacle: Option<(Stage, String)>,
}

impl Prepared {
    /// Describes a worktree that stays as an earlier run left it.
    pub(crate) fn kept() -> Prepared {
        Prepared { patch: None, changes: None, own: BTreeSet::new(), obstacle: None }
    }
}

impl CommandOracle {
    /// Puts the revision, the fixups, the patch, the submodules, and the copied files into a worktree.
    ///
    /// # Errors
    /// [`Error::PatchConflict`] if the patch does not apply, [`Error::Git`], [`Error::Io`], [`Error::Interrupted`].
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
