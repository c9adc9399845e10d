//! Open folders on Unix.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Timespec, Timestamps, UTIME_OMIT};

use super::kind::Kind;

const OPENING: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// An open folder, independent of its path.
#[derive(Debug)]
pub(super) struct Opened(OwnedFd);

impl Opened {
    pub(super) fn open(path: &Path) -> io::Result<Opened> {
        Ok(Opened(rustix::fs::openat(CWD, path, OPENING, Mode::empty())?))
    }

    pub(super) fn again(&self) -> io::Result<Opened> {
        self.0.try_clone().map(Opened)
    }

    pub(super) fn child(&self, name: &OsStr) -> io::Result<Opened> {
        Ok(Opened(rustix::fs::openat(&self.0, name, OPENING, Mode::empty())?))
    }

    pub(super) fn make(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(&self.0, name, Mode::RWXU)?)
    }

    pub(super) fn create(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(&self.0, name, flags, Mode::from_raw_mode(0o666))?.into())
    }

    pub(super) fn unlink(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    pub(super) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    pub(super) fn link(&self, name: &OsStr, target: &Path) -> io::Result<()> {
        Ok(rustix::fs::symlinkat(target, &self.0, name)?)
    }

    pub(super) fn open_up(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::chmodat(&self.0, name, Mode::RWXU, AtFlags::empty())?)
    }

    pub(super) fn open_up_itself(&self) {
        let _ = rustix::fs::fchmod(&self.0, Mode::RWXU);
    }

    pub(super) fn modified(&self, name: &OsStr) -> io::Result<i64> {
        Ok(rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mtime)
    }

    pub(super) fn set_modified(&self, name: &OsStr, second: i64) -> io::Result<[u32; 4]> {
        let last_modification = Timespec { tv_sec: second, tv_nsec: 999_999_999 };
        let last_access = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
        let times = Timestamps { last_access, last_modification };
        rustix::fs::utimensat(&self.0, name, &times, AtFlags::SYMLINK_NOFOLLOW)?;
        let found = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok([found.st_ctime as u32, found.st_ctime_nsec as u32, found.st_mtime as u32, found.st_mtime_nsec as u32])
    }

    pub(super) fn entries(&self) -> io::Result<Vec<(OsString, Kind)>> {
        let mut found = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not report the type.
                FileType::Unknown => {
                    let seen = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
                    FileType::from_raw_mode(seen.st_mode)
                }
                known => known,
            };
            let kind = match kind {
                FileType::Directory => Kind::Folder,
                FileType::RegularFile => Kind::File,
                _ => Kind::Other,
            };
            found.push((name.to_owned(), kind));
        }
        Ok(found)
    }
}
