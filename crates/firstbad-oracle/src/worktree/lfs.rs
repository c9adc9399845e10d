//! Settings for `git-lfs` in worktrees.

use std::fmt::Write as _;
use std::path::Path;

use firstbad::Error;
use firstbad_git::{Repository, git};

/// The settings of worktrees for Git LFS.
pub(crate) struct Lfs {
    /// The lines for the configuration of a worktree.
    pub(crate) config: String,
    /// Settings that only the environment of a checkout contains, because they can have credentials and must not be written to a
    /// file.
    pub(crate) headers: Vec<(String, String)>,
}

/// The same text that `git lfs install` writes.
const FILTER: &str = "[filter \"lfs\"]\n\tprocess = \"unset GIT_DIR GIT_WORK_TREE; git-lfs filter-process\"\n\tsmudge = git-lfs smudge -- %f\n\
    \tclean = git-lfs clean -- %f\n\trequired = true\n";

impl Lfs {
    /// Returns the settings for worktrees of this repository. Fetched files are stored in `folder`, or in the repository if
    /// firstbad may [write to it](Repository::fetching). Files that the repository already has are used from there.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if `git-lfs` is not installed, and [`Error::Git`].
    pub(crate) fn of(repository: &Repository, folder: &Path) -> Result<Lfs, Error> {
        // Runs outside the repository, whose configuration could define an alias of this name.
        let mut version = git::git(folder);
        version.arg("--git-dir").arg(folder.join("none")).args(["lfs", "version"]);
        if !git::ended(&mut version, b"")?.status.success() {
            let expected = "the program git-lfs on this machine (https://git-lfs.com), which reads the large files";
            return Err(Error::invalid_value("lfs", "without git-lfs it".to_owned(), expected));
        }
        let mut command = repository.git();
        command.args(["config", "--null", "--get-regexp", r"^(lfs\.url|remote\..*\.(lfs)?url|http\..*\.extraheader)$"]);
        // The exit code is 1 if there are no settings.
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

/// Quotes a value or name for Git's configuration, on one line.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\0'], " ");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_configuration_values_are_preserved() {
        assert_eq!(quoted("a\"b\\c\n[core]"), r#""a\"b\\c [core]""#);
    }
}
