//! What a clone does not have, fetched where the user allows it: the rest of a shallow history, and what a revision of a
//! partial clone holds.
//!
//! It is the one place where git writes into the user's repository and goes to the network for it. Still no program runs that
//! the repository's own configuration names: what the user's and the system's configuration say of credentials and of ssh
//! counts, and of the repository's only where the remote is and what it is called.

use std::ffi::OsString;
use std::process::Command;

use firstbad::Error;

use crate::git;
use crate::repository::Repository;

/// The ways to a remote that are taken.
const WAYS: [&str; 5] = ["file", "git", "http", "https", "ssh"];

/// How often missing objects are fetched for one revision: its folders, what lies in them, and once more.
const ROUNDS: usize = 4;

/// The most commits that an error names.
const NAMED: usize = 5;

/// Whether git's words about a fetch are about the network, which may be there the next time.
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

/// Those of the commits that git listed at which the history was cut off, as many as an error names.
fn cut_off(listed: &[u8], boundary: &[String]) -> Vec<String> {
    let listed = String::from_utf8_lossy(listed);
    let is_cut = |root: &&str| boundary.iter().any(|cut| cut == root);
    listed.lines().filter(is_cut).take(NAMED).map(str::to_owned).collect()
}

impl Repository {
    /// Checks that a search from `newer` back does not take the place where a shallow clone was cut off for the beginning of the
    /// history: each of `newer` has one of `older` among its ancestors, or all of them. `argument` is what `older` are called.
    ///
    /// # Errors
    /// [`Error::Shallow`]; [`Error::UnknownRevision`], [`Error::Git`], [`Error::Io`].
    pub fn check_beginning(&self, argument: &str, older: &[String], newer: &[String]) -> Result<(), Error> {
        let boundary = self.boundary()?;
        if boundary.is_empty() {
            return Ok(());
        }
        let (starts, ends) = (self.resolve_all("bad", newer)?, self.resolve_all(argument, older)?);
        for (name, start) in newer.iter().zip(starts) {
            let mut is_held = false;
            for end in &ends {
                // Ends that were exchanged are another mistake, and not one of the clone.
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
                    _ => format!("{} is no ancestor of {name} here", older.join(", ")),
                };
                return Err(Error::Shallow { argument: argument.to_owned(), given, commits });
            }
        }
        Ok(())
    }

    /// Checks that all is here that `newer` come from and `older` do not, where a search looks at all of it: a clone that is cut off
    /// on a branch that was merged in between may lack the commit that is looked for. `argument` is what `older` are called.
    ///
    /// # Errors
    /// [`Error::Shallow`]; [`Error::UnknownRevision`], [`Error::Git`], [`Error::Io`].
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
            _ => format!("what leads to {} and not to {} is not all here", newer.join(", "), older.join(", ")),
        };
        Err(Error::Shallow { argument: argument.to_owned(), given, commits })
    }

    /// Whether a commit is another one, or one of its ancestors, as far as they are here.
    fn is_ancestor(&self, older: &str, newer: &str) -> Result<bool, Error> {
        let answer = git::ended(self.git().args(["merge-base", "--is-ancestor", older, newer]), b"")?;
        Ok(answer.status.success())
    }

    /// Fetches the rest of a shallow clone's history, if that is [allowed](Repository::fetching); does nothing to a whole one.
    ///
    /// # Errors
    /// [`Error::Git`] where it cannot be fetched, or there is no remote to fetch it from.
    pub fn complete_history(&self) -> Result<(), Error> {
        if !self.fetches() || !self.is_shallow() {
            return Ok(());
        }
        let _turn = self.turn();
        // Somebody else may have fetched it meanwhile.
        if !self.is_shallow() {
            return Ok(());
        }
        let remote = self.remote()?;
        let mut fetch = self.fetch()?;
        fetch.args(["--unshallow", "--upload-pack", "git-upload-pack", "--", &remote]);
        git::output(&mut fetch, b"").map(|_| ())
    }

    /// Sees to it that a partial clone has all that some commits hold: what is missing is fetched, all at once, if that is
    /// [allowed](Repository::fetching). Other clones are not looked at.
    ///
    /// # Errors
    /// [`Error::MissingObjects`]; [`Error::Retry`] where the network is to blame; [`Error::Git`].
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
            // Two runs would fetch the same; git's lock is on packs alone.
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

    /// The objects that a partial clone does not have of what commits hold; what lies in a missing folder is not known.
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

    /// Fetches objects as git itself would, were it allowed to.
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

    /// The remote of the branch that is checked out; without one the only remote there is, or `origin`.
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
                    format!("there is no remote to fetch from in {place}; git branch --set-upstream-to names one");
                Error::Git { message }
            }),
        }
    }

    /// `git fetch` in the user's repository. Of its configuration nothing is run, and no way is taken but [`WAYS`].
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
        // It would ask at the terminal, whatever we say about terminals.
        command.env("GIT_SSH_COMMAND", ssh.unwrap_or_else(|| "ssh -o BatchMode=yes".into()));
        if std::env::var_os("GIT_PROXY_COMMAND").is_none() {
            // Of the settings the first one counts, which may be the repository's. Empty means none.
            command.env("GIT_PROXY_COMMAND", "");
        }
        command.arg("-c").arg(format!("core.askPass={}", last(&settings, "core.askpass").unwrap_or("false")));
        // An empty helper takes back all that were named before it; then come those that are the user's.
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

    /// What everybody but the repository itself says of how to reach a remote, in git's order: the system, the user, the
    /// environment.
    fn settings(&self) -> Result<Vec<(String, String)>, Error> {
        let mut command = Command::new("git");
        for name in git::REDIRECTING {
            command.env_remove(name);
        }
        command.current_dir(self.path()).arg("--git-dir").arg(self.git_dir());
        command.args(["config", "--null", "--show-scope", "--get-regexp"]);
        command.arg(r"^(credential\..*|core\.sshcommand|core\.askpass)$");
        // It ends with 1 if there is nothing.
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

/// The ways that are ours, and the user's where the user names some.
fn ways(users: Option<&str>) -> String {
    let is_theirs = |way: &&&str| users.is_none_or(|users| users.split(':').any(|theirs| theirs == **way));
    WAYS.iter().filter(is_theirs).copied().collect::<Vec<_>>().join(":")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_ways_than_both_allow() {
        assert_eq!(ways(None), "file:git:http:https:ssh");
        assert_eq!(ways(Some("https:ext:ssh")), "https:ssh");
        assert_eq!(ways(Some("")), "");
    }

    #[test]
    fn what_the_network_is_to_blame_for() {
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
