//! The metadata of commits.

use std::collections::BTreeMap;

use firstbad::{Commit, Error, shortened};

use crate::git;
use crate::repository::Repository;

impl Repository {
    /// Returns the full id and the metadata of the commit that `revision` refers to.
    ///
    /// # Errors
    /// See [`Repository::resolve`].
    pub fn commit(&self, revision: &str) -> Result<(String, Commit), Error> {
        let sha = self.resolve(revision)?;
        let mut found = self.commits([sha.as_str()])?;
        found.pop_first().ok_or_else(|| Error::Git { message: format!("git printed nothing about commit {sha}") })
    }

    /// Returns the full ids of a revision's parents, first parent first. A root commit has none. Parents beyond the end of a
    /// shallow clone are left out.
    ///
    /// # Errors
    /// See [`Repository::resolve`].
    pub fn parents(&self, revision: &str) -> Result<Vec<String>, Error> {
        let sha = self.resolve(revision)?;
        let text = git::output(self.git().args(["rev-parse", &format!("{sha}^@")]), b"")?;
        let mut parents: Vec<String> = Vec::new();
        for parent in String::from_utf8_lossy(&text).lines() {
            // A commit may name a parent twice, but the graph contains it once.
            if !parents.iter().any(|known| known == parent) {
                parents.push(parent.to_owned());
            }
        }
        Ok(parents)
    }

    /// Returns the metadata of commits by full id, with one call of Git. Missing commits and abbreviated ids are left out.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails or its output cannot be parsed.
    pub fn commits<'a>(&self, shas: impl IntoIterator<Item = &'a str>) -> Result<BTreeMap<String, Commit>, Error> {
        let is_full = |sha: &&str| matches!(sha.len(), 40 | 64) && sha.bytes().all(|byte| byte.is_ascii_hexdigit());
        let wanted: String = shas.into_iter().filter(is_full).flat_map(|sha| [sha, "\n"]).collect();
        if wanted.is_empty() {
            return Ok(BTreeMap::new());
        }
        let mut command = self.git();
        command.args(["rev-list", "--no-walk=unsorted", "--ignore-missing", "--encoding=UTF-8"]);
        command.args(["--format=%aI%n%cI%n%an%n%ae%n%s", "--stdin"]);
        let text = git::output(&mut command, wanted.as_bytes())?;
        let text = String::from_utf8_lossy(&text);
        // Each commit has six lines, and the first is `commit <id>`. No field can contain a line break.
        let mut lines = text.split('\n');
        let mut commits = BTreeMap::new();
        while let Some(sha) = lines.next().and_then(|line| line.strip_prefix("commit ")) {
            let unclear = || Error::Git { message: format!("cannot understand git rev-list about commit {sha}") };
            let mut line = || lines.next().map(str::to_owned).ok_or_else(unclear);
            // Older versions of Git print UTC as an offset. For dates before 1970 or after the year 2^31, Git prints the placeholder.
            let mut time = || {
                line().map(|time| match time.strip_suffix("+00:00") {
                    Some(time) => format!("{time}Z"),
                    None if time.starts_with('%') => String::new(),
                    None => time,
                })
            };
            let (author_date, commit_date) = (time()?, time()?);
            let (author, email, subject) = (line()?, line()?, line()?);
            // Longer texts would push the rest of the report off the screen.
            let [subject, author] = [subject, author].map(|name| shortened(&name).to_owned());
            let known = Commit { subject, author, email, author_date, commit_date, ..Commit::default() };
            commits.insert(sha.to_owned(), known);
        }
        Ok(commits)
    }
}
