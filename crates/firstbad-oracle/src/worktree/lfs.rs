//! Files that Git LFS keeps elsewhere: what `git-lfs` has to know in a work tree of our own to get at them.

use std::fmt::Write as _;
use std::path::Path;

use firstbad::Error;
use firstbad_git::{Repository, git};

/// What work trees are told.
pub(crate) struct Lfs {
    /// For their configuration.
    pub(crate) config: String,
    /// For git's environment at a checkout alone: what a server wants to know of the user is in no file of ours.
    pub(crate) headers: Vec<(String, String)>,
}

/// Written as `git lfs install` does.
const FILTER: &str = "[filter \"lfs\"]\n\tprocess = \"unset GIT_DIR GIT_WORK_TREE; git-lfs filter-process\"\n\tsmudge = git-lfs smudge -- %f\n\
    \tclean = git-lfs clean -- %f\n\trequired = true\n";

impl Lfs {
    /// For work trees of this repository. What is fetched is kept in `folder`, or, where the repository may be
    /// [written to](Repository::fetching), with what it has; what it has is found by itself.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if git-lfs is not installed; [`Error::Git`].
    pub(crate) fn of(repository: &Repository, folder: &Path) -> Result<Lfs, Error> {
        // Of no repository: what one calls an alias is not run.
        let mut version = git::git(folder);
        version.arg("--git-dir").arg(folder.join("none")).args(["lfs", "version"]);
        if !git::ended(&mut version, b"")?.status.success() {
            let expected =
                "the program git-lfs on this machine (https://git-lfs.com): the revisions' large files are read by it";
            return Err(Error::invalid_value("lfs", "without git-lfs it".to_owned(), expected));
        }
        let mut command = repository.git();
        command.args(["config", "--null", "--get-regexp", r"^(lfs\.url|remote\..*\.(lfs)?url|http\..*\.extraheader)$"]);
        // It ends with 1 if there is nothing.
        let (_, text) = git::finished(&mut command, b"")?;
        let text = String::from_utf8_lossy(&text);
        let entries: Vec<(&str, &str)> = text.split('\0').filter_map(|entry| entry.split_once('\n')).collect();
        let (headers, places): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(key, _)| key.starts_with("http."));
        let storage = match repository.fetches() {
            true => repository.common_dir().join("lfs"),
            false => folder.join("lfs"),
        };
        let mut config = format!("{FILTER}[lfs]\n\tstorage = {}\n", quoted(&storage.to_string_lossy()));
        for (key, value) in places {
            // Writing to a string does not fail.
            let _ = match key.strip_prefix("remote.").and_then(|rest| rest.rsplit_once('.')) {
                Some((remote, name)) => writeln!(config, "[remote {}]\n\t{name} = {}", quoted(remote), quoted(value)),
                None => writeln!(config, "[lfs]\n\turl = {}", quoted(value)),
            };
        }
        let headers = headers.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        Ok(Lfs { config, headers })
    }
}

/// A text as a value, or a name, in git's configuration; it stays on its line.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\0'], " ");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stays_a_value() {
        assert_eq!(quoted("a\"b\\c\n[core]"), r#""a\"b\\c [core]""#);
    }
}
