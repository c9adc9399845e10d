use serde::{Deserialize, Serialize};

/// A description of a commit. Its texts come from the author and must be escaped before they are shown.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commit {
    /// The first line of the commit message, at most 200 characters.
    pub subject: String,
    /// The name of the author, at most 200 characters.
    pub author: String,
    /// The author's e-mail address, or an empty string if it is unknown.
    #[serde(default)]
    pub email: String,
    /// The author date in ISO 8601, to the second, with the author's UTC offset.
    pub author_date: String,
    /// The commit date in ISO 8601, to the second, with the committer's UTC offset.
    pub commit_date: String,
    /// The changes against the first parent. They are read only for culprits.
    #[serde(default)]
    pub changed: Option<CommitStats>,
    /// The URL of the commit, if the remote is a known forge that has the commit.
    #[serde(default)]
    pub url: Option<String>,
    /// The URL of the pull or merge request, if the message of the commit or of its merge commit names one.
    #[serde(default)]
    pub request_url: Option<String>,
    /// The submodules that the commit updates. They are read only for culprits.
    #[serde(default)]
    pub submodules: Vec<SubmoduleChange>,
}

/// The size of a commit's changes.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommitStats {
    /// The number of changed files.
    pub files: usize,
    /// The number of added lines. Binary files count as zero.
    pub added: u64,
    /// The number of deleted lines. Binary files count as zero.
    pub deleted: u64,
    /// The ten files with the most changed lines, largest first.
    pub largest: Vec<FileStats>,
}

/// A file that a commit changed.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileStats {
    /// The path of the file, relative to the top folder.
    pub path: String,
    /// The number of added lines.
    pub added: u64,
    /// The number of deleted lines.
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
    /// The number of new submodule commits, or 0 if they are not available.
    pub commits: usize,
    /// The newest submodule commits, at most five, each as an abbreviated id and a subject.
    pub newest: Vec<String>,
}

impl Commit {
    /// Returns the author date without the time: `2026-01-31`.
    #[must_use]
    pub fn day(&self) -> &str {
        self.author_date.split('T').next().unwrap_or_default()
    }

    /// Returns the number of the pull or merge request, such as `#812`, from its URL or from the subject.
    #[must_use]
    pub fn request(&self) -> Option<String> {
        let number = |text: &str| {
            let is_number = (1..=10).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit());
            is_number.then(|| text.to_owned())
        };
        if let Some((start, last)) = self.request_url.as_ref().and_then(|url| url.rsplit_once('/')) {
            let sign = if start.ends_with("merge_requests") { '!' } else { '#' };
            return Some(format!("{sign}{}", number(last)?));
        }
        let subject = self.subject.trim_end();
        let merged = || number(subject.strip_prefix("Merge pull request #")?.split(' ').next()?);
        let squashed = subject.strip_suffix(')').and_then(|subject| number(subject.rsplit_once("(#")?.1));
        squashed.or_else(merged).map(|number| format!("#{number}"))
    }

    /// Returns the author date in the format of `git show --date=iso`: `2026-01-31 00:00:00 +0100`.
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
    fn requests_are_named_by_their_url_or_subject() {
        let of = |subject: &str, url: Option<&str>| {
            let request_url = url.map(str::to_owned);
            Commit { subject: subject.to_owned(), request_url, ..Commit::default() }.request()
        };
        assert_eq!(of("Round halves (#305)", None).as_deref(), Some("#305"));
        assert_eq!(of("Merge pull request #7 from a/b", None).as_deref(), Some("#7"));
        assert_eq!(of("Any", Some("https://github.com/a/b/pull/12")).as_deref(), Some("#12"));
        assert_eq!(of("Any", Some("https://gitlab.com/a/b/-/merge_requests/3")).as_deref(), Some("!3"));
        for subject in ["Round (#812), again", "Fix #3", "(#)", "(#12345678901)", "(#1a)", "Fixes (#x) and #5"] {
            assert_eq!(of(subject, None), None, "{subject}");
        }
    }

    #[test]
    fn times_keep_the_offset_of_the_author() {
        let written = |date: &str| Commit { author_date: date.to_owned(), ..Commit::default() };
        let of = |date| (written(date).day().to_owned(), written(date).written());
        assert_eq!(of("2005-04-07T15:13:13-07:00"), ("2005-04-07".into(), "2005-04-07 15:13:13 -0700".into()));
        assert_eq!(of("2005-04-07T15:13:13Z").1, "2005-04-07 15:13:13 +0000");
        assert_eq!(of("yesterday").1, "yesterday");
    }
}
