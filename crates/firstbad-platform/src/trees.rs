//! Writing and removing files in a worktree safely.
//!
//! A test may have left links anywhere, so folders are opened one by one, starting with the folder of the worktree, and no link
//! is followed. Git writes the other files and does not follow links either.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Component, Path};
use std::time::Duration;

use crate::files;

mod kind;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use kind::Kind;
#[cfg(unix)]
use unix::Opened;
#[cfg(windows)]
use windows::Opened;

/// The greatest depth of folders. Each level holds an open file.
const DEEPEST: usize = 100;

/// The retries for files that other processes have open, which Windows cannot remove.
const TRIES: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(25);

/// How [`Folder::has_only`] treats a known item.
#[derive(Debug, Clone, Copy)]
pub enum Entry {
    /// Examine the contents of the folder.
    LookInto,
    /// Skip the item.
    PassOver,
}

/// An open folder. On Unix, it stays the same folder if its path changes.
#[derive(Debug)]
pub struct Folder(Opened);

impl Folder {
    /// Opens a folder. Links in the parents of `path` are followed.
    ///
    /// # Errors
    /// If the system cannot open the folder, or if `path` itself is a link.
    pub fn open(path: &Path) -> io::Result<Folder> {
        Opened::open(path).map(Folder)
    }

    /// Opens a folder below this one.
    ///
    /// # Errors
    /// If the system cannot open the folder, if a folder on the way is a link, or if the path is absolute or contains `..`.
    pub fn inside(&self, path: &Path) -> io::Result<Folder> {
        let mut folder = self.0.again()?;
        for part in path.components() {
            let Component::Normal(name) = part else { return Err(leads_out(path)) };
            folder = folder.child(name)?;
        }
        Ok(Folder(folder))
    }

    /// Opens a folder below this one, like [`Folder::inside`], and creates missing folders.
    pub fn made(&self, path: &Path) -> io::Result<Folder> {
        let mut folder = self.0.again()?;
        for part in path.components() {
            let Component::Normal(name) = part else { return Err(leads_out(path)) };
            match folder.make(name) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            folder = folder.child(name)?;
        }
        Ok(Folder(folder))
    }

    /// Returns the parent folder of `path` and the name in it.
    fn place<'a>(&self, path: &'a Path) -> io::Result<(Opened, &'a OsStr)> {
        let (Some(Component::Normal(name)), Some(above)) = (path.components().next_back(), path.parent()) else {
            return Err(leads_out(path));
        };
        Ok((self.inside(above)?.0, name))
    }

    /// Writes a new file, replacing any file or link at `path`.
    pub fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        self.fresh(path)?.write_all(content)
    }

    /// Creates an empty file, replacing any file or link at `path`.
    pub fn fresh(&self, path: &Path) -> io::Result<File> {
        self.remove_file(path)?;
        let (folder, name) = self.place(path)?;
        folder.create(name)
    }

    /// Removes a file or link, if there is one.
    pub fn remove_file(&self, path: &Path) -> io::Result<()> {
        match self.place(path).and_then(|(folder, name)| folder.unlink(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            ended => ended,
        }
    }

    /// Removes the item at `path` with its contents, if there is one.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        match self.inside(path) {
            Ok(folder) => folder.empty()?,
            Err(_) => return self.remove_file(path),
        }
        let (above, name) = self.place(path)?;
        above.remove_folder(name)
    }

    /// Creates a link to `target` at `path`, which must not exist. Missing parent folders are created.
    pub fn link(&self, path: &Path, target: &Path) -> io::Result<()> {
        self.made(path.parent().unwrap_or(Path::new("")))?;
        let (folder, name) = self.place(path)?;
        folder.link(name, target)
    }

    /// Removes the contents of the folder.
    pub fn empty(&self) -> io::Result<()> {
        empty(&self.0, 0)
    }

    /// Returns whether this folder contains only known items. `known` gets each path with `/` between its parts, and returns
    /// `None` for an unknown item.
    ///
    /// # Errors
    /// If the system cannot read a folder, or if folders are nested too deeply.
    pub fn has_only(&self, known: &dyn Fn(&[u8], Kind) -> Option<Entry>) -> io::Result<bool> {
        has_only(&self.0, &mut Vec::new(), 0, known)
    }

    /// Returns the modification time of the item at `path`, in seconds since 1970.
    ///
    /// # Errors
    /// If the system cannot query the item or has no such times.
    pub fn modified(&self, path: &Path) -> io::Result<i64> {
        let (folder, name) = self.place(path)?;
        folder.modified(name)
    }

    /// Sets the modification time of a file or link to the end of `second` (since 1970), as precisely as the file system allows.
    /// Returns the change time and the modification time as Git stores them: seconds and nanoseconds each.
    ///
    /// # Errors
    /// If the system cannot set the time or has no such times.
    pub fn set_modified(&self, path: &Path, second: i64) -> io::Result<[u32; 4]> {
        let (folder, name) = self.place(path)?;
        folder.set_modified(name, second)
    }

    /// Checks that this folder contains only files and folders, at any depth, because Git would write through a link.
    ///
    /// # Errors
    /// If there is any other item, or if a folder cannot be read.
    pub fn check_plain(&self) -> io::Result<()> {
        check_plain(&self.0, 0)
    }
}

fn empty(folder: &Opened, depth: usize) -> io::Result<()> {
    for (name, kind) in entries(folder, depth)? {
        if kind == Kind::Folder {
            let child = folder.child(&name).or_else(|_| {
                folder.open_up(&name)?;
                folder.child(&name)
            })?;
            child.open_up_itself();
            empty(&child, depth + 1)?;
            folder.remove_folder(&name)?;
        } else {
            folder.unlink(&name)?;
        }
    }
    Ok(())
}

fn has_only(
    folder: &Opened,
    path: &mut Vec<u8>,
    depth: usize,
    known: &dyn Fn(&[u8], Kind) -> Option<Entry>,
) -> io::Result<bool> {
    let length = path.len();
    for (name, kind) in entries(folder, depth)? {
        path.extend(name.as_encoded_bytes());
        let is_known = match known(path, kind) {
            Some(Entry::LookInto) => {
                path.push(b'/');
                has_only(&folder.child(&name)?, path, depth + 1, known)?
            }
            Some(Entry::PassOver) => true,
            None => false,
        };
        if !is_known {
            return Ok(false);
        }
        path.truncate(length);
    }
    Ok(true)
}

fn check_plain(folder: &Opened, depth: usize) -> io::Result<()> {
    for (name, kind) in entries(folder, depth)? {
        match kind {
            Kind::Folder => check_plain(&folder.child(&name)?, depth + 1)?,
            Kind::File => {}
            Kind::Other => return Err(io::Error::other(format!("{} is neither a file nor a folder", name.display()))),
        }
    }
    Ok(())
}

fn entries(folder: &Opened, depth: usize) -> io::Result<Vec<(OsString, Kind)>> {
    if depth > DEEPEST {
        return Err(io::Error::other(format!("folders are nested more than {DEEPEST} levels")));
    }
    folder.entries()
}

fn leads_out(path: &Path) -> io::Error {
    io::Error::other(format!("{} is not inside the folder", path.display()))
}

/// Creates an empty file, replacing any file or link at `path`.
pub fn fresh(path: &Path) -> io::Result<File> {
    let (above, name) = path.parent().zip(path.file_name()).ok_or_else(|| leads_out(path))?;
    Folder::open(above)?.fresh(Path::new(name))
}

/// Removes a folder with its contents, if it exists, even if folders in it are read-only. A link is removed, but not its target.
/// On Windows, retries for half a second if files are in use.
pub fn remove(folder: &Path) -> io::Result<()> {
    let mut ended = remove_once(folder);
    if ended.is_err() {
        open_up(folder);
        ended = remove_once(folder);
    }
    for _ in 0..TRIES {
        match &ended {
            Err(error) if files::may_be_in_use(error) => {}
            _ => break,
        }
        std::thread::sleep(BETWEEN);
        ended = remove_once(folder);
    }
    ended
}

fn remove_once(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        // Another process may be removing the same folder.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        ended => ended,
    }
}

/// Gives the owner all rights that are needed to remove `path` and its contents. Errors are ignored, because the removal reports
/// them.
pub fn open_up(path: &Path) {
    let Ok(found) = fs::symlink_metadata(path) else { return };
    files::open_up(path, &found);
    if found.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            open_up(&entry.path());
        }
    }
}

// The tests create links and modes as on Unix.
#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn read_only_folders_open_up_and_links_are_not_followed() {
        let base = std::env::temp_dir().join(format!("firstbad-tree-{}", std::process::id()));
        let closed = base.join("inside/closed");
        let outside = base.join("outside");
        fs::create_dir_all(&closed).unwrap();
        fs::create_dir_all(&outside).unwrap();
        std::os::unix::fs::symlink(&outside, base.join("inside/link")).unwrap();
        for folder in [&closed, &outside] {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o500)).unwrap();
        }
        open_up(&base.join("inside"));
        let mode = |folder: &Path| fs::metadata(folder).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&closed), mode(&outside)), (0o700, 0o500));
        remove(&base.join("inside")).unwrap();
        assert!(outside.exists());
        remove(&base).unwrap();
        remove(&base).unwrap();
    }

    #[test]
    fn links_are_never_followed() {
        let base = std::env::temp_dir().join(format!("firstbad-tree-links-{}", std::process::id()));
        let (tree, outside) = (base.join("tree"), base.join("outside"));
        fs::create_dir_all(tree.join("sub")).unwrap();
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join("file"), "mine").unwrap();
        let link = |to: &Path, at: &Path| std::os::unix::fs::symlink(to, at);
        link(&outside, &tree.join("folder")).unwrap();
        link(&outside.join("file"), &tree.join("sub/file")).unwrap();
        link(&outside, &base.join("top")).unwrap();
        assert!(Folder::open(&base.join("top")).is_err());
        let folder = Folder::open(&tree).unwrap();
        assert!(folder.check_plain().is_err());
        let inside = Path::new("folder/file");
        assert!(folder.remove_file(inside).is_err());
        assert!(folder.write(inside, b"").is_err());
        assert!(folder.made(Path::new("folder/new")).is_err());
        for path in ["../outside/file", "/etc/hostname", "", ".."] {
            assert!(folder.remove_file(Path::new(path)).is_err(), "{path}");
            assert!(folder.write(Path::new(path), b"").is_err(), "{path}");
        }
        // The file replaces the link.
        folder.write(Path::new("sub/file"), b"ours").unwrap();
        assert!(fs::symlink_metadata(tree.join("sub/file")).unwrap().is_file());
        folder.empty().unwrap();
        assert_eq!(fs::read_dir(&tree).unwrap().count(), 0);
        assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "mine");
        remove(&base).unwrap();
    }
}
