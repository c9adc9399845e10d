//! Files: their identity, opening them safely, and their names.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

mod alone;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use alone::Alone;
#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

/// The identity of a file or folder, independent of its name. Two identities are equal if they are the same file on the same
/// disk.
///
/// On Windows, an identity keeps the file open. Other processes can still remove the file.
#[derive(Debug, PartialEq, Eq)]
pub struct Identity(system::Identity);

impl Identity {
    /// Returns the identity of an open file.
    ///
    /// # Errors
    /// If the system cannot query the file.
    pub fn of_file(file: &File) -> io::Result<Identity> {
        system::identity_of_file(file).map(Identity)
    }

    /// Returns the identity of the file or folder at `path`. Follows links.
    ///
    /// # Errors
    /// If the system cannot query the path.
    pub fn of(path: &Path) -> io::Result<Identity> {
        system::identity(path).map(Identity)
    }

    /// Returns the identity of the item at `path` itself, without following a link.
    ///
    /// # Errors
    /// If the system cannot query the path. On Windows, also if the path is a link.
    pub fn of_place(path: &Path) -> io::Result<Identity> {
        system::identity_of_place(path).map(Identity)
    }
}

/// Returns whether `path` leads to this open file.
#[must_use]
pub fn leads_to(path: &Path, file: &File) -> bool {
    Identity::of_file(file).is_ok_and(|file| Identity::of(path).is_ok_and(|found| found == file))
}

/// Returns whether an open file has no name left, given its metadata. Always `false` on Windows, where callers must check if the
/// name still leads to the file.
#[must_use]
pub fn is_nameless(found: &Metadata) -> bool {
    system::is_nameless(found)
}

/// Makes opening fail for a symbolic link, or return something other than a file. Opening a pipe does not block.
pub fn without_links(options: &mut OpenOptions) -> &mut OpenOptions {
    system::without_links(options)
}

/// Opens a regular file for reading. Follows links. Does not block on pipes and devices.
///
/// # Errors
/// If the system cannot open the path, or if it is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    let file = system::at_once(options.read(true)).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a regular file")) }
}

/// Reads everything from `from`, up to `most` bytes.
///
/// # Errors
/// If reading fails, or [`io::ErrorKind::FileTooLarge`] if there are more than `most` bytes.
pub fn read_all(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if read as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

/// Reads a whole file, up to `most` bytes. Checks the size before reading.
///
/// # Errors
/// See [`read_all`].
pub fn read_file(file: File, most: u64) -> io::Result<Vec<u8>> {
    if file.metadata()?.len() > most { Err(too_large(most)) } else { read_all(file, most) }
}

fn too_large(most: u64) -> io::Error {
    let words = format!("it has more than {most} bytes");
    io::Error::new(io::ErrorKind::FileTooLarge, words)
}

/// Opens a file for this process alone. While one process has the file, other processes can only read it.
///
/// The system releases the file when the process ends, even after a crash. On Unix, this is a record lock: it does not exclude
/// other threads, and closing any descriptor of the file in this process releases it.
pub fn open_alone(path: &Path) -> io::Result<Alone> {
    system::open_alone(path)
}

/// Removes and releases a file from [`open_alone`]. If removal fails, the file that remains is harmless.
pub fn give_up(path: &Path, file: File) {
    system::give_up(path, file);
}

/// Opens a file for [`append`]. The file can also be truncated.
pub fn to_append(options: &mut OpenOptions) -> &mut OpenOptions {
    system::to_append(options)
}

/// Writes at the end of a file that has no other writer.
///
/// # Errors
/// If the system cannot write. Some of the bytes may have been written.
pub fn append(file: &File, bytes: &[u8]) -> io::Result<()> {
    system::append(file, bytes)
}

/// Waits until the names in a folder are on the disk. Does nothing on Windows, where the journal of the file system keeps names
/// in order.
///
/// # Errors
/// If the system cannot sync the folder.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    system::sync_folder(folder)
}

/// Writes a file atomically: readers see either the old content or the new content, even if this process is killed.
///
/// The file is written in place if it is not a regular file, if no temporary file can be created next to it, or, on Windows, if
/// another program has it open.
///
/// # Errors
/// If the system cannot write the file.
pub fn write_at_once(path: &Path, content: &[u8]) -> io::Result<()> {
    let found = fs::metadata(path).ok();
    if found.as_ref().is_some_and(|found| !found.is_file()) {
        return fs::write(path, content);
    }
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = OsString::from(".");
    name.push(place.file_name().ok_or(io::ErrorKind::InvalidInput)?);
    name.push(format!(".{}", std::process::id()));
    let beside = place.with_file_name(name);
    // A process with the same number may have left this file. Create it again, so that no foreign link is followed.
    let _ = fs::remove_file(&beside);
    let Ok(mut file) = File::create_new(&beside) else { return fs::write(path, content) };
    let rights = || found.map_or(Ok(()), |found| fs::set_permissions(&beside, found.permissions()));
    let written = file.write_all(content).and_then(|()| rights());
    drop(file);
    let replaced = written.and_then(|()| match fs::rename(&beside, &place) {
        Err(error) if may_be_in_use(&error) => fs::write(&place, content).and_then(|()| fs::remove_file(&beside)),
        ended => ended,
    });
    replaced.inspect_err(|_| {
        let _ = fs::remove_file(&beside);
    })
}

/// Deallocates a range of a file, which then reads as zeros. Does nothing on systems without such a call.
pub fn punch(file: &File, begin: u64, length: u64) {
    system::punch(file, begin, length);
}

/// Returns whether an error may go away after a wait. Windows cannot remove files that another process has open.
#[must_use]
pub fn may_be_in_use(error: &io::Error) -> bool {
    system::may_be_in_use(error)
}

/// Gives the owner all rights to the item at `path`. Errors are ignored.
pub fn open_up(path: &Path, found: &Metadata) {
    system::open_up(path, found);
}

/// Creates a link at `link` to `target`, an absolute path. On Windows, a folder gets a junction and a file gets a hard link,
/// because symbolic links need special rights there.
///
/// # Errors
/// If the system cannot create the link.
pub fn link(target: &Path, link: &Path) -> io::Result<()> {
    system::link(target, link)
}

/// Returns the absolute path without links, in the form that other programs understand. On Windows, that means without `\\?\` if
/// possible.
///
/// # Errors
/// If the system cannot resolve the path, for example because it does not exist.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    dunce::canonicalize(path)
}

/// Converts a name in bytes, as Git stores it. On Windows, the bytes are UTF-8 and invalid sequences are replaced.
#[must_use]
pub fn name_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    system::name_of(bytes)
}

/// Owned version of [`name_of`].
#[must_use]
pub fn name_of_vec(bytes: Vec<u8>) -> OsString {
    system::name_of_vec(bytes)
}

/// Converts a path in bytes, as Git stores it.
#[must_use]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(name_of(bytes).into_owned())
}

/// Returns a path as Git writes it, with `/` between its parts.
#[must_use]
pub fn with_slashes(path: &Path) -> Cow<'_, OsStr> {
    system::with_slashes(path)
}

/// Returns whether anyone can execute the file. Always `false` on Windows, where the name decides.
#[must_use]
pub fn is_executable(found: &Metadata) -> bool {
    system::is_executable(found)
}

/// Makes a file executable for everyone who can read it.
///
/// # Errors
/// If the system cannot change the permissions.
pub fn make_executable(file: &File) -> io::Result<()> {
    system::make_executable(file)
}

/// Returns whether an error was caused by a link that must not be followed.
#[must_use]
pub fn is_link_error(error: &io::Error) -> bool {
    system::is_link_error(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identity_does_not_depend_on_the_name() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two, other) = (folder.path().join("one"), folder.path().join("two"), folder.path().join("other"));
        std::fs::write(&one, "1").unwrap();
        std::fs::hard_link(&one, &two).unwrap();
        std::fs::write(&other, "1").unwrap();
        assert_eq!(Identity::of(&one).unwrap(), Identity::of_place(&two).unwrap());
        assert_ne!(Identity::of(&one).unwrap(), Identity::of(&other).unwrap());
        assert!(Identity::of_place(folder.path()).is_ok());
        let file = File::open(&one).unwrap();
        assert!(leads_to(&two, &file) && !leads_to(&other, &file) && !leads_to(&folder.path().join("none"), &file));
    }

    #[test]
    fn open_regular_rejects_folders() {
        let folder = tempfile::tempdir().unwrap();
        assert!(open_regular(folder.path()).is_err());
        assert_eq!(open_regular(&folder.path().join("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        std::fs::write(folder.path().join("file"), "text").unwrap();
        let open = || open_regular(&folder.path().join("file")).unwrap();
        for read in [|file, most| read_all(file, most), read_file] {
            assert_eq!(read(open(), 4).unwrap(), b"text");
            let error = read(open(), 3).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
            assert_eq!(error.to_string(), "it has more than 3 bytes");
        }
    }

    #[test]
    fn a_file_opened_alone_can_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let Ok(Alone::Ours(mut file)) = open_alone(&path) else { panic!("somebody has it") };
        file.write_all(b"mine").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"mine");
        assert!(leads_to(&path, &file));
        give_up(&path, file);
        assert!(!path.exists());
        assert!(open_alone(folder.path()).is_err());
    }

    #[test]
    fn appended_bytes_come_last_and_can_be_truncated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let file = to_append(File::options().create_new(true)).open(&path).unwrap();
        append(&file, b"one").unwrap();
        append(&file, b"two").unwrap();
        file.set_len(4).unwrap();
        append(&file, b"three").unwrap();
        // A renamed file keeps its identity.
        let renamed = folder.path().join("renamed");
        std::fs::rename(&path, &renamed).unwrap();
        assert!(leads_to(&renamed, &file));
        std::fs::rename(&renamed, &path).unwrap();
        assert!(leads_to(&path, &file));
        drop(file);
        append(&to_append(&mut File::options()).open(&path).unwrap(), b"!").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"onetthree!");
    }

    #[test]
    fn an_atomic_write_replaces_the_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("best");
        write_at_once(&path, b"a long first one").unwrap();
        let reader = File::open(&path).unwrap();
        write_at_once(&path, b"short").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"short");
        // An open reader still sees the old content. Some versions of Windows write in place instead.
        let read = read_all(reader, 100).unwrap();
        assert!(read == b"a long first one" || cfg!(windows) && read == b"short");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_at_once(folder.path(), b"no file").is_err());
    }

    // Wine 8 has no junctions, so `tools/systems.py` skips this test there.
    #[test]
    fn a_link_leads_to_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = real_path(folder.path()).unwrap();
        std::fs::create_dir(root.join("target")).unwrap();
        std::fs::write(root.join("target/file"), "text").unwrap();
        link(&root.join("target"), &root.join("link")).unwrap();
        assert_eq!(std::fs::read_to_string(root.join("link/file")).unwrap(), "text");
        assert!(std::fs::symlink_metadata(root.join("link")).unwrap().is_symlink());
        assert_eq!(real_path(&root.join("link")).unwrap(), root.join("target"));
    }

    #[test]
    fn names_have_the_form_of_git() {
        assert_eq!(path_of("a/ü.txt".as_bytes()), Path::new("a/ü.txt"));
        let path: PathBuf = ["a", "b", "c"].iter().collect();
        assert_eq!(with_slashes(&path), OsStr::new("a/b/c"));
        assert_eq!(name_of_vec(b"Ada".to_vec()), "Ada");
    }
}
