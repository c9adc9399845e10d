//! Patches between two revisions, independent of the user's configuration.

use std::process::Command;

use firstbad::Error;

use crate::git;
use crate::repository::Repository;

/// Settings of `git diff-tree` that no option overrides.
pub(crate) const FIXED: [&str; 6] =
    ["-c", "core.attributesFile=/dev/null", "-c", "core.quotePath=true", "-c", "diff.suppressBlankEmpty=false"];

/// The format of patches. It is Git's default, plus full object names, binary content, and renames, so that every patch can be
/// applied and stays small.
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
    /// Returns the patch between the trees of two revisions, as from `git diff old new` with full object names, binary content,
    /// renames, and three lines of context. [`firstbad::Patch::parse`] parses it.
    ///
    /// The patch does not depend on the user's configuration, and no configured program is run. The attributes of `new` decide
    /// which files are binary. The patch is empty if both trees are equal. It is read into memory, whatever its size.
    ///
    /// # Errors
    /// - [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] for `old` or `new`.
    /// - [`Error::MissingObjects`] in a partial clone.
    /// - [`Error::Git`] if Git fails.
    pub fn diff(&self, old: &str, new: &str) -> Result<Vec<u8>, Error> {
        self.diff_from(Some(old), new)
    }

    /// Returns a patch like [`Repository::diff`] that is suitable for taking apart. Each new line follows the old line that it
    /// replaces ([`firstbad::patch::interleaved`]), so any subset of the changes keeps the order of lines.
    ///
    /// # Errors
    /// See [`Repository::diff`].
    pub fn diff_to_reduce(&self, old: &str, new: &str) -> Result<Vec<u8>, Error> {
        Ok(firstbad::patch::interleaved(&self.diff(old, new)?))
    }

    /// Returns the patch from the empty tree to a revision, which creates all its files. These are the changes of a root commit.
    ///
    /// # Errors
    /// See [`Repository::diff`].
    pub fn diff_root(&self, new: &str) -> Result<Vec<u8>, Error> {
        self.diff_from(None, new)
    }

    /// Returns the patch from `old`, or from the empty tree if `None`, to `new`.
    fn diff_from(&self, old: Option<&str>, new: &str) -> Result<Vec<u8>, Error> {
        let old = match old {
            Some(old) => self.resolve_as("old", old)?,
            None => self.empty_tree().to_owned(),
        };
        let new = self.resolve_as("new", new)?;
        // Every repository has the empty tree.
        let old_commit = (old != self.empty_tree()).then_some(old.as_str());
        self.complete_revisions(&[new.as_str()].into_iter().chain(old_commit).collect::<Vec<_>>())?;
        Repository::diff_trees(self.git(), &old, &new)
    }

    /// Returns the patch between two trees or commits. `git` must see their objects.
    pub(crate) fn diff_trees(mut git: Command, old: &str, new: &str) -> Result<Vec<u8>, Error> {
        git
            // The attributes of the revision decide which files are binary, not those of the machine or the checkout.
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_ATTR_SOURCE", new)
            // The variable would override the options.
            .env_remove("GIT_DIFF_OPTS")
            .args(FIXED)
            .arg("diff-tree")
            .args(OPTIONS)
            .args([old, new])
            .arg("--");
        git::output(&mut git, b"")
    }

    /// Returns the id of the empty tree, which Git knows without storing it.
    fn empty_tree(&self) -> &'static str {
        match self.object_format() {
            "sha1" => "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            _ => "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
        }
    }
}
