//! A slice as commits: patches for `git am`, or a branch.

use firstbad::{ChangeSet, Error, Patch};

use super::{Slices, onto};
use crate::git;
use crate::repository::Repository;
use crate::trees::{Authored, Context, Spaces};

/// The part of one commit that a slice contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlicedCommit {
    /// The full id of the commit in the history.
    pub of: String,
    /// The full id of the new commit. Author, dates, and message are those of `of`.
    pub made: String,
    /// A file name for the patch, like that of `git format-patch`: `0001-the-subject.patch`. It contains only letters, digits,
    /// `.`, `_`, and `-`.
    pub name: String,
    /// The patch in the format of `git format-patch`.
    pub patch: Vec<u8>,
}

/// The maximum length of a file name including the extension, as in Git without `format.filenameMaxLength`.
const LONGEST_NAME: usize = 63;

/// Returns the file name that `git format-patch` gives to a patch.
fn file_name(number: usize, message: &[u8]) -> String {
    const END: &str = ".patch";
    let lines = message.split(|&byte| byte == b'\n');
    let subject = lines.map(<[u8]>::trim_ascii).find(|line| !line.is_empty()).unwrap_or_default();
    let mut name = String::new();
    let mut left_out = false;
    for &byte in subject {
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')) {
            left_out = !name.is_empty();
        } else if !(byte == b'.' && name.ends_with('.') && !left_out) {
            if left_out {
                name.push('-');
            }
            left_out = false;
            name.push(char::from(byte));
        }
    }
    let mut name = format!("{number:04}-{}", name.trim_end_matches(['.', '-']));
    name.truncate(LONGEST_NAME - END.len());
    name + END
}

impl Slices {
    /// Returns the commits of a slice on top of the base or of another branch, oldest first. On another branch, each message has the
    /// line of `git cherry-pick -x`. Files outside `paths` and files in `tests` stay as at the
    /// base.
    ///
    /// # Errors
    /// - [`Error::PatchConflict`] if a change cannot be applied.
    /// - [`Error::InvalidArgument`] if there is no change with an index.
    /// - [`Error::Git`] if Git fails.
    pub fn commits(&self, kept: &ChangeSet) -> Result<Vec<SlicedCommit>, Error> {
        let indices: Vec<usize> = kept.iter().collect();
        let mut found: Vec<SlicedCommit> = Vec::new();
        let (mut parent, mut files, mut before) = (self.ground().to_owned(), self.own_tree()?, self.at(&[])?);
        let mut taken = 0;
        while taken < indices.len() {
            let of = &self.change(indices[taken])?.commit;
            // All parts of a commit become one commit again.
            while taken < indices.len() && &self.change(indices[taken])?.commit == of {
                taken += 1;
            }
            let after = self.at(&indices[..taken])?;
            if after == before {
                continue;
            }
            // The tests of the overlay are not part of the commit.
            let patch = Patch::parse(&self.trees.diff(&before, &after)?)?;
            files = self.trees.applied(&files, &patch, Spaces::Count, Context::All)?;
            let mut authored = Authored::of(&self.repository, of)?;
            if self.chain.history.onto.is_some() {
                authored.message = onto::with_origin(&authored.message, of);
            }
            let made = self.trees.commit_as(&files, &parent, &authored)?;
            let name = file_name(found.len() + 1, &authored.message);
            found.push(SlicedCommit { of: of.clone(), name, patch: self.trees.mail(&made)?, made: made.clone() });
            (parent, before) = (made, after);
        }
        Ok(found)
    }

    /// Checks that [`Slices::create_branch`] can create a branch with this name. Front ends check before a long search.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the name is not valid or the branch exists. [`Error::Git`] if Git fails.
    pub fn check_branch(repository: &Repository, name: &str) -> Result<(), Error> {
        let checked = git::ended(repository.git().args(["check-ref-format", "--branch", name]), b"")?;
        if !checked.status.success() || name.starts_with('-') {
            return Err(Error::invalid("name", name, "a valid branch name"));
        }
        let full = format!("refs/heads/{name}");
        let there = git::ended(repository.git().args(["show-ref", "--verify", "--quiet", &full]), b"")?;
        if there.status.success() {
            return Err(Error::invalid("name", name, "the name of a new branch"));
        }
        Ok(())
    }

    /// Creates a branch for a slice in the user's repository, and returns the full id of its last commit.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the name is not valid or the branch exists. Existing branches never change. Also the errors
    /// of [`Slices::commits`].
    pub fn create_branch(&self, name: &str, kept: &ChangeSet) -> Result<String, Error> {
        Slices::check_branch(&self.repository, name)?;
        let commits = self.commits(kept)?;
        let tip = commits.last().map_or_else(|| self.ground().to_owned(), |commit| commit.made.clone());
        if tip != self.ground() {
            let pack = self.trees.pack(&tip, self.ground())?;
            git::output(self.repository.git().args(["unpack-objects", "-q"]), &pack)?;
        }
        // `create` fails if the branch exists by now.
        let line = format!("create refs/heads/{name} {tip}\n");
        git::output(self.repository.git().args(["update-ref", "--stdin"]), line.as_bytes())?;
        Ok(tip)
    }

    fn change(&self, index: usize) -> Result<&super::SliceChange, Error> {
        let most = self.chain.changes.len();
        self.chain.changes.get(index).ok_or_else(|| Error::invalid("kept", index, format!("an index below {most}")))
    }

    /// Returns the tree of some changes.
    fn at(&self, indices: &[usize]) -> Result<String, Error> {
        self.tree(&indices.iter().copied().collect())?.map_err(|conflict| Error::PatchConflict {
            file: self.chain.changes[conflict.change].name(),
            hunk: None,
            message: conflict.words,
        })
    }

    /// Returns the tree of the base or of the other branch.
    pub(super) fn own_tree(&self) -> Result<String, Error> {
        let found = self.repository.tree_ids(&[self.ground().to_owned()])?.pop();
        let unclear = || Error::Git { message: format!("git printed no tree of {}", self.ground()) };
        found.map(|(_, tree)| tree).ok_or_else(unclear)
    }
}
