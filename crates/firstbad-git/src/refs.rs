//! Refs and their short names.

use std::time::Duration;

use firstbad::Error;

use crate::git;
use crate::repository::Repository;

/// A ref at the time it was read.
#[derive(Debug, Clone)]
pub(crate) struct Ref {
    /// `HEAD` or the full name.
    pub(crate) name: String,
    /// The object that the ref points to: usually a commit or an annotated tag.
    pub(crate) target: String,
    /// The object that an annotated tag finally points to.
    pub(crate) peeled: Option<String>,
}

impl Ref {
    /// Returns the final object, usually a commit.
    pub(crate) fn object(&self) -> &str {
        self.peeled.as_deref().unwrap_or(&self.target)
    }

    /// Returns whether the ref is a default tip of a graph: `HEAD`, a local or remote branch, or a tag.
    pub(crate) fn is_tip(&self) -> bool {
        self.name == "HEAD" || FOLDERS.iter().any(|folder| self.name.starts_with(folder))
    }

    /// Returns the short name and its rank. If several refs have the same short name, Git uses the lowest rank.
    pub(crate) fn short(&self) -> Option<(usize, &str)> {
        if self.name == "HEAD" {
            return Some((0, "HEAD"));
        }
        let (rank, short) = FOLDERS
            .iter()
            .enumerate()
            .find_map(|(rank, folder)| self.name.strip_prefix(folder).map(|short| (rank + 1, short)))?;
        match short.strip_suffix("/HEAD") {
            // `origin` is short for refs/remotes/origin/HEAD.
            Some(remote) if self.name.starts_with("refs/remotes/") => Some((FOLDERS.len() + 1, remote)),
            _ => Some((rank, short)),
        }
    }
}

/// The namespaces in the order in which Git looks up short names.
const FOLDERS: [&str; 3] = ["refs/tags/", "refs/heads/", "refs/remotes/"];

/// The time limit for finding a tag, and the maximum length of its name.
const LOOKING: Duration = Duration::from_secs(5);
const MOST_NAME: u64 = 1 << 12;

impl Repository {
    /// Returns the full id of the commit with the nearest tag before a commit. Returns `None` if there is no such tag, or if Git
    /// takes too long.
    #[must_use]
    pub fn last_tag(&self, commit: &str) -> Option<String> {
        let mut command = self.git();
        command.args(["describe", "--tags", "--abbrev=0", &format!("{commit}^")]);
        let name = git::output_within(&mut command, b"", LOOKING, MOST_NAME).ok()?;
        self.resolve(&format!("refs/tags/{}", String::from_utf8(name).ok()?.trim_end())).ok()
    }

    /// Returns all refs sorted by name, with `HEAD` first if it points to an object.
    ///
    /// # Errors
    /// [`Error::Git`], for example if a ref points to a missing object.
    pub(crate) fn refs(&self) -> Result<Vec<Ref>, Error> {
        let mut command = self.git();
        command.args(["show-ref", "--head", "--dereference"]);
        let (error, text) = git::finished(&mut command, b"")?;
        if let Some(error) = error {
            // If there are no refs, `git show-ref` exits with 1 and prints nothing.
            let silent = matches!(&error, Error::Git { message } if message.starts_with("it ended without a word"));
            return if silent { Ok(Vec::new()) } else { Err(error) };
        }
        let mut refs: Vec<Ref> = Vec::new();
        for line in text.split(|&byte| byte == b'\n') {
            // Names that are not UTF-8 cannot be passed as options either.
            let Some((id, name)) = std::str::from_utf8(line).ok().and_then(|line| line.split_once(' ')) else {
                continue;
            };
            match (name.strip_suffix("^{}"), refs.last_mut()) {
                (Some(tag), Some(last)) if last.name == tag => last.peeled = Some(id.to_owned()),
                _ => refs.push(Ref { name: name.to_owned(), target: id.to_owned(), peeled: None }),
            }
        }
        Ok(refs)
    }
}
