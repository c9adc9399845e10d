//! What the commits between two revisions changed: one call of git that lists them, and one that says what they did.

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

/// What a merge is held to have changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Merges {
    /// Its own: files that differ from all of its parents. What came with a branch belongs to the commits of the
    /// branch.
    #[default]
    Own,
    /// All that differs from its first parent; only first parents are followed, and what came with a branch is the
    /// merge's.
    FirstParent,
}

impl Merges {
    /// How git is told to show them.
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

/// Has git count lines.
const COUNTED: &str = "--numstat";

/// Has git look at no contents. A partial clone has not those that it takes to count lines and to find renames, and one by one they
/// would be fetched for hours.
const UNCOUNTED: &str = "--no-renames";

/// The most that is read of what one git says of changes.
const MOST_BYTES: u64 = 1 << 30;

/// The longest that git may take where nobody says how long he waits.
const PATIENCE: Duration = Duration::from_secs(3600);

/// How changes are shown, whatever anybody has configured.
const OPTIONS: [&str; 14] = [
    "--stdin",
    "-r",
    "-z",
    "--always",
    "--raw",
    "-M50%",
    // One empty file is as good as another.
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
    /// What each commit changed that is reachable from `bad` and not from `good`, parents before children, with git's own
    /// detection of renames: half of the lines alike, and of a commit with more than 1,000 possible pairs only files that
    /// were moved as they are. Merges that changed nothing by themselves are left out. In a partial clone neither lines nor
    /// renames are looked for: that takes the contents.
    ///
    /// # Errors
    /// [`Error::MissingObjects`] in a clone without folders;
    /// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] that name `good` or `bad`;
    /// [`Error::InvalidArgument`] without `bad`; [`Error::Git`], also where git says more than 1 GiB of them.
    pub fn changes(&self, good: &[String], bad: &[String], merges: Merges) -> Result<Vec<Changelist>, Error> {
        if bad.is_empty() {
            return Err(Error::invalid("bad", bad, "at least one revision"));
        }
        let good = self.resolve_all("good", good)?;
        let bad = self.resolve_all("bad", bad)?;
        let listed = self.listed(&good, &bad, merges)?;
        self.changes_within(&listed, &bad[0], merges, self.promisor().is_none(), PATIENCE)
    }

    /// The same for commits that are listed, a full sha a line, where git may take so long; files have the attributes that they
    /// have at `attributes`. Lines are counted and renames found if `contents` are here, as in a partial clone they need not be.
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

    /// The error of a git that has looked at changes: some partial clones have not even the folders.
    fn lacking(&self, newest: &str, error: Error) -> Error {
        match self.promisor() {
            Some(_) => Error::MissingObjects { revision: newest.to_owned(), count: 1 },
            None => error,
        }
    }

    /// git's account of commits that it is given on its standard input, as [`parsed`] reads it. `newest` says which files
    /// are binary, not what is checked out.
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

    /// The shas of the commits between, a line each, parents first.
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
