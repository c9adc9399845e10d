//! All that we write or remove in a work tree ourselves. A test may have put a link anywhere, so folders are opened from the
//! work tree's own on, one after another, and no link is ever followed; git does the rest, which does not follow them
//! either.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags};

/// How deep folders may lie in a folder that is emptied or looked through: each level holds an open file.
const DEEPEST: usize = 100;

/// A folder that is open, wherever its path leads by now.
#[derive(Debug)]
pub(super) struct Folder(OwnedFd);

const OPENING: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

impl Folder {
    /// # Errors
    /// Those of the system, also where there is a link in place of the folder. What lies above it may be links.
    pub(super) fn open(path: &Path) -> io::Result<Folder> {
        Ok(Folder(rustix::fs::openat(CWD, path, OPENING, Mode::empty())?))
    }

    /// A folder below this one.
    ///
    /// # Errors
    /// Those of the system, also where one on the way is a link, or where the path could lead upwards.
    pub(super) fn inside(&self, path: &Path) -> io::Result<Folder> {
        let mut folder = Folder(self.0.try_clone()?);
        for part in path.components() {
            let Component::Normal(name) = part else { return Err(leads_out(path)) };
            folder = folder.child(name)?;
        }
        Ok(folder)
    }

    fn child(&self, name: &OsStr) -> io::Result<Folder> {
        Ok(Folder(rustix::fs::openat(&self.0, name, OPENING, Mode::empty())?))
    }

    /// As [`Folder::inside`], and makes what is missing.
    pub(super) fn made(&self, path: &Path) -> io::Result<Folder> {
        let mut folder = Folder(self.0.try_clone()?);
        for part in path.components() {
            let Component::Normal(name) = part else { return Err(leads_out(path)) };
            match rustix::fs::mkdirat(&folder.0, name, Mode::RWXU) {
                Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            folder = folder.child(name)?;
        }
        Ok(folder)
    }

    /// The folder that holds what `path` names, and the name there.
    fn place<'a>(&self, path: &'a Path) -> io::Result<(Folder, &'a OsStr)> {
        let (Some(Component::Normal(name)), Some(above)) = (path.components().next_back(), path.parent()) else {
            return Err(leads_out(path));
        };
        Ok((self.inside(above)?, name))
    }

    /// Puts a new file in the place of whatever file or link is there.
    pub(super) fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        self.fresh(path)?.write_all(content)
    }

    /// A new and empty file in the place of whatever file or link is there.
    pub(super) fn fresh(&self, path: &Path) -> io::Result<File> {
        self.remove_file(path)?;
        let (folder, name) = self.place(path)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(&folder.0, name, flags, Mode::from_raw_mode(0o666))?.into())
    }

    /// Removes a file or a link; it is no error that there is none.
    pub(super) fn remove_file(&self, path: &Path) -> io::Result<()> {
        let ended =
            self.place(path).and_then(|(folder, name)| Ok(rustix::fs::unlinkat(&folder.0, name, AtFlags::empty())?));
        match ended {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            ended => ended,
        }
    }

    /// Removes whatever is at `path`, a folder with all it holds; it is no error that there is nothing.
    pub(super) fn remove(&self, path: &Path) -> io::Result<()> {
        match self.inside(path) {
            Ok(folder) => folder.empty()?,
            Err(_) => return self.remove_file(path),
        }
        let (above, name) = self.place(path)?;
        Ok(rustix::fs::unlinkat(&above.0, name, AtFlags::REMOVEDIR)?)
    }

    /// Puts a link to `target` at `path`, where nothing is. The folders above it are made.
    pub(super) fn link(&self, path: &Path, target: &Path) -> io::Result<()> {
        self.made(path.parent().unwrap_or(Path::new("")))?;
        let (folder, name) = self.place(path)?;
        Ok(rustix::fs::symlinkat(target, &folder.0, name)?)
    }

    /// Removes what the folder holds, and keeps the folder.
    pub(super) fn empty(&self) -> io::Result<()> {
        self.empty_at(0)
    }

    fn empty_at(&self, depth: usize) -> io::Result<()> {
        for (name, kind) in self.entries(depth)? {
            if kind == FileType::Directory {
                let child = self.child(&name).or_else(|_| {
                    rustix::fs::chmodat(&self.0, &name, Mode::RWXU, AtFlags::empty())?;
                    self.child(&name)
                })?;
                let _ = rustix::fs::fchmod(&child.0, Mode::RWXU);
                child.empty_at(depth + 1)?;
                rustix::fs::unlinkat(&self.0, &name, AtFlags::REMOVEDIR)?;
            } else {
                rustix::fs::unlinkat(&self.0, &name, AtFlags::empty())?;
            }
        }
        Ok(())
    }

    /// # Errors
    /// If there is anything but folders and files here, or below: git would write through a link.
    pub(super) fn check_plain(&self) -> io::Result<()> {
        self.check_plain_at(0)
    }

    fn check_plain_at(&self, depth: usize) -> io::Result<()> {
        for (name, kind) in self.entries(depth)? {
            match kind {
                FileType::Directory => self.child(&name)?.check_plain_at(depth + 1)?,
                FileType::RegularFile => {}
                _ => return Err(io::Error::other(format!("{} is neither a file nor a folder", name.display()))),
            }
        }
        Ok(())
    }

    fn entries(&self, depth: usize) -> io::Result<Vec<(std::ffi::OsString, FileType)>> {
        if depth > DEEPEST {
            return Err(io::Error::other(format!("folders lie more than {DEEPEST} deep")));
        }
        let mut found = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not say.
                FileType::Unknown => {
                    let seen = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
                    FileType::from_raw_mode(seen.st_mode)
                }
                known => known,
            };
            found.push((name.to_owned(), kind));
        }
        Ok(found)
    }
}

fn leads_out(path: &Path) -> io::Error {
    io::Error::other(format!("{} does not lead to a place below the folder", path.display()))
}

/// A new and empty file in the place of whatever file or link is there.
pub(super) fn fresh(path: &Path) -> io::Result<File> {
    let (above, name) = path.parent().zip(path.file_name()).ok_or_else(|| leads_out(path))?;
    Folder::open(above)?.fresh(Path::new(name))
}

/// Removes a folder with all it holds, read-only folders too; it is no error that there is none. A link is removed, and not
/// what it leads to.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => {
            open_up(folder);
            match fs::remove_dir_all(folder) {
                // Somebody else removes it too.
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                ended => ended,
            }
        }
        Ok(()) => Ok(()),
    }
}

/// Gives the owner all rights to a folder and the folders in it. What cannot be changed is left: whoever needs it
/// will get the error.
pub(super) fn open_up(folder: &Path) {
    if let Ok(found) = fs::symlink_metadata(folder)
        && found.is_dir()
    {
        let mode = found.permissions().mode();
        if mode & 0o700 != 0o700 {
            let _ = fs::set_permissions(folder, fs::Permissions::from_mode(mode | 0o700));
        }
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open_up(&entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
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
