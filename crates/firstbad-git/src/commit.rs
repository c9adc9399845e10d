//! What a commit says of itself.

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
        let mut command = self.git();
        command.args(["rev-list", "--no-walk", "--encoding=UTF-8", "--format=%ct%n%an%n%s", &sha]);
        let text = git::output(&mut command, b"")?;
        let text = String::from_utf8_lossy(&text);
        // The line before says "commit" and the sha.
        let mut lines = text.lines().skip(1);
        let time = lines.next().and_then(|line| line.parse().ok());
        let time = time.ok_or_else(|| Error::Git { message: format!("no answer about commit {sha}") })?;
        let mut line = || lines.next().unwrap_or_default().to_owned();
        let author = line();
        Ok(Commit { sha, subject: line(), author, time })
    }
}
