//! What the commits between two revisions changed: one call of git that lists them, and one that says what they did.

use std::collections::HashSet;
use std::str::FromStr;

use firstbad::Error;
use firstbad::suspicion::{Changelist, FileStatus};

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

/// How changes are shown, whatever anybody has configured.
const OPTIONS: [&str; 16] = [
    "--stdin",
    "-r",
    "-z",
    "--root",
    "--always",
    "--raw",
    "--numstat",
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

/// Begins a commit; neither of the forms that a file is told in begins like it.
const COMMIT: &str = "commit ";

impl Repository {
    /// What each commit changed that is reachable from `bad` and not from `good`, parents before children, with git's own
    /// detection of renames: half of the lines alike, and of a commit with more than 1,000 possible pairs only files that
    /// were moved as they are. Merges that changed nothing by themselves are left out.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] that name `good` or `bad`;
    /// [`Error::InvalidArgument`] without `bad`; [`Error::Git`].
    pub fn changes(&self, good: &[String], bad: &[String], merges: Merges) -> Result<Vec<Changelist>, Error> {
        if bad.is_empty() {
            return Err(Error::invalid("bad", bad, "at least one revision"));
        }
        let good = self.resolve_all("good", good)?;
        let bad = self.resolve_all("bad", bad)?;
        let listed = self.listed(&good, &bad, merges)?;
        self.changes_of(&listed, &bad[0], merges)
    }

    /// The same for commits that are listed, a full sha a line; files have the attributes that they have at `attributes`.
    pub(crate) fn changes_of(&self, listed: &[u8], attributes: &str, merges: Merges) -> Result<Vec<Changelist>, Error> {
        if listed.is_empty() {
            return Ok(Vec::new());
        }
        let mut command = self.git();
        command
            // Whether a file is binary is for the newest revision to say, not for what is checked out.
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_ATTR_SOURCE", attributes)
            .env_remove("GIT_DIFF_OPTS")
            .args(FIXED)
            .arg("diff-tree")
            .args(OPTIONS)
            .arg(format!("--format={COMMIT}%H%n%P%n%an%n%ae%n%ct%n%B"));
        match merges {
            Merges::Own => command.args(["-c", "--combined-all-paths"]),
            Merges::FirstParent => command.arg("--diff-merges=first-parent"),
        };
        let text = git::output(&mut command, listed)?;
        parsed(&text)
    }

    /// The shas of the commits between, a line each, parents first.
    pub(crate) fn listed(&self, good: &[String], bad: &[String], merges: Merges) -> Result<Vec<u8>, Error> {
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

fn parsed(text: &[u8]) -> Result<Vec<Changelist>, Error> {
    let mut changes = Vec::new();
    let mut current: Option<ChangelistBuilder> = None;
    let mut tokens = text.split(|&byte| byte == 0);
    while let Some(token) = tokens.next() {
        // git sets a line end before the first file of a commit.
        let token = token.strip_prefix(b"\n").unwrap_or(token);
        let mut path = || {
            let path = tokens.next().ok_or_else(|| not_understood(token))?;
            Ok::<_, Error>(String::from_utf8_lossy(path).into_owned())
        };
        if token.is_empty() {
            continue;
        }
        if token.starts_with(COMMIT.as_bytes()) {
            changes.extend(current.take().and_then(ChangelistBuilder::finish));
            current =
                Some(ChangelistBuilder::begin(&String::from_utf8_lossy(token)).ok_or_else(|| not_understood(token))?);
            continue;
        }
        let Some(draft) = &mut current else { return Err(not_understood(token)) };
        if token[0] == b':' {
            // `:100644 100644 <id> <id> R100`, then the names; with two parents or more a `:` for each, a letter for each
            // (`MR`), and a name in each and one in the commit.
            let parents = token.iter().take_while(|&&byte| byte == b':').count();
            let letters = token.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
            let letters: Vec<u8> = letters.iter().copied().filter(u8::is_ascii_alphabetic).collect();
            let before = if parents > 1 { parents } else { usize::from(matches!(letters[..], [b'R' | b'C'])) };
            let olds: Vec<String> = (0..before).map(|_| path()).collect::<Result<_, _>>()?;
            draft.touch(olds, path()?, &letters);
        } else {
            // `added\tdeleted\tname`; of a renamed file the names follow. Binary files have `-`.
            let mut fields = token.splitn(3, |&byte| byte == b'\t');
            let mut number = || lines(fields.next()?);
            let (Some(added), Some(deleted)) = (number(), number()) else { return Err(not_understood(token)) };
            let name = match fields.next() {
                Some([]) => {
                    path()?;
                    path()?
                }
                Some(name) => String::from_utf8_lossy(name).into_owned(),
                None => return Err(not_understood(token)),
            };
            draft.counted.push((name, added, deleted));
        }
    }
    changes.extend(current.and_then(ChangelistBuilder::finish));
    Ok(changes)
}

/// A count of lines; `-` for a binary file, which has none. `None` if it is no count.
fn lines(field: &[u8]) -> Option<u64> {
    if field == b"-" {
        return Some(0);
    }
    std::str::from_utf8(field).ok()?.parse().ok()
}

fn not_understood(token: &[u8]) -> Error {
    let shown: String = String::from_utf8_lossy(token).chars().take(80).collect();
    Error::Git { message: format!("cannot understand git diff-tree, which said {shown:?}") }
}

/// A commit while its files are read.
struct ChangelistBuilder {
    change: Changelist,
    merge: bool,
    seen: HashSet<String>,
    /// Lines by file. Of merges git counts against the first parent, whatever files it lists.
    counted: Vec<(String, u64, u64)>,
}

impl ChangelistBuilder {
    fn begin(header: &str) -> Option<ChangelistBuilder> {
        let mut lines = header.strip_prefix(COMMIT)?.splitn(6, '\n');
        let mut line = || lines.next().map(str::to_owned);
        let (id, parents, author, email, time) = (line()?, line()?, line()?, line()?, line()?);
        let message = line().unwrap_or_default().trim_end().to_owned();
        let parents: Vec<String> = parents.split_whitespace().map(str::to_owned).collect();
        let merge = parents.len() > 1;
        let time = time.parse().ok()?;
        let change = Changelist { id, parents, author, email, time, message, ..Changelist::default() };
        Some(ChangelistBuilder { change, merge, seen: HashSet::new(), counted: Vec::new() })
    }

    /// A file, with its names in the parents, if they may be others, and a letter for each parent.
    fn touch(&mut self, olds: Vec<String>, new: String, letters: &[u8]) {
        let all = |letter: u8| !letters.is_empty() && letters.iter().all(|&one| one == letter);
        for (old, letter) in olds.into_iter().zip(letters) {
            // A copy does nothing to what it was made from.
            if *letter == b'R' && old != new {
                self.mark(&old, FileStatus::Deleted);
                self.change.renames.insert(old, new.clone());
            }
        }
        let status = match () {
            () if all(b'D') => FileStatus::Deleted,
            () if letters.iter().all(|letter| matches!(letter, b'A' | b'R' | b'C')) => FileStatus::Added,
            () => FileStatus::Modified,
        };
        self.mark(&new, status);
    }

    fn mark(&mut self, file: &str, status: FileStatus) {
        if self.seen.insert(file.to_owned()) {
            self.change.files.push(file.to_owned());
        }
        self.change.statuses.insert(file.to_owned(), status);
    }

    /// The change; `None` for a merge that changed nothing by itself.
    fn finish(self) -> Option<Changelist> {
        let ChangelistBuilder { mut change, merge, seen, counted } = self;
        if merge && change.files.is_empty() {
            return None;
        }
        for (file, added, deleted) in counted {
            if seen.contains(&file) {
                change.added += added;
                change.deleted += deleted;
                change.counts.insert(file, (added, deleted));
            }
        }
        Some(change)
    }
}
