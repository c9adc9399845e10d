//! Files: which one it is, how it is opened where others may have put something else, and names of files.

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

/// Which file or folder it is, whatever it is called by now. Two are equal if they are the same file on the same disk.
///
/// On Windows it keeps the file open, which keeps nobody from removing it.
#[derive(Debug, PartialEq, Eq)]
pub struct Identity(system::Identity);

impl Identity {
    /// That of an open file.
    ///
    /// # Errors
    /// Those of the system.
    pub fn of_file(file: &File) -> io::Result<Identity> {
        system::identity_of_file(file).map(Identity)
    }

    /// That of what a path leads to.
    ///
    /// # Errors
    /// Those of the system.
    pub fn of(path: &Path) -> io::Result<Identity> {
        system::identity(path).map(Identity)
    }

    /// That of what is at a path itself, which is no link on Windows.
    ///
    /// # Errors
    /// Those of the system; on Windows also for a link.
    pub fn of_place(path: &Path) -> io::Result<Identity> {
        system::identity_of_place(path).map(Identity)
    }
}

/// Whether `path` leads to this open file.
#[must_use]
pub fn leads_to(path: &Path, file: &File) -> bool {
    Identity::of_file(file).is_ok_and(|file| Identity::of(path).is_ok_and(|found| found == file))
}

/// Whether no name is left of an open file, of which this was found. Windows does not tell: there, that its name leads
/// elsewhere or nowhere has to do.
#[must_use]
pub fn is_nameless(found: &Metadata) -> bool {
    system::is_nameless(found)
}

/// Has opening fail, or give something that is no file, where there is a link; a pipe is not waited for.
pub fn without_links(options: &mut OpenOptions) -> &mut OpenOptions {
    system::without_links(options)
}

/// Opens a regular file to read it, wherever it is a link to: what is none (a pipe that nobody writes to, a device) is not
/// waited for.
///
/// # Errors
/// Those of the system, and for what is no regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    let file = system::at_once(options.read(true)).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no regular file")) }
}

/// What there is to read, if it has at most so many bytes.
///
/// # Errors
/// Those of reading; [`io::ErrorKind::FileTooLarge`].
pub fn read_all(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if read as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

/// The same of a file, which is not read at all if it says that it is too large.
///
/// # Errors
/// Those of [`read_all`].
pub fn read_file(file: File, most: u64) -> io::Result<Vec<u8>> {
    if file.metadata()?.len() > most { Err(too_large(most)) } else { read_all(file, most) }
}

fn too_large(most: u64) -> io::Error {
    let words = format!("it has more than {most} bytes, the most that is read");
    io::Error::new(io::ErrorKind::FileTooLarge, words)
}

/// Opens a file that only one process at a time has; `None` while another process has it. It can be read meanwhile.
///
/// The system gives it up when the process ends, however that is. On Unix systems that is a record lock, which says nothing
/// within one process, and is given up as soon as the process closes any of its descriptors of the file.
///
/// # Errors
/// If the system cannot open the file, or if it is a symbolic link, has a second hard link, or is not a regular file.
pub fn open_alone(path: &Path) -> io::Result<Alone> {
    system::open_alone(path)
}

/// Removes a file from [`open_alone`], and gives it up. Left behind it does no harm.
pub fn give_up(path: &Path, file: File) {
    system::give_up(path, file);
}

/// Has a file opened for [`append`], which can be made shorter, too.
pub fn to_append(options: &mut OpenOptions) -> &mut OpenOptions {
    system::to_append(options)
}

/// Writes at the end of a file that only one writes to.
///
/// # Errors
/// Those of the system; a part may have been written.
pub fn append(file: &File, bytes: &[u8]) -> io::Result<()> {
    system::append(file, bytes)
}

/// Waits until the names in a folder are on the disk. Windows has no such call: there the file system's own journal keeps
/// names in order.
///
/// # Errors
/// Those of the system.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    system::sync_folder(folder)
}

/// Writes a file at once: whoever reads it meanwhile, or after this process was killed, finds all of the old content or all of the
/// new. What is no regular file is written as it is, and so is what cannot be replaced: where no file can be made beside it, and on
/// Windows where another program has it open.
///
/// # Errors
/// Those of the system.
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
    // What a process with this number left. It is made anew, so that nobody else's link is followed.
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

/// Gives back to the disk what a file holds in a range, which reads as zeros then, on systems that can.
pub fn punch(file: &File, begin: u64, length: u64) {
    system::punch(file, begin, length);
}

/// Whether an error may go away by waiting: on Windows, what another process still has open cannot be removed.
#[must_use]
pub fn may_be_in_use(error: &io::Error) -> bool {
    system::may_be_in_use(error)
}

/// Gives the owner all rights to what was found at a path. What cannot be changed is left.
pub fn open_up(path: &Path, found: &Metadata) {
    system::open_up(path, found);
}

/// Puts a link to the file or folder `target`, an absolute path, at `link`. On Windows a folder is linked by a junction, and
/// a file by a second name of it, since symbolic links need rights there that few have.
///
/// # Errors
/// Those of the system.
pub fn link(target: &Path, link: &Path) -> io::Result<()> {
    system::link(target, link)
}

/// The path without links, from the root on, as other programs understand it: on Windows without `\\?\` where that can be.
///
/// # Errors
/// Those of the system, also where there is nothing.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    dunce::canonicalize(path)
}

/// A name as git and many files have it, in bytes: on Windows UTF-8, where what is none is replaced.
#[must_use]
pub fn name_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    system::name_of(bytes)
}

/// As [`name_of`], for bytes that are not needed any more.
#[must_use]
pub fn name_of_vec(bytes: Vec<u8>) -> OsString {
    system::name_of_vec(bytes)
}

/// A path as git has it, in bytes.
#[must_use]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(name_of(bytes).into_owned())
}

/// A path as git writes it: with `/` between its parts.
#[must_use]
pub fn with_slashes(path: &Path) -> Cow<'_, OsStr> {
    system::with_slashes(path)
}

/// Whether somebody may run a file; on Windows its name says that, and this is never so.
#[must_use]
pub fn is_executable(found: &Metadata) -> bool {
    system::is_executable(found)
}

/// Lets those run a file who may read it.
///
/// # Errors
/// Those of the system.
pub fn make_executable(file: &File) -> io::Result<()> {
    system::make_executable(file)
}

/// Whether something failed because there is a link where none is followed.
#[must_use]
pub fn is_link_error(error: &io::Error) -> bool {
    system::is_link_error(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_by_every_name() {
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
    fn a_folder_is_no_regular_file() {
        let folder = tempfile::tempdir().unwrap();
        assert!(open_regular(folder.path()).is_err());
        assert_eq!(open_regular(&folder.path().join("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        std::fs::write(folder.path().join("file"), "text").unwrap();
        let open = || open_regular(&folder.path().join("file")).unwrap();
        for read in [|file, most| read_all(file, most), read_file] {
            assert_eq!(read(open(), 4).unwrap(), b"text");
            let error = read(open(), 3).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
            assert_eq!(error.to_string(), "it has more than 3 bytes, the most that is read");
        }
    }

    #[test]
    fn a_file_of_ones_own_is_made_and_written() {
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
    fn what_is_appended_comes_last_and_can_be_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let file = to_append(File::options().create_new(true)).open(&path).unwrap();
        append(&file, b"one").unwrap();
        append(&file, b"two").unwrap();
        file.set_len(4).unwrap();
        append(&file, b"three").unwrap();
        // It is the same by another name.
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
    fn what_is_written_at_once_replaces_all_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("best");
        write_at_once(&path, b"a long first one").unwrap();
        let reader = File::open(&path).unwrap();
        write_at_once(&path, b"short").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"short");
        // Who had it open goes on reading what it was; some Windows do not replace it then.
        let read = read_all(reader, 100).unwrap();
        assert!(read == b"a long first one" || cfg!(windows) && read == b"short");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_at_once(folder.path(), b"no file").is_err());
    }

    // Wine 8 has no junctions: `tools/systems.py` leaves it out there.
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
    fn names_are_what_git_writes() {
        assert_eq!(path_of("a/ü.txt".as_bytes()), Path::new("a/ü.txt"));
        let path: PathBuf = ["a", "b", "c"].iter().collect();
        assert_eq!(with_slashes(&path), OsStr::new("a/b/c"));
        assert_eq!(name_of_vec(b"Ada".to_vec()), "Ada");
    }
}
