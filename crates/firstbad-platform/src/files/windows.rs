//! Files on Windows.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::Path;

use super::alone::Alone;

/// Volume and file index. The index is valid only while the file is open.
#[derive(Debug)]
pub(super) struct Identity {
    volume: u64,
    index: u64,
    _open: winapi_util::Handle,
}

impl PartialEq for Identity {
    fn eq(&self, other: &Identity) -> bool {
        // Wine reports volume 0 for a renamed file.
        let is_volume = self.volume == other.volume || self.volume == 0 || other.volume == 0;
        self.index == other.index && is_volume
    }
}

impl Eq for Identity {}

impl Identity {
    fn of(open: winapi_util::Handle) -> io::Result<Identity> {
        let found = winapi_util::file::information(&open)?;
        Ok(Identity { volume: found.volume_serial_number(), index: found.file_index(), _open: open })
    }
}

const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
const FILE_SHARE_READ: u32 = 1;
const ERROR_ACCESS_DENIED: i32 = 5;
const ERROR_SHARING_VIOLATION: i32 = 32;
const ERROR_LOCK_VIOLATION: i32 = 33;
const ERROR_DIR_NOT_EMPTY: i32 = 145;
/// The error for a file that will be deleted when its last handle is closed.
const ERROR_DELETE_PENDING: i32 = 303;

pub(super) fn identity_of_file(file: &File) -> io::Result<Identity> {
    Identity::of(winapi_util::Handle::from_file(file.try_clone()?))
}

pub(super) fn identity(path: &Path) -> io::Result<Identity> {
    Identity::of(winapi_util::Handle::from_path_any(path)?)
}

pub(super) fn identity_of_place(path: &Path) -> io::Result<Identity> {
    if std::fs::symlink_metadata(path)?.is_symlink() {
        return Err(io::Error::other("it is a link"));
    }
    identity(path)
}

pub(super) fn is_nameless(_: &Metadata) -> bool {
    false
}

pub(super) fn without_links(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT)
}

/// Windows has no pipes in the file system.
pub(super) fn at_once(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Opens the file for writing and shares it with readers only. A range lock (`LockFileEx`) would also block readers.
pub(super) fn open_alone(path: &Path) -> io::Result<Alone> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false).share_mode(FILE_SHARE_READ);
    match without_links(&mut options).open(path) {
        Ok(file) if !file.metadata()?.is_file() => Err(io::Error::other("it is not a regular file")),
        Ok(file) if winapi_util::file::information(&file)?.number_of_links() > 1 => Err(super::alone::linked()),
        Ok(file) => Ok(Alone::Ours(file)),
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => match File::open(path) {
            Ok(file) => Ok(Alone::Held { file, process: None }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Alone::Free),
            Err(error) => Err(error),
        },
        Err(error) if error.raw_os_error() == Some(ERROR_DELETE_PENDING) => Ok(Alone::Free),
        Err(error) => Err(error),
    }
}

/// Closes the file first, because Windows cannot remove it while it is open. If another process opens it in between, it stays.
pub(super) fn give_up(path: &Path, file: File) {
    drop(file);
    let _ = std::fs::remove_file(path);
}

/// A handle with append access alone cannot truncate.
pub(super) fn to_append(options: &mut OpenOptions) -> &mut OpenOptions {
    options.write(true)
}

pub(super) fn append(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::End(0))?;
    file.write_all(bytes)
}

pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

pub(super) fn punch(_: &File, _: u64, _: u64) {}

pub(super) fn may_be_in_use(error: &io::Error) -> bool {
    let codes =
        [ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION, ERROR_DIR_NOT_EMPTY, ERROR_DELETE_PENDING];
    error.raw_os_error().is_some_and(|code| codes.contains(&code))
}

/// Windows also cannot remove read-only files.
#[expect(clippy::permissions_set_readonly_false, reason = "that lint is about Unix systems")]
pub(super) fn open_up(path: &Path, found: &Metadata) {
    let mut permissions = found.permissions();
    if !found.is_symlink() && permissions.readonly() {
        permissions.set_readonly(false);
        let _ = std::fs::set_permissions(path, permissions);
    }
}

pub(super) fn link(target: &Path, link: &Path) -> io::Result<()> {
    if std::fs::metadata(target)?.is_dir() { junction::create(target, link) } else { std::fs::hard_link(target, link) }
}

pub(super) fn name_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => Cow::Borrowed(OsStr::new(text)),
        Cow::Owned(text) => Cow::Owned(OsString::from(text)),
    }
}

pub(super) fn name_of_vec(bytes: Vec<u8>) -> OsString {
    name_of(&bytes).into_owned()
}

pub(super) fn with_slashes(path: &Path) -> Cow<'_, OsStr> {
    match path.to_str() {
        Some(text) => Cow::Owned(OsString::from(text.replace('\\', "/"))),
        None => Cow::Borrowed(path.as_os_str()),
    }
}

pub(super) fn is_executable(_: &Metadata) -> bool {
    false
}

pub(super) fn make_executable(_: &File) -> io::Result<()> {
    Ok(())
}

pub(super) fn is_link_error(_: &io::Error) -> bool {
    false
}
