//! Branches, tags and all other refs, and the short names that git gives them.

use std::time::Duration;

use firstbad::Error;

use crate::git;
use crate::repository::Repository;

/// One ref, as it was when it was read.
#[derive(Debug, Clone)]
pub(crate) struct Ref {
    /// `HEAD` or the full name.
    pub(crate) name: String,
    /// What it points to: a commit, or an annotated tag, or (rarely) anything else.
    pub(crate) target: String,
    /// What the annotated tag stands for in the end.
    pub(crate) peeled: Option<String>,
}

impl Ref {
    /// What stands at the end of it; normally a commit.
    pub(crate) fn object(&self) -> &str {
        self.peeled.as_deref().unwrap_or(&self.target)
    }

    /// Whether it is a default tip of a graph: `HEAD`, a branch (a remote one too) or a tag.
    pub(crate) fn is_tip(&self) -> bool {
        self.name == "HEAD" || FOLDERS.iter().any(|folder| self.name.starts_with(folder))
    }

    /// The name that people use, and how weak it is: of several refs with one short name git takes the lowest.
    pub(crate) fn short(&self) -> Option<(usize, &str)> {
        if self.name == "HEAD" {
            return Some((0, "HEAD"));
        }
        let (rank, short) = FOLDERS
            .iter()
            .enumerate()
            .find_map(|(rank, folder)| self.name.strip_prefix(folder).map(|short| (rank + 1, short)))?;
        match short.strip_suffix("/HEAD") {
            // refs/remotes/origin/HEAD is what "origin" means.
            Some(remote) if self.name.starts_with("refs/remotes/") => Some((FOLDERS.len() + 1, remote)),
            _ => Some((rank, short)),
        }
    }
}

/// In the order in which git looks for a short name.
const FOLDERS: [&str; 3] = ["refs/tags/", "refs/heads/", "refs/remotes/"];

/// How long to look for a tag, and how long its name may be.
const LOOKING: Duration = Duration::from_secs(5);
const MOST_NAME: u64 = 1 << 12;

impl Repository {
    /// The full sha of the commit with the nearest tag before a commit, which is none of its own; `None` if there is no tag
    /// before it, or none was found in time.
    pub(crate) fn last_tag(&self, commit: &str) -> Option<String> {
        let mut command = self.git();
        command.args(["describe", "--tags", "--abbrev=0", &format!("{commit}^")]);
        let name = git::output_within(&mut command, b"", LOOKING, MOST_NAME).ok()?;
        self.resolve(&format!("refs/tags/{}", String::from_utf8(name).ok()?.trim_end())).ok()
    }

    /// All refs and `HEAD` (first, if it points to something), sorted by name.
    ///
    /// # Errors
    /// [`Error::Git`], for instance if a ref points to an object that is missing.
    pub(crate) fn refs(&self) -> Result<Vec<Ref>, Error> {
        let mut command = self.git();
        command.args(["show-ref", "--head", "--dereference"]);
        let (error, text) = git::finished(&mut command, b"")?;
        if let Some(error) = error {
            // show-ref ends with 1 and prints no line if there are no refs.
            let silent = matches!(&error, Error::Git { message } if message.starts_with("it ended without a word"));
            return if silent { Ok(Vec::new()) } else { Err(error) };
        }
        let mut refs: Vec<Ref> = Vec::new();
        for line in text.split(|&byte| byte == b'\n') {
            // A name that is not UTF-8 cannot be given to us as text either.
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
