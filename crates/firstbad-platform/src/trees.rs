//! All that we write or remove in a work tree ourselves. A test may have put a link anywhere, so folders are opened from the
//! work tree's own on, one after another, and no link is ever followed; git does the rest, which does not follow them
//! either.

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

/// How deep folders may lie in a folder that is emptied or looked through: each level holds an open file.
const DEEPEST: usize = 100;

/// How often, and how far apart, what others have open is tried again: on Windows it cannot be removed meanwhile.
const TRIES: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(25);

/// What to do with something that is known of a folder.
#[derive(Debug, Clone, Copy)]
pub enum Entry {
    /// Look at what a folder holds.
    LookInto,
    /// Do not look at it.
    PassOver,
}

/// A folder that is open, on Unix systems wherever its path leads by now.
#[derive(Debug)]
pub struct Folder(Opened);

impl Folder {
    /// # Errors
    /// Those of the system, also where there is a link in place of the folder. What lies above it may be links.
    pub fn open(path: &Path) -> io::Result<Folder> {
        Opened::open(path).map(Folder)
    }

    /// A folder below this one.
    ///
    /// # Errors
    /// Those of the system, also where one on the way is a link, or where the path could lead upwards.
    pub fn inside(&self, path: &Path) -> io::Result<Folder> {
        let mut folder = self.0.again()?;
        for part in path.components() {
            let Component::Normal(name) = part else { return Err(leads_out(path)) };
            folder = folder.child(name)?;
        }
        Ok(Folder(folder))
    }

    /// As [`Folder::inside`], and makes what is missing.
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

    /// The folder that holds what `path` names, and the name there.
    fn place<'a>(&self, path: &'a Path) -> io::Result<(Opened, &'a OsStr)> {
        let (Some(Component::Normal(name)), Some(above)) = (path.components().next_back(), path.parent()) else {
            return Err(leads_out(path));
        };
        Ok((self.inside(above)?.0, name))
    }

    /// Puts a new file in the place of whatever file or link is there.
    pub fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        self.fresh(path)?.write_all(content)
    }

    /// A new and empty file in the place of whatever file or link is there.
    pub fn fresh(&self, path: &Path) -> io::Result<File> {
        self.remove_file(path)?;
        let (folder, name) = self.place(path)?;
        folder.create(name)
    }

    /// Removes a file or a link; it is no error that there is none.
    pub fn remove_file(&self, path: &Path) -> io::Result<()> {
        match self.place(path).and_then(|(folder, name)| folder.unlink(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            ended => ended,
        }
    }

    /// Removes whatever is at `path`, a folder with all it holds; it is no error that there is nothing.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        match self.inside(path) {
            Ok(folder) => folder.empty()?,
            Err(_) => return self.remove_file(path),
        }
        let (above, name) = self.place(path)?;
        above.remove_folder(name)
    }

    /// Puts a link to `target` at `path`, where nothing is. The folders above it are made.
    pub fn link(&self, path: &Path, target: &Path) -> io::Result<()> {
        self.made(path.parent().unwrap_or(Path::new("")))?;
        let (folder, name) = self.place(path)?;
        folder.link(name, target)
    }

    /// Removes what the folder holds, and keeps the folder.
    pub fn empty(&self) -> io::Result<()> {
        empty(&self.0, 0)
    }

    /// Whether all that is here or below is known: `known` says what to do with a path, its parts with `/` between them, and
    /// nothing of what is not known.
    ///
    /// # Errors
    /// Those of the system; for folders that lie too deep.
    pub fn has_only(&self, known: &dyn Fn(&[u8], Kind) -> Option<Entry>) -> io::Result<bool> {
        has_only(&self.0, &mut Vec::new(), 0, known)
    }

    /// When what is at a path was changed last, in seconds since 1970.
    ///
    /// # Errors
    /// Those of the system, also where it has no such times.
    pub fn modified(&self, path: &Path) -> io::Result<i64> {
        let (folder, name) = self.place(path)?;
        folder.modified(name)
    }

    /// Has a file or a link be changed at the very end of a second since 1970, as far as its times tell. Returns when its entry was
    /// changed, and when it itself was, with nanoseconds each, as git writes them.
    ///
    /// # Errors
    /// Those of the system, also where it has no such times.
    pub fn set_modified(&self, path: &Path, second: i64) -> io::Result<[u32; 4]> {
        let (folder, name) = self.place(path)?;
        folder.set_modified(name, second)
    }

    /// # Errors
    /// If there is anything but folders and files here, or below: git would write through a link.
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
        return Err(io::Error::other(format!("folders lie more than {DEEPEST} deep")));
    }
    folder.entries()
}

fn leads_out(path: &Path) -> io::Error {
    io::Error::other(format!("{} does not lead to a place below the folder", path.display()))
}

/// A new and empty file in the place of whatever file or link is there.
pub fn fresh(path: &Path) -> io::Result<File> {
    let (above, name) = path.parent().zip(path.file_name()).ok_or_else(|| leads_out(path))?;
    Folder::open(above)?.fresh(Path::new(name))
}

/// Removes a folder with all it holds, read-only folders too; it is no error that there is none. A link is removed, and not
/// what it leads to. What is still in use on Windows is tried for half a second.
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
        // Somebody else removes it too.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        ended => ended,
    }
}

/// Gives the owner all rights to a folder and what is in it, as far as they are needed to remove it. What cannot be changed is
/// left: whoever needs it will get the error.
pub fn open_up(path: &Path) {
    let Ok(found) = fs::symlink_metadata(path) else { return };
    files::open_up(path, &found);
    if found.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            open_up(&entry.path());
        }
    }
}

// Links and modes are made as on Unix systems here.
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
    fn nothing_is_reached_through_a_link() {
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
        // A link in the place of a file gives way to it.
        folder.write(Path::new("sub/file"), b"ours").unwrap();
        assert!(fs::symlink_metadata(tree.join("sub/file")).unwrap().is_file());
        folder.empty().unwrap();
        assert_eq!(fs::read_dir(&tree).unwrap().count(), 0);
        assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "mine");
        remove(&base).unwrap();
    }
}
