//! The submodules in the index of a revision, and files that a test left in their folders.

use std::path::PathBuf;

use firstbad::Error;
use firstbad_git::{Template, git};
use firstbad_platform::files;

use super::index::Index;
use super::work_tree::WorkTree;

/// A submodule in the index: a folder and its commit.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) path: PathBuf,
    pub(crate) commit: String,
}

impl WorkTree {
    /// Returns the submodules in the index.
    pub(crate) fn links(&self, template: &Template) -> Result<Vec<Link>, Error> {
        if let Some(index) = Index::of(&self.git_dir(), template.id_length()) {
            return Ok(index.submodules().map(|(path, commit)| Link { path, commit }).collect());
        }
        let index = git::output(self.git().args(["ls-files", "--stage", "-z"]), b"")?;
        let entries = index.split(|&byte| byte == 0).filter(|entry| entry.starts_with(b"160000 "));
        Ok(entries
            .filter_map(|entry| {
                let (words, path) = entry.split_at(entry.iter().position(|&byte| byte == b'\t')?);
                let commit = words.split(|&byte| byte == b' ').nth(1)?;
                let path = files::path_of(path.get(1..)?);
                Some(Link { path, commit: String::from_utf8_lossy(commit).into_owned() })
            })
            .collect())
    }

    /// Removes files that a test left in the folders of submodules, because Git ignores these files. Filled submodules clean
    /// themselves. Removes filled submodules that the index no longer has. `links` are the submodules in the index.
    ///
    /// # Errors
    /// [`Error::Git`] if a folder now belongs to the revision, and [`Error::Io`] if a link is in its path.
    pub(crate) fn empty_submodules(&self, links: Vec<Link>) -> Result<(), Error> {
        if let Some(path) = self.filled.keys().find(|path| !links.iter().any(|link| link.path == **path)) {
            return Err(Error::Git { message: format!("{} is not a submodule any more", path.display()) });
        }
        let opened = self.open();
        for link in links {
            let emptying = |error: &std::io::Error| git::io(format!("emptying {}", link.path.display()), error);
            // A test may have replaced a parent folder with a link.
            let folder = opened.as_ref().map_err(&emptying)?.inside(&link.path);
            match folder {
                Ok(_) if self.filled.contains_key(&link.path) => {}
                Ok(folder) => folder.empty().map_err(|error| emptying(&error))?,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(emptying(&error)),
            }
        }
        Ok(())
    }
}
