//! Applies patches to worktrees.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use firstbad::patch::ChangeKind;
use firstbad::{Error, Observation, Outcome, Patch, Stage, printable};
use firstbad_git::{apply, git};
use firstbad_platform::{files, trees};

use super::work_tree::{Preparation, WorkTree};
use crate::judging::signature::Signatures;

/// The mode of `git apply`.
#[derive(Clone, Copy)]
enum Way {
    Apply,
    Check,
    CheckReverse,
}

impl WorkTree {
    /// Applies a patch to the index and to the files of the worktree. Returns a file with the patch. The next
    /// [`WorkTree::prepare`] removes the changes.
    ///
    /// # Errors
    /// [`Error::PatchConflict`], [`Error::Git`], [`Error::Io`], [`Error::Interrupted`].
    pub(crate) fn apply(&self, patch: &Patch, how: &mut Preparation<'_, '_>) -> Result<PathBuf, Error> {
        let path = self.written(patch, "patch")?;
        if !patch.is_empty() {
            self.change(patch, &path, how)?;
        }
        Ok(path)
    }

    /// Applies a patch unless the revision already contains it.
    ///
    /// # Errors
    /// The errors of [`WorkTree::apply`].
    pub(crate) fn fix_up(&self, patch: &Patch, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        let path = self.written(patch, "fixup")?;
        if patch.is_empty() || self.has(patch, &path, how)? {
            return Ok(());
        }
        self.change(patch, &path, how)
    }

    fn written(&self, patch: &Patch, extension: &str) -> Result<PathBuf, Error> {
        let path = self.beside(extension);
        trees::fresh(&path)
            .and_then(|mut file| file.write_all(patch.as_bytes()))
            .map_err(|error| git::io(format!("writing {}", path.display()), &error))?;
        Ok(path)
    }

    /// Returns whether the worktree contains a patch, which means that the patch can be reverted. For a patch that only removes
    /// lines and has no context, this can be wrong.
    fn has(&self, patch: &Patch, path: &Path, how: &mut Preparation<'_, '_>) -> Result<bool, Error> {
        let mut can = |way| match self.run(&mut self.git_apply(patch, path, way), how) {
            Ok(()) => Ok(true),
            Err(Error::Git { .. }) => Ok(false),
            Err(error) => Err(error),
        };
        let takes = |kind| matches!(kind, ChangeKind::Removed | ChangeKind::Deletion);
        Ok(can(Way::CheckReverse)? && (patch.changes().any(|change| !takes(change.kind)) || !can(Way::Check)?))
    }

    fn change(&self, patch: &Patch, path: &Path, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        self.run(&mut self.git_apply(patch, path, Way::Apply), how).map_err(|error| match error {
            Error::Git { .. } => apply::conflict(patch, &self.words()).unwrap_or(error),
            other => other,
        })?;
        self.remove_gone(how)?;
        self.run(self.git().args(["checkout-index", "--all", "--force", "--index", "--quiet"]), how)
    }

    /// Removes files of the revision that the index no longer has. They are now untracked and may be ignored. The list comes from
    /// the index and not from the patch, because a patch can be malicious.
    fn remove_gone(&self, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        let listing = ["diff-index", "--cached", "--no-renames", "--diff-filter=D", "--name-only", "-z", "HEAD", "--"];
        let gone = git::output(self.git().args(listing), b"")?;
        if gone.is_empty() {
            return Ok(());
        }
        let folder = self
            .open()
            .map_err(|error| git::io(format!("opening the worktree {}", self.folder().display()), &error))?;
        for path in gone.split(|&byte| byte == 0).filter(|path| !path.is_empty()) {
            // `git clean` removes everything else.
            let _ = folder.remove_file(&files::path_of(path));
        }
        self.clean(how)
    }

    /// Updates the index first. Git refuses to patch a file of the worktree that it considers modified, such as a file whose line
    /// endings differ from its attributes.
    fn git_apply(&self, patch: &Patch, path: &Path, way: Way) -> Command {
        let mut apply = apply::to_index(self.git(), patch);
        match way {
            Way::Apply => {}
            Way::Check => _ = apply.arg("--check"),
            Way::CheckReverse => _ = apply.args(["--check", "--reverse"]),
        }
        apply.arg("--").arg(path);
        apply
    }
}

/// Returns the observation of a revision to which a patch does not apply. It is unresolved, and its note has the file and the
/// hunk. Because no command ran, there are no `seconds` and no `output`.
pub(crate) fn unresolved(conflict: &Error, signatures: &Signatures, tree: &Path) -> Observation {
    let words = conflict.to_string();
    Observation {
        stage: Some(Stage::Patch),
        signature: Some(signatures.sign_words(&words, tree)),
        note: Some(printable(&words)),
        ran: false,
        ..Observation::new(Outcome::Unresolved)
    }
}
