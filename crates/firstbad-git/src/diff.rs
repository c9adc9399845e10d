//! The patch from one revision's tree to another's, the same whatever anybody has configured.

use std::process::Command;

use firstbad::Error;

use crate::git;
use crate::repository::Repository;

/// Configuration that `git diff-tree` would listen to, and that no option of its own overrides.
pub(crate) const FIXED: [&str; 6] =
    ["-c", "core.attributesFile=/dev/null", "-c", "core.quotePath=true", "-c", "diff.suppressBlankEmpty=false"];

/// Everything else that says how a patch looks, at git's own defaults but for complete object names, binary content
/// and renames, without which a patch could not be applied or would be larger than what was done.
const OPTIONS: [&str; 18] = [
    "-r",
    "-p",
    "-U3",
    "--inter-hunk-context=0",
    "-M50%",
    "-l1000",
    "--full-index",
    "--binary",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--diff-algorithm=myers",
    "--indent-heuristic",
    "--submodule=short",
    "--ignore-submodules=none",
    "--no-commit-id",
];

impl Repository {
    /// The patch from one revision's tree to another's, in git's words: `git diff old new` with full object names,
    /// binary content, renames and three lines of context. [`firstbad::Patch::parse`] reads it.
    ///
    /// It is the same whatever the user has configured, and nothing that is configured is run. Whether a file is
    /// binary is for the attributes of `new` to say. Empty if both have the same tree; read into memory as a whole,
    /// however long it is.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] that name `old` or `new`;
    /// [`Error::MissingObjects`] in a partial clone; [`Error::Git`].
    pub fn diff(&self, old: &str, new: &str) -> Result<Vec<u8>, Error> {
        self.diff_from(Some(old), new)
    }

    /// As [`Repository::diff`], to be taken apart: each new line stands directly behind the old one whose place it takes
    /// ([`firstbad::patch::interleaved`]), so that with any part of the patch lines stay in their order.
    ///
    /// # Errors
    /// Those of [`Repository::diff`].
    pub fn diff_to_reduce(&self, old: &str, new: &str) -> Result<Vec<u8>, Error> {
        Ok(firstbad::patch::interleaved(&self.diff(old, new)?))
    }

    /// As [`Repository::diff`] from the empty tree: the patch that creates everything a revision has. That is what a
    /// root commit changes.
    ///
    /// # Errors
    /// Those of [`Repository::diff`].
    pub fn diff_root(&self, new: &str) -> Result<Vec<u8>, Error> {
        self.diff_from(None, new)
    }

    /// The patch from `old` (the empty tree if `None`) to `new`.
    fn diff_from(&self, old: Option<&str>, new: &str) -> Result<Vec<u8>, Error> {
        let old = match old {
            Some(old) => self.resolve_as("old", old)?,
            None => self.empty_tree().to_owned(),
        };
        let new = self.resolve_as("new", new)?;
        // The empty tree is everywhere.
        let old_commit = (old != self.empty_tree()).then_some(old.as_str());
        self.complete_revisions(&[new.as_str()].into_iter().chain(old_commit).collect::<Vec<_>>())?;
        Repository::diff_trees(self.git(), &old, &new)
    }

    /// The patch from one tree to another, by their ids or those of commits, of which `git` sees the objects.
    pub(crate) fn diff_trees(mut git: Command, old: &str, new: &str) -> Result<Vec<u8>, Error> {
        git
            // Whether a file is binary is for the revision to say, not for the machine or what is checked out.
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_ATTR_SOURCE", new)
            // It would win over the option.
            .env_remove("GIT_DIFF_OPTS")
            .args(FIXED)
            .arg("diff-tree")
            .args(OPTIONS)
            .args([old, new])
            .arg("--");
        git::output(&mut git, b"")
    }

    /// The tree that git knows without having it.
    fn empty_tree(&self) -> &'static str {
        match self.object_format() {
            "sha1" => "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            _ => "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
        }
    }
}
