//! Files on Unix.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::fs::{FlockOperation, OFlags};
use rustix::process::{Flock, FlockType};

use super::alone::Alone;

/// Device and inode.
pub(super) type Identity = (u64, u64);

fn numbers(found: &Metadata) -> Identity {
    (found.dev(), found.ino())
}

pub(super) fn identity_of_file(file: &File) -> io::Result<Identity> {
    file.metadata().map(|found| numbers(&found))
}

pub(super) fn identity(path: &Path) -> io::Result<Identity> {
    std::fs::metadata(path).map(|found| numbers(&found))
}

pub(super) fn identity_of_place(path: &Path) -> io::Result<Identity> {
    std::fs::symlink_metadata(path).map(|found| numbers(&found))
}

pub(super) fn is_nameless(found: &Metadata) -> bool {
    found.nlink() == 0
}

// `custom_flags` takes a signed number.

pub(super) fn without_links(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
}

pub(super) fn at_once(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(OFlags::NONBLOCK.bits().cast_signed())
}

/// Takes a record lock. Forks do not inherit it, so workers that outlive a killed process do not keep the file locked.
pub(super) fn open_alone(path: &Path) -> io::Result<Alone> {
    let mut options = File::options();
    // The path may lead to another user's link or pipe.
    let file = without_links(options.read(true).write(true).create(true).truncate(false)).open(path)?;
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    // A file with no links was released just now. The caller checks for that.
    if found.nlink() > 1 {
        return Err(super::alone::linked());
    }
    match rustix::fs::fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Alone::Ours(file)),
        Err(rustix::io::Errno::ACCESS | rustix::io::Errno::AGAIN) => {
            let holder = rustix::process::fcntl_getlk(&file, &Flock::from(FlockType::WriteLock))?;
            Ok(match holder {
                Some(found) => {
                    Alone::Held { file, process: found.pid.map(|pid| pid.as_raw_nonzero().get().unsigned_abs()) }
                }
                None => Alone::Free,
            })
        }
        Err(error) => Err(error.into()),
    }
}

/// Removes the name first: after the release, another process may own it.
pub(super) fn give_up(path: &Path, file: File) {
    let _ = std::fs::remove_file(path);
    drop(file);
}

pub(super) fn to_append(options: &mut OpenOptions) -> &mut OpenOptions {
    options.append(true)
}

pub(super) fn append(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)
}

pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg_attr(not(target_os = "linux"), expect(unused_variables, reason = "only Linux has such a call"))]
pub(super) fn punch(file: &File, begin: u64, length: u64) {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::FallocateFlags;
        let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        let _ = rustix::fs::fallocate(file, flags, begin, length);
    }
}

pub(super) fn may_be_in_use(_: &io::Error) -> bool {
    false
}

pub(super) fn open_up(path: &Path, found: &Metadata) {
    let mode = found.permissions().mode();
    if found.is_dir() && mode & 0o700 != 0o700 {
        let _ = std::fs::set_permissions(path, Permissions::from_mode(mode | 0o700));
    }
}

pub(super) fn link(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

pub(super) fn name_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    Cow::Borrowed(OsStr::from_bytes(bytes))
}

pub(super) fn name_of_vec(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}

pub(super) fn with_slashes(path: &Path) -> Cow<'_, OsStr> {
    Cow::Borrowed(path.as_os_str())
}

pub(super) fn is_executable(found: &Metadata) -> bool {
    found.permissions().mode() & 0o111 != 0
}

pub(super) fn make_executable(file: &File) -> io::Result<()> {
    // Copies each read bit to the execute bit.
    let mode = file.metadata()?.permissions().mode();
    file.set_permissions(Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

pub(super) fn is_link_error(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}
