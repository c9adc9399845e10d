//! The submodules of a revision as its index has them, and what a test left in their folders.

use std::path::PathBuf;

use firstbad::Error;
use firstbad_platform::files;

use super::work_tree::WorkTree;
use crate::git;

/// A submodule in the index: a folder, and the commit that belongs there.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) path: PathBuf,
    pub(super) commit: String,
}

/// The words about a submodule begin with this.
const LINK: &[u8] = b"160000 ";

/// What the index of a work tree has, as git lists it.
pub(super) struct Index(Vec<u8>);

impl Index {
    /// The words about each entry, and its path.
    fn entries(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.0.split(|&byte| byte == 0).filter_map(|entry| {
            let (words, path) = entry.split_at(entry.iter().position(|&byte| byte == b'\t')?);
            Some((words, path.get(1..)?))
        })
    }

    #[cfg(test)]
    pub(super) fn listed(text: &str) -> Index {
        Index(text.as_bytes().to_vec())
    }

    /// The paths of all entries, with `/` between their parts, and whether each is a folder, which is a submodule's.
    pub(super) fn paths(&self) -> impl Iterator<Item = (&[u8], bool)> {
        self.entries().map(|(words, path)| (path, words.starts_with(LINK)))
    }

    /// The submodules.
    pub(super) fn links(&self) -> Vec<Link> {
        let links = self.entries().filter(|(words, _)| words.starts_with(LINK));
        links
            .filter_map(|(words, path)| {
                let commit = words.split(|&byte| byte == b' ').nth(1)?;
                Some(Link { path: files::path_of(path), commit: String::from_utf8_lossy(commit).into_owned() })
            })
            .collect()
    }
}

impl WorkTree {
    /// # Errors
    /// [`Error::Git`].
    pub(super) fn index(&self) -> Result<Index, Error> {
        git::output(self.git().args(["ls-files", "--stage", "-z"]), b"").map(Index)
    }

    /// git looks away from what lies in a submodule's folder, so what a test left there would stay. Those that we
    /// have filled clean themselves; those that are none any more are taken out.
    ///
    /// # Errors
    /// [`Error::Git`] if a folder is one of the revision's own now; [`Error::Io`] if there is a link on the way to one.
    pub(super) fn empty_submodules(&self, links: Vec<Link>) -> Result<(), Error> {
        if let Some(path) = self.filled.keys().find(|path| !links.iter().any(|link| link.path == **path)) {
            return Err(Error::Git { message: format!("{} is no submodule any more", path.display()) });
        }
        let opened = self.open();
        for link in links {
            let emptying = |error: &std::io::Error| git::io(format!("emptying {}", link.path.display()), error);
            // A folder above it may have become a link to anywhere.
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
