//! Removing folders that resist.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Removes a folder with all it holds, read-only folders too; it is no error that there is none.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => {
            open_up(folder);
            fs::remove_dir_all(folder)
        }
        Ok(()) => Ok(()),
    }
}

/// Removes what a folder holds, and keeps the folder.
pub(super) fn empty(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() { remove(&entry.path())? } else { fs::remove_file(entry.path())? }
    }
    Ok(())
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
}
