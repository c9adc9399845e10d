//! Authors and messages of commits.

use std::process::Command;

use firstbad::Error;
use firstbad_platform::files;

use crate::git;
use crate::repository::Repository;

/// The author, committer, and message of a commit.
#[derive(Debug)]
pub(crate) struct Authored {
    /// Name, email, and date of the author and of the committer, in the format of Git's environment variables.
    people: [[Vec<u8>; 3]; 2],
    pub(crate) message: Vec<u8>,
}

impl Authored {
    /// For commits that are never shown.
    pub(crate) fn nobody() -> Authored {
        let nobody = || [b"firstbad".to_vec(), b"firstbad@localhost".to_vec(), b"1000000000 +0000".to_vec()];
        Authored { people: [nobody(), nobody()], message: b"A side of a merge\n".to_vec() }
    }

    /// Reads the author, committer, and message of a commit.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
    pub(crate) fn of(repository: &Repository, commit: &str) -> Result<Authored, Error> {
        let mut command = repository.git();
        command.args(["show", "-s", "--no-show-signature", "--encoding=UTF-8", "--date=raw"]);
        command.args(["--format=%an%x00%ae%x00%ad%x00%cn%x00%ce%x00%cd%x00%B", commit, "--"]);
        let text = git::output(&mut command, b"")?;
        let fields: Vec<&[u8]> = text.splitn(7, |&byte| byte == 0).collect();
        let [an, ae, ad, cn, ce, cd, message] = fields[..] else {
            return Err(Error::Git { message: format!("cannot understand the output of git show {commit}") });
        };
        // Git adds a line break after the message.
        let message = message.strip_suffix(b"\n").unwrap_or(message);
        let people = [[an, ae, ad], [cn, ce, cd]].map(|[name, email, date]| [named(name), named(email), dated(date)]);
        Ok(Authored { people, message: message.to_vec() })
    }

    /// Sets the environment variables for `git commit-tree`.
    pub(crate) fn sign(&self, command: &mut Command) {
        for (role, person) in ["AUTHOR", "COMMITTER"].into_iter().zip(&self.people) {
            for (what, value) in ["NAME", "EMAIL", "DATE"].into_iter().zip(person) {
                command.env(format!("GIT_{role}_{what}"), files::name_of_vec(value.clone()));
            }
        }
    }
}

/// Git rejects an empty name.
fn named(text: &[u8]) -> Vec<u8> {
    if text.is_empty() { b"unknown".to_vec() } else { text.to_vec() }
}

/// Converts a date (`<seconds> <zone>`) for Git, which accepts no dates before 1970 and needs an `@` before small numbers.
fn dated(raw: &[u8]) -> Vec<u8> {
    let raw = String::from_utf8_lossy(raw);
    let (seconds, zone) = raw.split_once(' ').unwrap_or((&raw, "+0000"));
    let seconds = git::seconds(seconds).unwrap_or_default().clamp(0, LATEST);
    format!("@{seconds} {zone}").into_bytes()
}

/// The end of the year 9999. Only broken tools write later dates.
const LATEST: i64 = 253_402_300_799;
