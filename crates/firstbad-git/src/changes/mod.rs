//! The changes of the commits between two revisions, with one call of Git to list the commits and one to describe them.

mod parse;
mod touched;

use std::process::Command;
use std::str::FromStr;
use std::time::Duration;

use firstbad::Error;
use firstbad::suspicion::Changelist;

use self::parse::{COMMIT, parsed};
use crate::diff::FIXED;
use crate::git;
use crate::repository::Repository;

/// The changes that are attributed to a merge commit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Merges {
    /// Files that differ from all parents. Other changes of a merged branch belong to the commits of the branch.
    #[default]
    Own,
    /// All differences from the first parent. Only first parents are followed, and the changes of a merged branch belong to the
    /// merge.
    FirstParent,
}

impl Merges {
    /// Returns the options of `git diff-tree` for merges.
    fn shown(self) -> &'static [&'static str] {
        match self {
            Merges::Own => &["-c", "--combined-all-paths"],
            Merges::FirstParent => &["--diff-merges=first-parent"],
        }
    }
}

impl FromStr for Merges {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "own" => Ok(Merges::Own),
            "first-parent" => Ok(Merges::FirstParent),
            _ => Err(Error::invalid("merges", name, "\"own\" or \"first-parent\"")),
        }
    }
}

/// The option to count lines.
const COUNTED: &str = "--numstat";

/// The option for partial clones. Counting lines and detecting renames needs file contents, which would be fetched one by one.
const UNCOUNTED: &str = "--no-renames";

/// The maximum output to read from one Git process, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// The default time limit for Git.
const PATIENCE: Duration = Duration::from_secs(3600);

/// Options that override the user's configuration.
const OPTIONS: [&str; 14] = [
    "--stdin",
    "-r",
    "-z",
    "--always",
    "--raw",
    "-M50%",
    // Empty files are all alike, so a rename between them means nothing.
    "--no-rename-empty",
    "-l1000",
    "--no-ext-diff",
    "--no-textconv",
    "--diff-algorithm=myers",
    "--submodule=short",
    "--ignore-submodules=none",
    "--encoding=UTF-8",
];

impl Repository {
    /// Returns the changes of each commit that is reachable from `bad` but not from `good`, parents before children.
    ///
    /// Renames are detected by Git if half of the lines are equal. In a commit with more than 1,000 possible pairs, only files
    /// moved without changes count. Merges without changes of their own are left out. In a partial clone, lines are not counted
    /// and renames are not detected, because both need file contents.
    ///
    /// # Errors
    /// - [`Error::InvalidArgument`] if `bad` is empty.
    /// - [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] for `good` or `bad`.
    /// - [`Error::MissingObjects`] in a clone without trees.
    /// - [`Error::Git`] if Git fails or prints more than 1 GiB.
    pub fn changes(&self, good: &[String], bad: &[String], merges: Merges) -> Result<Vec<Changelist>, Error> {
        if bad.is_empty() {
            return Err(Error::invalid("bad", bad, "at least one revision"));
        }
        let good = self.resolve_all("good", good)?;
        let bad = self.resolve_all("bad", bad)?;
        let listed = self.listed(&good, &bad, merges)?;
        self.changes_within(&listed, &bad[0], merges, self.promisor().is_none(), PATIENCE)
    }

    /// Returns the changes of the listed commits, one full id per line, within a time limit. Files have the attributes of the
    /// revision `attributes`. `contents` says whether file contents are available to count lines and detect renames.
    pub(crate) fn changes_within(
        &self,
        listed: &[u8],
        attributes: &str,
        merges: Merges,
        contents: bool,
        within: Duration,
    ) -> Result<Vec<Changelist>, Error> {
        if listed.is_empty() {
            return Ok(Vec::new());
        }
        let mut command = self.diff_tree(attributes);
        command.args(["--root", if contents { COUNTED } else { UNCOUNTED }]).args(merges.shown());
        let text = git::output_within(&mut command, listed, within, MOST_BYTES);
        parsed(&text.map_err(|error| self.lacking(attributes, error))?)
    }

    /// Converts an error of `git diff-tree`. Some partial clones also lack trees.
    fn lacking(&self, newest: &str, error: Error) -> Error {
        match self.promisor() {
            Some(_) => Error::MissingObjects { revision: newest.to_owned(), count: 1 },
            None => error,
        }
    }

    /// Returns the `git diff-tree` command whose output [`parsed`] reads. The attributes of `newest` decide which files are
    /// binary, not those of the checkout.
    fn diff_tree(&self, newest: &str) -> Command {
        let mut command = self.git();
        command
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_ATTR_SOURCE", newest)
            .env_remove("GIT_DIFF_OPTS")
            .args(FIXED)
            .arg("diff-tree")
            .args(OPTIONS)
            .arg(format!("--format={COMMIT}%H%n%P%n%an%n%ae%n%ct%n%B"));
        command
    }

    /// Returns the full ids of the commits between two sets of revisions, one per line, parents first.
    fn listed(&self, good: &[String], bad: &[String], merges: Merges) -> Result<Vec<u8>, Error> {
        let mut command = self.git();
        command.args(["rev-list", "--topo-order", "--reverse", "--stdin"]);
        if merges == Merges::FirstParent {
            command.arg("--first-parent");
        }
        let revisions: String =
            bad.iter().map(|sha| format!("{sha}\n")).chain(good.iter().map(|sha| format!("^{sha}\n"))).collect();
        git::output(&mut command, revisions.as_bytes())
    }
}
