//! What people know a commit by.

use serde::{Deserialize, Serialize};

/// What people know a commit by. The texts are whatever its author wrote: what shows them makes them harmless.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commit {
    /// The first line of the commit message, cut to 200 characters.
    pub subject: String,
    /// The name of the author, cut to 200 characters.
    pub author: String,
    /// The author's e-mail address; empty if it is not known.
    #[serde(default)]
    pub email: String,
    /// When it was written (git's author date): ISO 8601, to the second, with the author's own offset from UTC, as
    /// `git show` has it.
    pub author_date: String,
    /// When it got its place in the history (git's commit date), likewise with the committer's offset.
    pub commit_date: String,
    /// What it changed, against its first parent; of commits that are to blame, where it could be read.
    #[serde(default)]
    pub changed: Option<Changed>,
    /// Its page at the forge that the repository was cloned from, where that is a known one and has the commit.
    #[serde(default)]
    pub url: Option<String>,
    /// The page of the pull or merge request that it was part of, likewise: its message names it, or that of a merge that brought it.
    #[serde(default)]
    pub request_url: Option<String>,
    /// The submodules that it updates to other commits, read for the same commits as `changed`.
    #[serde(default)]
    pub submodules: Vec<SubmoduleChange>,
}

/// What a commit changed, counted.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changed {
    /// How many files.
    pub files: usize,
    /// How many lines it added; binary files have none.
    pub added: u64,
    /// How many lines it deleted.
    pub deleted: u64,
    /// The files with the most lines changed, the most first: at most ten.
    pub largest: Vec<ChangedFile>,
}

/// A file that a commit changed.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangedFile {
    /// Its name, seen from the top folder.
    pub path: String,
    /// How many lines were added.
    pub added: u64,
    /// How many lines were deleted.
    pub deleted: u64,
}

/// A submodule that a commit updates to another commit.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubmoduleChange {
    /// The path of the submodule, relative to the top folder.
    pub path: String,
    /// The commit of the submodule before the update.
    pub before: String,
    /// The commit of the submodule after the update.
    pub after: String,
    /// The number of submodule commits that came in, or 0 if they are not available.
    pub commits: usize,
    /// The newest of these commits, at most five, each as an abbreviated id and a subject.
    pub newest: Vec<String>,
}

impl Commit {
    /// The day on which it was written: `2026-01-31`.
    #[must_use]
    pub fn day(&self) -> &str {
        self.author_date.split('T').next().unwrap_or_default()
    }

    /// When it was written, as `git show --date=iso` has it: `2026-01-31 00:00:00 +0100`.
    #[must_use]
    pub fn written(&self) -> String {
        let Some((day, time)) = self.author_date.split_once('T') else { return self.author_date.clone() };
        let utc = time.strip_suffix('Z').map(|time| format!("{day} {time} +0000"));
        utc.unwrap_or_else(|| match time.rfind(['+', '-']) {
            Some(at) => format!("{day} {} {}", &time[..at], time[at..].replace(':', "")),
            None => format!("{day} {time}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_that_of_the_author() {
        let written = |date: &str| Commit { author_date: date.to_owned(), ..Commit::default() };
        let of = |date| (written(date).day().to_owned(), written(date).written());
        assert_eq!(of("2005-04-07T15:13:13-07:00"), ("2005-04-07".into(), "2005-04-07 15:13:13 -0700".into()));
        assert_eq!(of("2005-04-07T15:13:13Z").1, "2005-04-07 15:13:13 +0000");
        assert_eq!(of("yesterday").1, "yesterday");
    }
}
