//! Marks that prove that this user created a journal on this machine in this folder.
//!
//! A journal names a command to run, so a file from someone else could run any program. The header therefore has a mark: a keyed
//! digest (HMAC-SHA256, RFC 2104) of the header and the folder. Only this user on this machine can read the key.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use firstbad_platform::{files, folders};
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

/// The name of the key file in firstbad's data folder.
const FILE: &str = "journal-key";

/// Larger than any valid key file.
const MOST: u64 = 256;

/// Returns the mark of a header in a folder as hexadecimal digits, or `None` if no key can be stored.
pub(crate) fn of(folder: &Path, header: &[u8]) -> Option<String> {
    Some(digits(of_header(&key_in(&home()?)?, folder, header)?))
}

/// Returns the keyed digest of `parts` as `key:digest`, or `None` if no key can be stored. `key` identifies the key. Only the
/// last part may contain a zero byte.
pub(crate) fn of_value(parts: &[&str]) -> Option<String> {
    let key = key_in(&home()?)?;
    let parts: Vec<&[u8]> =
        [&b"firstbad value"[..]].into_iter().chain(parts.iter().map(|part| part.as_bytes())).collect();
    let name = digits(keyed(&key, &[b"firstbad key"])?);
    Some(format!("{}:{}", &name[..16], digits(keyed(&key, &parts)?)))
}

/// Returns whether a mark belongs to a header in a folder.
pub(crate) fn is_of(mark: &str, folder: &Path, header: &[u8]) -> bool {
    let key = home().and_then(|home| read(&home.join(FILE)));
    let (Some(key), Some(mark)) = (key, bytes_of(mark)) else { return false };
    // Compares in constant time.
    of_header(&key, folder, header).is_some_and(|digest| digest.verify_slice(&mark).is_ok())
}

fn of_header(key: &[u8], folder: &Path, header: &[u8]) -> Option<Hmac<Sha256>> {
    keyed(key, &[b"firstbad journal", folder.as_os_str().as_encoded_bytes(), header])
}

/// Returns the keyed digest of `parts`, separated by zero bytes.
fn keyed(key: &[u8], parts: &[&[u8]]) -> Option<Hmac<Sha256>> {
    let mut digest = Hmac::<Sha256>::new_from_slice(key).ok()?;
    for (place, part) in parts.iter().enumerate() {
        digest.update(if place > 0 { b"\0" } else { b"" });
        digest.update(part);
    }
    Some(digest)
}

fn digits(digest: Hmac<Sha256>) -> String {
    digest.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

/// Returns firstbad's data folder.
fn home() -> Option<PathBuf> {
    Some(folders::state()?.join("firstbad"))
}

/// Returns the key in a folder, and creates one if needed. Returns `None` if the key cannot be private.
fn key_in(folder: &Path) -> Option<Vec<u8>> {
    let path = folder.join(FILE);
    if let Some(key) = read(&path) {
        return Some(key);
    }
    folders::make_private(folder).ok()?;
    let found = std::fs::symlink_metadata(folder).ok()?;
    if !found.is_dir() || !folders::is_ours(&found) || folders::is_written_by_others(&found) {
        return None;
    }
    let key = format!("{}{}", uuid::Uuid::new_v4().simple(), uuid::Uuid::new_v4().simple());
    // Linking is atomic, so the first process creates the complete file.
    let unfinished = folder.join(format!("{FILE}.{}", uuid::Uuid::new_v4().simple()));
    let made = folders::owner_alone(OpenOptions::new().write(true).create_new(true)).open(&unfinished);
    let written = made.and_then(|mut file| {
        file.write_all(key.as_bytes())?;
        file.sync_all()
    });
    let linked = written.and_then(|()| std::fs::hard_link(&unfinished, &path));
    let _ = std::fs::remove_file(&unfinished);
    match linked {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => None,
        _ => read(&path),
    }
}

/// Reads a key that no other user can read or write.
fn read(path: &Path) -> Option<Vec<u8>> {
    let file = files::without_links(OpenOptions::new().read(true)).open(path).ok()?;
    is_private(&file).then_some(())?;
    let mut key = Vec::new();
    file.take(MOST).read_to_end(&mut key).ok()?;
    (key.len() >= 64).then_some(key)
}

fn is_private(file: &File) -> bool {
    file.metadata()
        .is_ok_and(|found| found.is_file() && folders::is_ours(&found) && !folders::is_open_to_others(&found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)] // Windows has no modes.
    fn a_key_is_created_once_and_private() {
        use std::fs::Permissions;
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("state/firstbad");
        let key = key_in(&folder).unwrap();
        assert_eq!(key_in(&folder).unwrap(), key);
        let path = folder.join(FILE);
        let mode = |path: &Path| std::fs::metadata(path).unwrap().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&path)), (0o700, 0o600));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        // A key that others can read is not secret, and a link can lead to a file of another user.
        std::fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        assert_eq!(read(&path), None);
        std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        let link = folder.join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert_eq!((read(&link), read(&path)), (None, Some(key)));
        // A folder that others can write to is not safe for a key.
        let open = above.path().join("open");
        std::fs::create_dir(&open).unwrap();
        std::fs::set_permissions(&open, Permissions::from_mode(0o777)).unwrap();
        assert_eq!(key_in(&open), None);
    }

    #[test]
    fn a_mark_belongs_to_one_key_folder_and_header() {
        let mark = |key: &[u8], folder: &str, header: &[u8]| {
            of_header(key, Path::new(folder), header).unwrap().finalize().into_bytes()
        };
        let one = mark(&[1; 64], "/a", b"header");
        assert_eq!(mark(&[1; 64], "/a", b"header"), one);
        for other in [mark(&[2; 64], "/a", b"header"), mark(&[1; 64], "/b", b"header"), mark(&[1; 64], "/a", b"other")]
        {
            assert_ne!(other, one);
        }
        assert_eq!((bytes_of("00ff"), bytes_of("xx"), bytes_of("é")), (Some(vec![0, 255]), None, None));
    }
}
