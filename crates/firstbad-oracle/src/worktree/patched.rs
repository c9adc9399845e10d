//! A patch over a work tree.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use firstbad::patch::ChangeKind;
use firstbad::{Error, Observation, Outcome, Patch, Stage, printable};
use firstbad_git::{apply, git};
use firstbad_platform::{files, trees};

use super::work_tree::{Preparation, WorkTree};
use crate::judging::signature::Signatures;

/// What `git apply` is to do with a patch.
#[derive(Clone, Copy)]
enum Way {
    Apply,
    Check,
    CheckReverse,
}

impl WorkTree {
    /// Applies a patch to the revision that the work tree holds, in the index and in the work tree. Returns a file with
    /// the patch. The next [`WorkTree::prepare`] undoes it like anything that a command has done.
    ///
    /// # Errors
    /// [`Error::PatchConflict`]; [`Error::Git`], [`Error::Io`], [`Error::Interrupted`].
    pub(crate) fn apply(&self, patch: &Patch, how: &mut Preparation<'_, '_>) -> Result<PathBuf, Error> {
        let path = self.written(patch, "patch")?;
        if !patch.is_empty() {
            self.change(patch, &path, how)?;
        }
        Ok(path)
    }

    /// Applies a patch unless the revision has it already.
    ///
    /// # Errors
    /// Those of [`WorkTree::apply`].
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

    /// Whether a patch can be taken back, so that it is there. One that only takes away can be where nothing has
    /// been taken away yet, if it was made without context.
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

    /// Removes from the work tree the files of the revision that the index does not have any more: they are untracked
    /// now, and perhaps ignored. The index says which these are, and not the patch, which anybody may have written.
    fn remove_gone(&self, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        let listing = ["diff-index", "--cached", "--no-renames", "--diff-filter=D", "--name-only", "-z", "HEAD", "--"];
        let gone = git::output(self.git().args(listing), b"")?;
        if gone.is_empty() {
            return Ok(());
        }
        let folder = self
            .open()
            .map_err(|error| git::io(format!("opening the work tree {}", self.folder().display()), &error))?;
        for path in gone.split(|&byte| byte == 0).filter(|path| !path.is_empty()) {
            // What is no file, or not there, is left to `git clean`.
            let _ = folder.remove_file(&files::path_of(path));
        }
        self.clean(how)
    }

    /// First the index alone: git refuses to touch a file of the work tree that it takes for modified, as it does
    /// with any whose line ends are not what the attributes want.
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

/// What is seen of a revision to which a patch does not apply: unresolved, with the file and the hunk in the note. No
/// command was run, so there are neither `seconds` nor `output`.
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
