//! Folders on Windows, by path. Each folder is checked before use. This protects against links that an earlier test left, but not
//! against a process that creates links at the same moment.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::windows::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use crate::files;

use super::kind::Kind;

/// The path of a folder that was not a link when it was checked.
#[derive(Debug)]
pub(super) struct Opened(PathBuf);

impl Opened {
    pub(super) fn open(path: &Path) -> io::Result<Opened> {
        // A junction also counts as a link here.
        match fs::symlink_metadata(path)? {
            found if found.is_dir() => Ok(Opened(path.to_owned())),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn again(&self) -> io::Result<Opened> {
        Opened::open(&self.0)
    }

    pub(super) fn child(&self, name: &OsStr) -> io::Result<Opened> {
        Opened::open(&self.0.join(name))
    }

    pub(super) fn make(&self, name: &OsStr) -> io::Result<()> {
        fs::create_dir(self.0.join(name))
    }

    pub(super) fn create(&self, name: &OsStr) -> io::Result<File> {
        File::options().write(true).create_new(true).open(self.0.join(name))
    }

    pub(super) fn unlink(&self, name: &OsStr) -> io::Result<()> {
        let path = self.0.join(name);
        let found = fs::symlink_metadata(&path)?;
        files::open_up(&path, &found);
        if found.file_type().is_symlink_dir() { fs::remove_dir(path) } else { fs::remove_file(path) }
    }

    pub(super) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_dir(self.0.join(name))
    }

    pub(super) fn link(&self, name: &OsStr, target: &Path) -> io::Result<()> {
        files::link(target, &self.0.join(name))
    }

    pub(super) fn open_up(&self, name: &OsStr) -> io::Result<()> {
        let path = self.0.join(name);
        files::open_up(&path, &fs::symlink_metadata(&path)?);
        Ok(())
    }

    pub(super) fn open_up_itself(&self) {
        if let Ok(found) = fs::symlink_metadata(&self.0) {
            files::open_up(&self.0, &found);
        }
    }

    pub(super) fn modified(&self, _: &OsStr) -> io::Result<i64> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn set_modified(&self, _: &OsStr, _: i64) -> io::Result<[u32; 4]> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn entries(&self) -> io::Result<Vec<(OsString, Kind)>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let kind = match kind {
                _ if kind.is_dir() => Kind::Folder,
                _ if kind.is_file() => Kind::File,
                _ => Kind::Other,
            };
            found.push((entry.file_name(), kind));
        }
        Ok(found)
    }
}
