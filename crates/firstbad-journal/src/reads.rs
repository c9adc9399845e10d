//! Stores contents that a search has read in a folder next to the journal, in files named by their digests.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use firstbad::{Content, Error, Event};
use firstbad_platform::files;

use crate::disk::{Disk, beside, failed, sync_name, write_whole};

/// The maximum bytes of a content: one more than the limit of [`Content`].
const MOST: u64 = (1 << 28) + 1;

fn folder(journal: &Path) -> PathBuf {
    beside(journal, "reads")
}

/// Moves the contents of an event to files, which are on disk before the event is.
///
/// # Errors
/// [`Error::Journal`].
pub(crate) fn keep(disk: &dyn Disk, journal: &Path, event: &mut Event) -> Result<(), Error> {
    let Event::Read { digest, content, .. } = event else { return Ok(()) };
    let Some(content) = content.take() else { return Ok(()) };
    let folder = folder(journal);
    let path = folder.join(digest);
    let written = || -> std::io::Result<()> {
        disk.make_folder(&folder)?;
        sync_name(disk, &folder)?;
        // An existing file may come from a process that was killed before the name was on disk.
        if !path.exists() {
            write_whole(disk, &path, |file| file.write_all(content.bytes()))?;
        }
        sync_name(disk, &path)
    };
    written().map_err(|error| failed(journal, "writing the content of a read", &error))
}

/// Restores the contents of an event from files.
///
/// # Errors
/// [`Error::Journal`] if a file is missing or does not match its digest.
pub(crate) fn restore(journal: &Path, event: &mut Event) -> Result<(), Error> {
    let Event::Read { id, digest, content } = event else { return Ok(()) };
    let broken = |message: String| Error::Journal { path: journal.display().to_string(), message };
    // A journal is untrusted, so its digest could be any path.
    if digest.len() != 64 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(broken(format!("the digest of read {id} is not valid: {digest:?}")));
    }
    let path = folder(journal).join(&*digest);
    let mut bytes = Vec::new();
    files::open_regular(&path)
        .and_then(|file| file.take(MOST).read_to_end(&mut bytes))
        .map_err(|error| broken(format!("the content of read {id}, {}, cannot be read: {error}", path.display())))?;
    let found = Content::new(&bytes)?;
    if found.digest() != digest {
        return Err(broken(format!("the content of read {id} has changed: {}", path.display())));
    }
    *content = Some(found);
    Ok(())
}
