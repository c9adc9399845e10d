//! What the commits between two revisions changed: one call of git that lists them, and one that says what they did.

use std::collections::HashSet;
use std::str::FromStr;

use firstbad::Error;
use firstbad::suspicion::Changelist;

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
const OPTIONS: [&str; 15] = [
    "--stdin",
    "-r",
    "-z",
    "--root",
    "--always",
    "--raw",
    "--numstat",
    "-M50%",
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
    /// What each commit changed that is reachable from `bad` and not from `good`, parents before children. Renames are
    /// followed. Merges that changed nothing by themselves are left out.
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
        if listed.is_empty() {
            return Ok(Vec::new());
        }
        let mut command = self.git();
        command
            // Whether a file is binary is for the newest revision to say, not for what is checked out.
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_ATTR_SOURCE", &bad[0])
            .env_remove("GIT_DIFF_OPTS")
            .args(FIXED)
            .arg("diff-tree")
            .args(OPTIONS)
            .arg(format!("--format={COMMIT}%H%n%P%n%an%n%ae%n%ct%n%B"));
        match merges {
            Merges::Own => command.args(["-c", "--combined-all-paths"]),
            Merges::FirstParent => command.arg("--diff-merges=first-parent"),
        };
        let text = git::output(&mut command, &listed)?;
        parsed(&text)
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
            // `:100644 100644 <id> <id> R100`, then the names; with two parents or more a `:` for each, and a name in
            // each and one in the commit.
            let parents = token.iter().take_while(|&&byte| byte == b':').count();
            let status = token.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
            let names = match (parents, status.first()) {
                (1, Some(b'R' | b'C')) => 2,
                (1, _) => 1,
                _ => parents + 1,
            };
            let copied = parents == 1 && status.first() == Some(&b'C');
            for number in 0..names {
                let name = path()?;
                // A copy does nothing to what it was made from.
                if !(copied && number == 0) {
                    draft.touch(name);
                }
            }
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
        let change = Changelist { id, author, email, time: time.parse().ok()?, message, ..Changelist::default() };
        Some(ChangelistBuilder { change, merge: parents.contains(' '), seen: HashSet::new(), counted: Vec::new() })
    }

    fn touch(&mut self, file: String) {
        if self.seen.insert(file.clone()) {
            self.change.files.push(file);
        }
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
            }
        }
        Some(change)
    }
}
