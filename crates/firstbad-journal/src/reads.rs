//! What a search was given to see, in a folder beside the journal: a file for each content, named by its digest.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use firstbad::{Content, Error, Event};
use firstbad_platform::files;

use crate::disk::{Disk, beside, failed, sync_name, write_whole};

/// The most bytes that a content may have here: what [`Content`] takes, and one more.
const MOST: u64 = (1 << 28) + 1;

fn folder(journal: &Path) -> PathBuf {
    beside(journal, "reads")
}

/// Writes what events were given, so that it is on the disk before they are, and takes it out of them.
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
        // One that is there may have been written by a process that was killed before its name was on the disk.
        if !path.exists() {
            write_whole(disk, &path, |file| file.write_all(content.bytes()))?;
        }
        sync_name(disk, &path)
    };
    written().map_err(|error| failed(journal, "writing what it was given to see", &error))
}

/// Puts what events were given back into them.
///
/// # Errors
/// [`Error::Journal`] if it is not there, or is something else.
pub(crate) fn restore(journal: &Path, event: &mut Event) -> Result<(), Error> {
    let Event::Read { id, digest, content } = event else { return Ok(()) };
    let broken = |message: String| Error::Journal { path: journal.display().to_string(), message };
    // A name of our own making: a journal may come from anybody.
    if digest.len() != 64 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(broken(format!("the digest of read {id} is none: {digest:?}")));
    }
    let path = folder(journal).join(&*digest);
    let mut bytes = Vec::new();
    files::open_regular(&path)
        .and_then(|file| file.take(MOST).read_to_end(&mut bytes))
        .map_err(|error| broken(format!("what read {id} was given, {}, cannot be read: {error}", path.display())))?;
    let found = Content::new(&bytes)?;
    if found.digest() != digest {
        return Err(broken(format!("what read {id} was given has changed: {}", path.display())));
    }
    *content = Some(found);
    Ok(())
}
