//! Web pages of commits and pull requests at the forge that a repository was cloned from.

use std::time::Duration;

use crate::git;
use crate::merges;
use crate::repository::Repository;

/// The time limit for finding a remote branch that contains a commit.
const LOOKING: Duration = Duration::from_secs(2);
const MOST_BYTES: u64 = 1 << 16;

/// A forge with its URL scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    GitHub,
    GitLab,
    Bitbucket,
    /// Gitea and Forgejo.
    Gitea,
}

/// A project at a forge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Forge {
    kind: Kind,
    /// The URL of the project's page.
    page: String,
    remote: String,
}

impl Forge {
    /// Returns the forge of the remote to fetch from ([`Repository::remote`]), or `None` if it is unknown.
    pub(crate) fn of(repository: &Repository) -> Option<Forge> {
        let remote = repository.remote().ok()?;
        let mut command = repository.git();
        command.args(["config", "--get", &format!("remote.{remote}.url")]);
        let url = git::output_within(&mut command, b"", LOOKING, MOST_BYTES).ok()?;
        Forge::at(&remote, std::str::from_utf8(&url).ok()?.trim_end())
    }

    /// Returns the forge of a remote URL. Only the host and path are used, so that no password is shown.
    fn at(remote: &str, url: &str) -> Option<Forge> {
        let rest = match url.split_once("://") {
            Some(("https" | "http" | "ssh" | "git", rest)) => rest.to_owned(),
            Some(_) => return None,
            // The form of scp: `user@host:path`.
            None => url.replacen(':', "/", 1),
        };
        let (host, path) = rest.split_once('/')?;
        let host = host.rsplit('@').next()?.split(':').next()?.to_ascii_lowercase();
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let is_plain = |text: &str, more: &str| {
            !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
        };
        if !is_plain(&host, ".-") || !is_plain(path, "._~-/") || !path.contains('/') || path.contains("..") {
            return None;
        }
        let kind = match host.split('.').next()? {
            "github" => Kind::GitHub,
            "gitlab" => Kind::GitLab,
            "bitbucket" => Kind::Bitbucket,
            "codeberg" | "gitea" | "forgejo" => Kind::Gitea,
            _ => return None,
        };
        Some(Forge { kind, page: format!("https://{host}/{path}"), remote: remote.to_owned() })
    }

    /// Returns the pages of a commit and of its pull or merge request. The request is named in the commit's message, or else in
    /// the innermost merge that brought the commit to the remote branch. There is no page for a commit that no remote branch
    /// contains.
    pub(crate) fn pages(&self, repository: &Repository, sha: &str, message: &str) -> (Option<String>, Option<String>) {
        let Some(branch) = self.branch(repository, sha) else { return (None, self.request(message)) };
        let page = match self.kind {
            Kind::GitHub | Kind::Gitea => format!("{}/commit/{sha}", self.page),
            Kind::GitLab => format!("{}/-/commit/{sha}", self.page),
            Kind::Bitbucket => format!("{}/commits/{sha}", self.page),
        };
        let merged = || merges::messages(repository, sha, &branch).iter().find_map(|message| self.request(message));
        (Some(page), self.request(message).or_else(merged))
    }

    /// Returns a remote branch that contains a commit. `HEAD` is listed first, so the main branch is preferred.
    fn branch(&self, repository: &Repository, sha: &str) -> Option<String> {
        let mut command = repository.git();
        let branches = format!("refs/remotes/{}", self.remote);
        command.args(["for-each-ref", "--count=1", "--format=%(refname)", "--contains", sha, &branches]);
        let found = git::output_within(&mut command, b"", LOOKING, MOST_BYTES).ok()?;
        let name = String::from_utf8(found).ok()?.trim_end().to_owned();
        (!name.is_empty()).then_some(name)
    }

    /// Returns the page of the pull or merge request in a message, if the message has the format that the forge writes.
    fn request(&self, message: &str) -> Option<String> {
        let subject = message.lines().next().unwrap_or_default().trim_end();
        let number = |text: &str| -> Option<String> {
            let digits: String = text.chars().take_while(char::is_ascii_digit).take(12).collect();
            (!digits.is_empty()).then_some(digits)
        };
        let squashed = || {
            let (_, last) = subject.rsplit_once("(#")?;
            last.strip_suffix(')').and_then(number).filter(|digits| digits.len() + 1 == last.len())
        };
        match self.kind {
            Kind::GitHub => {
                let merged = subject.strip_prefix("Merge pull request #").and_then(number);
                merged.or_else(squashed).map(|number| format!("{}/pull/{number}", self.page))
            }
            Kind::Gitea => squashed().map(|number| format!("{}/pulls/{number}", self.page)),
            Kind::GitLab => {
                let line = message.lines().rev().find_map(|line| line.strip_prefix("See merge request "))?;
                number(line.rsplit_once('!')?.1).map(|number| format!("{}/-/merge_requests/{number}", self.page))
            }
            Kind::Bitbucket => {
                let (_, rest) = subject.rsplit_once("(pull request #")?;
                number(rest).map(|number| format!("{}/pull-requests/{number}", self.page))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(url: &str) -> Option<String> {
        Forge::at("origin", url).map(|forge| forge.page)
    }

    #[test]
    fn pages_of_remote_urls_contain_no_secrets() {
        let page_of_it = Some("https://github.com/o/r".to_owned());
        for url in [
            "https://github.com/o/r.git",
            "https://user:secret@github.com:443/o/r",
            "git@github.com:o/r.git",
            "ssh://git@github.com:22/o/r.git/",
        ] {
            assert_eq!(page(url), page_of_it, "{url}");
        }
        assert_eq!(
            page("https://gitlab.example.org/group/sub/r.git").as_deref(),
            Some("https://gitlab.example.org/group/sub/r")
        );
        for url in [
            "/srv/git/r.git",
            "https://example.org/o/r",
            "file:///o/r",
            "https://github.com/o",
            "git@github.com:../x/y",
            "https://github.com/o/r\u{1b}[2J",
            "ext::sh -c x",
        ] {
            assert_eq!(page(url), None, "{url}");
        }
    }

    #[test]
    fn request_pages_come_from_messages_written_by_the_forge() {
        let request = |url: &str, message: &str| Forge::at("origin", url).unwrap().request(message);
        let github = |message: &str| request("https://github.com/o/r", message);
        assert_eq!(github("Faster (#12)\n\nmore (#13)").as_deref(), Some("https://github.com/o/r/pull/12"));
        assert_eq!(github("Merge pull request #7 from x/y").as_deref(), Some("https://github.com/o/r/pull/7"));
        assert_eq!((github("Reverts #12"), github("x (#12) y"), github("x (#)")), (None, None, None));
        let gitlab = request("https://gitlab.com/g/r", "Merge branch 'x'\n\nSee merge request g/r!5");
        assert_eq!(gitlab.as_deref(), Some("https://gitlab.com/g/r/-/merge_requests/5"));
        let bitbucket = request("https://bitbucket.org/g/r", "Merged in x (pull request #9)");
        assert_eq!(bitbucket.as_deref(), Some("https://bitbucket.org/g/r/pull-requests/9"));
    }
}
