//! Fetching of missing objects, if the user allows it: the rest of a shallow history, and the contents of revisions in a partial
//! clone.
//!
//! Only this module writes to the user's repository and accesses the network. No program that the repository's configuration
//! names is run. Settings for credentials and ssh come from the user's and system configuration. The repository's own
//! configuration determines only the names and URLs of remotes.

use std::ffi::OsString;
use std::process::Command;

use firstbad::Error;

use crate::git;
use crate::repository::Repository;

/// The allowed protocols.
const WAYS: [&str; 5] = ["file", "git", "http", "https", "ssh"];

/// How often to fetch missing objects of one revision: its trees, their contents, and once more.
const ROUNDS: usize = 4;

/// The maximum number of commits in an error.
const NAMED: usize = 5;

/// Returns whether a message of `git fetch` is about a network problem, which may be temporary.
pub fn is_network(words: &str) -> bool {
    const SIGNS: [&str; 17] = [
        "could not resolve host",
        "couldn't resolve host",
        "could not resolve hostname",
        "temporary failure in name resolution",
        "unable to look up",
        "failed to connect",
        "couldn't connect",
        "connection refused",
        "connection reset",
        "connection timed out",
        "connection closed",
        "network is unreachable",
        "no route to host",
        "operation timed out",
        "the remote end hung up",
        "early eof",
        "returned error: 5",
    ];
    let words = words.to_lowercase();
    SIGNS.iter().any(|sign| words.contains(sign))
}

/// Returns the listed commits at which the history was cut off, up to the number that an error names.
fn cut_off(listed: &[u8], boundary: &[String]) -> Vec<String> {
    let listed = String::from_utf8_lossy(listed);
    let is_cut = |root: &&str| boundary.iter().any(|cut| cut == root);
    listed.lines().filter(is_cut).take(NAMED).map(str::to_owned).collect()
}

impl Repository {
    /// Checks that a search back from `newer` does not mistake the end of a shallow clone for the start of the history. Each
    /// revision in `newer` must have one of `older` or its complete history among its ancestors. `argument` is the name of
    /// `older` in errors.
    ///
    /// # Errors
    /// - [`Error::Shallow`] if the history is cut off.
    /// - [`Error::UnknownRevision`], [`Error::Git`], or [`Error::Io`] if the repository cannot be read.
    pub fn check_beginning(&self, argument: &str, older: &[String], newer: &[String]) -> Result<(), Error> {
        let boundary = self.boundary()?;
        if boundary.is_empty() {
            return Ok(());
        }
        let (starts, ends) = (self.resolve_all("bad", newer)?, self.resolve_all(argument, older)?);
        for (name, start) in newer.iter().zip(starts) {
            let mut is_held = false;
            for end in &ends {
                // Swapped endpoints are a different error, which the search reports.
                is_held |= self.is_ancestor(end, &start)? || self.is_ancestor(&start, end)?;
            }
            if is_held {
                continue;
            }
            let roots = git::output(self.git().args(["rev-list", "--max-parents=0", &start, "--"]), b"")?;
            let commits = cut_off(&roots, &boundary);
            if !commits.is_empty() {
                let given = match older {
                    [] => "nothing is given".to_owned(),
                    _ => format!("{} is not an ancestor of {name} here", older.join(", ")),
                };
                return Err(Error::Shallow { argument: argument.to_owned(), given, commits });
            }
        }
        Ok(())
    }

    /// Checks that no commit between `older` and `newer` is missing, for searches that examine all of them. In a shallow clone, a
    /// merged branch that was cut off may contain the culprit. `argument` is the name of `older` in errors.
    ///
    /// # Errors
    /// - [`Error::Shallow`] if commits are missing.
    /// - [`Error::UnknownRevision`], [`Error::Git`], or [`Error::Io`] if the repository cannot be read.
    pub fn check_between(
        &self,
        argument: &str,
        older: &[String],
        newer: &[String],
        first_parent: bool,
    ) -> Result<(), Error> {
        let boundary = self.boundary()?;
        if boundary.is_empty() {
            return Ok(());
        }
        let (starts, ends) = (self.resolve_all("bad", newer)?, self.resolve_all(argument, older)?);
        let mut command = self.git();
        command.args(["rev-list", "--max-parents=0"]).args(first_parent.then_some("--first-parent"));
        let roots = git::output(command.args(starts).arg("--not").args(ends).arg("--"), b"")?;
        let commits = cut_off(&roots, &boundary);
        if commits.is_empty() {
            return Ok(());
        }
        let given = match older {
            [] => "nothing is given".to_owned(),
            _ => format!("some commits between {} and {} are missing here", newer.join(", "), older.join(", ")),
        };
        Err(Error::Shallow { argument: argument.to_owned(), given, commits })
    }

    /// Returns whether `older` is `newer` or one of its ancestors in this clone.
    fn is_ancestor(&self, older: &str, newer: &str) -> Result<bool, Error> {
        let answer = git::ended(self.git().args(["merge-base", "--is-ancestor", older, newer]), b"")?;
        Ok(answer.status.success())
    }

    /// Fetches the rest of a shallow history if [allowed](Repository::fetching). Does nothing in a complete clone.
    ///
    /// # Errors
    /// [`Error::Git`] if fetching fails or there is no remote.
    pub fn complete_history(&self) -> Result<(), Error> {
        if !self.fetches() || !self.is_shallow() {
            return Ok(());
        }
        let _turn = self.turn();
        // Another thread may have fetched it in the meantime.
        if !self.is_shallow() {
            return Ok(());
        }
        let remote = self.remote()?;
        let mut fetch = self.fetch()?;
        fetch.args(["--unshallow", "--upload-pack", "git-upload-pack", "--", &remote]);
        git::output(&mut fetch, b"").map(|_| ())
    }

    /// Makes sure that a partial clone has all objects of some commits. Missing objects are fetched together if
    /// [allowed](Repository::fetching). Does nothing in other clones.
    ///
    /// # Errors
    /// - [`Error::MissingObjects`] if objects are missing and may not be fetched.
    /// - [`Error::Retry`] if the network fails.
    /// - [`Error::Git`] if Git fails.
    pub fn complete_revisions(&self, commits: &[&str]) -> Result<(), Error> {
        let (Some(remote), Some(commit)) = (self.promisor(), commits.first()) else { return Ok(()) };
        let mut missing = self.missing(commits)?;
        for _ in 0..ROUNDS {
            if missing.is_empty() {
                return Ok(());
            }
            if !self.fetches() {
                break;
            }
            // Two threads would fetch the same objects, because Git only locks packs.
            let _turn = self.turn();
            missing = self.missing(commits)?;
            self.fetch_objects(remote, commit, &missing)?;
            missing = self.missing(commits)?;
        }
        if missing.is_empty() {
            return Ok(());
        }
        Err(Error::MissingObjects { revision: (*commit).to_owned(), count: missing.len() })
    }

    /// Returns the objects of these commits that a partial clone lacks. Objects inside a missing tree are unknown.
    fn missing(&self, commits: &[&str]) -> Result<Vec<String>, Error> {
        let mut command = self.git();
        command.args(["rev-list", "--objects", "--no-walk", "--missing=print", "--stdin"]);
        let input: String = commits.iter().flat_map(|&id| [id, "\n"]).collect();
        let listed = git::output(&mut command, input.as_bytes())?;
        Ok(String::from_utf8_lossy(&listed)
            .lines()
            .filter_map(|line| line.strip_prefix('?'))
            .map(str::to_owned)
            .collect())
    }

    /// Fetches objects as Git would do on demand.
    fn fetch_objects(&self, remote: &str, commit: &str, objects: &[String]) -> Result<(), Error> {
        if objects.is_empty() {
            return Ok(());
        }
        let mut fetch = self.fetch()?;
        fetch.args(["--no-tags", "--filter=blob:none", "--upload-pack", "git-upload-pack", "--stdin", "--", remote]);
        let input: String = objects.iter().flat_map(|id| [id.as_str(), "\n"]).collect();
        git::output(&mut fetch, input.as_bytes()).map(|_| ()).map_err(|error| match error {
            Error::Git { message } if is_network(&message) => {
                Error::Retry { revision: commit.to_owned(), reason: message, output: "none".to_owned() }
            }
            error => error,
        })
    }

    /// Returns the remote of the current branch, or else the only remote or `origin`.
    pub(crate) fn remote(&self) -> Result<String, Error> {
        let said = |arguments: &[&str]| -> Vec<String> {
            let text = git::output(self.git().args(arguments), b"").unwrap_or_default();
            String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
        };
        let branch = said(&["symbolic-ref", "--quiet", "--short", "HEAD"]);
        let tracked = branch.first().map(|branch| said(&["config", "--get", &format!("branch.{branch}.remote")]));
        let remotes = said(&["remote"]);
        let is_remote = |name: &&String| remotes.contains(name);
        if let Some(remote) = tracked.iter().flatten().find(is_remote) {
            return Ok(remote.clone());
        }
        match &remotes[..] {
            [only] => Ok(only.clone()),
            _ => remotes.iter().find(|name| *name == "origin").cloned().ok_or_else(|| {
                let place = self.path().display();
                let message =
                    format!("{place} has no remote to fetch from\nhelp: set one with git branch --set-upstream-to");
                Error::Git { message }
            }),
        }
    }

    /// Returns a `git fetch` command for the user's repository that runs no configured program and uses only protocols in
    /// [`WAYS`].
    fn fetch(&self) -> Result<Command, Error> {
        let mut command = git::own(self.path());
        command.arg("--git-dir").arg(self.git_dir());
        command.env("GIT_ALLOW_PROTOCOL", ways(std::env::var("GIT_ALLOW_PROTOCOL").ok().as_deref()));
        let settings = self.settings()?;
        let ssh = std::env::var_os("GIT_SSH_COMMAND").or_else(|| {
            std::env::var_os("GIT_SSH").map(|program| {
                let quoted = program.to_string_lossy().replace('\'', "'\\''");
                OsString::from(format!("'{quoted}'"))
            })
        });
        let ssh = ssh.or_else(|| last(&settings, "core.sshcommand").map(OsString::from));
        // Without this option, ssh asks on the terminal.
        command.env("GIT_SSH_COMMAND", ssh.unwrap_or_else(|| "ssh -o BatchMode=yes".into()));
        if std::env::var_os("GIT_PROXY_COMMAND").is_none() {
            // Git uses the first value of this setting, which may come from the repository. An empty value means no proxy.
            command.env("GIT_PROXY_COMMAND", "");
        }
        command.arg("-c").arg(format!("core.askPass={}", last(&settings, "core.askpass").unwrap_or("false")));
        // An empty helper removes the earlier ones, including those of the repository. The user's helpers are added again after
        // it.
        let helpers = settings.iter().filter(|(key, _)| key.starts_with("credential."));
        let reset = std::iter::once(("credential.helper".to_owned(), String::new()));
        let given: u32 =
            std::env::var("GIT_CONFIG_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or_default();
        let mut count = given;
        for (key, value) in reset.chain(helpers.cloned()) {
            command.env(format!("GIT_CONFIG_KEY_{count}"), key).env(format!("GIT_CONFIG_VALUE_{count}"), value);
            count += 1;
        }
        command.env("GIT_CONFIG_COUNT", count.to_string());
        command.args(["fetch", "--quiet", "--no-recurse-submodules", "--no-write-fetch-head"]);
        Ok(command)
    }

    /// Returns the settings for remotes from all scopes except the repository, in Git's order: system, user, environment.
    fn settings(&self) -> Result<Vec<(String, String)>, Error> {
        let mut command = Command::new("git");
        for name in git::REDIRECTING {
            command.env_remove(name);
        }
        command.current_dir(self.path()).arg("--git-dir").arg(self.git_dir());
        command.args(["config", "--null", "--show-scope", "--get-regexp"]);
        command.arg(r"^(credential\..*|core\.sshcommand|core\.askpass)$");
        // Git exits with 1 if there are no such settings.
        let (_, text) = git::finished(&mut command, b"")?;
        let mut words = text.split(|&byte| byte == 0).map(String::from_utf8_lossy);
        let mut found = Vec::new();
        while let (Some(scope), Some(entry)) = (words.next(), words.next()) {
            let (key, value) = entry.split_once('\n').unwrap_or((&entry, ""));
            if !matches!(&*scope, "local" | "worktree") {
                found.push((key.to_owned(), value.to_owned()));
            }
        }
        Ok(found)
    }
}

fn last<'a>(settings: &'a [(String, String)], key: &str) -> Option<&'a str> {
    settings
        .iter()
        .rev()
        .find(|(name, _)| name == key)
        .map(|(_, value)| value.as_str())
        .filter(|value| !value.is_empty())
}

/// Returns the allowed protocols, restricted to those in the user's `GIT_ALLOW_PROTOCOL`.
fn ways(users: Option<&str>) -> String {
    let is_theirs = |way: &&&str| users.is_none_or(|users| users.split(':').any(|theirs| theirs == **way));
    WAYS.iter().filter(is_theirs).copied().collect::<Vec<_>>().join(":")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protocols_are_limited_by_firstbad_and_the_user() {
        assert_eq!(ways(None), "file:git:http:https:ssh");
        assert_eq!(ways(Some("https:ext:ssh")), "https:ssh");
        assert_eq!(ways(Some("")), "");
    }

    #[test]
    fn network_errors_are_recognized() {
        for (words, is) in [
            ("fatal: unable to access 'https://x/': Could not resolve host: x", true),
            ("ssh: connect to host x port 22: Connection refused", true),
            ("error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502", true),
            ("fatal: unable to access 'https://x/': The requested URL returned error: 403", false),
            ("fatal: repository 'https://x/' not found", false),
            ("fatal: transport 'ext' not allowed", false),
        ] {
            assert_eq!(is_network(words), is, "{words}");
        }
    }
}
