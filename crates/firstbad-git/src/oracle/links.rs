//! The submodules of a revision as its index has them, and what a test left in their folders.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use firstbad::Error;

use super::tree;
use super::work_tree::WorkTree;
use crate::git;

/// A submodule in the index: a folder, and the commit that belongs there.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) path: PathBuf,
    pub(super) commit: String,
}

impl WorkTree {
    /// The submodules that the index has.
    pub(super) fn links(&self) -> Result<Vec<Link>, Error> {
        let index = git::output(self.git().args(["ls-files", "--stage", "-z"]), b"")?;
        let entries = index.split(|&byte| byte == 0).filter(|entry| entry.starts_with(b"160000 "));
        Ok(entries
            .filter_map(|entry| {
                let (words, path) = entry.split_at(entry.iter().position(|&byte| byte == b'\t')?);
                let commit = words.split(|&byte| byte == b' ').nth(1)?;
                let path = PathBuf::from(OsStr::from_bytes(path.get(1..)?));
                Some(Link { path, commit: String::from_utf8_lossy(commit).into_owned() })
            })
            .collect())
    }

    /// git looks away from what lies in a submodule's folder, so what a test left there would stay. Those that we
    /// have filled clean themselves; those that are none any more are taken out.
    ///
    /// # Errors
    /// [`Error::Git`] if a folder leads out of the work tree, or is one of the revision's own now.
    pub(super) fn empty_submodules(&mut self) -> Result<(), Error> {
        let links = self.links()?;
        if let Some(path) = self.filled.keys().find(|path| !links.iter().any(|link| link.path == **path)) {
            return Err(Error::Git { message: format!("{} is no submodule any more", path.display()) });
        }
        for link in links {
            let folder = self.folder().join(&link.path);
            if self.filled.contains_key(&link.path) || !std::fs::symlink_metadata(&folder).is_ok_and(|it| it.is_dir()) {
                continue;
            }
            let emptying = |error: &std::io::Error| git::io(format!("emptying {}", folder.display()), error);
            // A folder above it may have become a link to anywhere.
            let real = folder.canonicalize().map_err(|error| emptying(&error))?;
            let top = self.folder().canonicalize().map_err(|error| emptying(&error))?;
            if real != top.join(&link.path) {
                return Err(Error::Git { message: format!("{} leads to {}", folder.display(), real.display()) });
            }
            tree::empty(&folder).map_err(|error| emptying(&error))?;
        }
        Ok(())
    }
}
