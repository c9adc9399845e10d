//! What a commit says of itself: its author, its message, its parents.

use firstbad::Error;

use crate::git;
use crate::repository::Repository;

/// What a commit says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The full sha.
    pub sha: String,
    /// The first line of its message.
    pub subject: String,
    /// Who wrote it, without the address.
    pub author: String,
    /// When it was committed, in seconds since 1970.
    pub time: i64,
}

impl Repository {
    /// What the commit that `revision` means says of itself.
    ///
    /// # Errors
    /// Those of [`Repository::resolve`].
    pub fn commit(&self, revision: &str) -> Result<Commit, Error> {
        let sha = self.resolve(revision)?;
        let mut found = self.commits([sha.as_str()])?;
        found.pop().ok_or_else(|| Error::Git { message: format!("no answer about commit {sha}") })
    }

    /// The full shas of a revision's parents, first parent first; none for a root commit. What a shallow clone does
    /// not have is no parent.
    ///
    /// # Errors
    /// As [`Repository::resolve`].
    pub fn parents(&self, revision: &str) -> Result<Vec<String>, Error> {
        let sha = self.resolve(revision)?;
        let text = git::output(self.git().args(["rev-parse", &format!("{sha}^@")]), b"")?;
        let mut parents: Vec<String> = Vec::new();
        for parent in String::from_utf8_lossy(&text).lines() {
            // A commit may name one twice; in the graph it has it once.
            if !parents.iter().any(|known| known == parent) {
                parents.push(parent.to_owned());
            }
        }
        Ok(parents)
    }

    /// What commits say of themselves, by their full shas, in one go. Those that the repository does not have are left
    /// out, and so is what is no full sha.
    ///
    /// # Errors
    /// [`Error::Git`].
    pub fn commits<'a>(&self, shas: impl IntoIterator<Item = &'a str>) -> Result<Vec<Commit>, Error> {
        let is_full = |sha: &&str| matches!(sha.len(), 40 | 64) && sha.bytes().all(|byte| byte.is_ascii_hexdigit());
        let wanted: String = shas.into_iter().filter(is_full).flat_map(|sha| [sha, "\n"]).collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let mut command = self.git();
        command.args(["rev-list", "--no-walk=unsorted", "--ignore-missing", "--encoding=UTF-8"]);
        command.args(["--format=%ct%n%an%n%s", "--stdin"]);
        let text = git::output(&mut command, wanted.as_bytes())?;
        let text = String::from_utf8_lossy(&text);
        // Four lines for each, the first of which says "commit" and the sha; none of them can hold a line end.
        let mut lines = text.split('\n');
        let mut commits = Vec::new();
        while let Some(sha) = lines.next().and_then(|line| line.strip_prefix("commit ")) {
            let unclear = || Error::Git { message: format!("cannot understand git rev-list about commit {sha}") };
            let mut line = || lines.next().ok_or_else(unclear);
            let (time, author, subject) = (line()?.parse().map_err(|_| unclear())?, line()?, line()?);
            commits.push(Commit { sha: sha.to_owned(), subject: subject.to_owned(), author: author.to_owned(), time });
        }
        Ok(commits)
    }
}
