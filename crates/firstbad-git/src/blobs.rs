//! Reading many blobs by id with one call of Git, without those that are too large.

use std::process::Command;

use firstbad::Error;

use crate::git;

/// The largest file to read, in bytes. Source files are far smaller.
pub(crate) const LARGEST: usize = 8 << 20;
/// The maximum total size of contents to read at once, in bytes.
pub(crate) const MOST: usize = 1 << 30;

/// The result of reading a blob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Blob {
    Content(Vec<u8>),
    /// The object is missing from this clone.
    Missing,
    /// The blob is larger than [`LARGEST`].
    Large,
    /// The blob exceeds the remaining space of [`MOST`].
    TooMuch,
}

/// Reads the blobs with these ids, in order. Does not fetch and does not run filters.
///
/// # Errors
/// [`Error::Git`] if Git fails or its output cannot be parsed.
pub(crate) fn read(git: impl Fn() -> Command, ids: &[&str]) -> Result<Vec<Blob>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = refused(&git, ids)?;
    let asked = || ids.iter().zip(&found).filter(|(_, refused)| refused.is_none()).map(|(id, _)| *id);
    let questions: String = asked().map(|id| format!("{id}\n")).collect();
    let answers = git::output(git().args(["cat-file", "--batch"]), questions.as_bytes())?;
    let mut rest = answers.as_slice();
    let unclear = |id: &str| Error::Git { message: format!("cannot understand git cat-file about {id}") };
    ids.iter()
        .zip(&mut found)
        .map(|(id, refused)| refused.take().map_or_else(|| answer(&mut rest, id).ok_or_else(|| unclear(id)), Ok))
        .collect()
}

/// Returns which blobs to leave out, based on their sizes.
fn refused(git: impl Fn() -> Command, ids: &[&str]) -> Result<Vec<Option<Blob>>, Error> {
    let questions: String = ids.iter().map(|id| format!("{id}\n")).collect();
    let mut command = git();
    let answers = git::output(command.args(["cat-file", "--batch-check=%(objectsize)"]), questions.as_bytes())?;
    // Missing blobs have no size. The second call detects them.
    let sizes = answers
        .split(|&byte| byte == b'\n')
        .map(|line| std::str::from_utf8(line).ok().and_then(|line| line.parse::<usize>().ok()).unwrap_or_default());
    let mut room = MOST;
    let judged = ids.iter().zip(sizes).map(|(_, size)| {
        if size > LARGEST {
            return Some(Blob::Large);
        }
        match room.checked_sub(size) {
            Some(left) => room = left,
            None => return Some(Blob::TooMuch),
        }
        None
    });
    Ok(judged.collect())
}

/// Parses the next result, which must be about `id`.
fn answer(rest: &mut &[u8], id: &str) -> Option<Blob> {
    let end = rest.iter().position(|&byte| byte == b'\n')?;
    let line = std::str::from_utf8(&rest[..end]).ok()?.strip_prefix(id)?;
    *rest = &rest[end + 1..];
    if line == " missing" {
        return Some(Blob::Missing);
    }
    let size: usize = line.strip_prefix(" blob ")?.parse().ok()?;
    let content = rest.get(..size)?.to_vec();
    // Each result ends with a line break.
    *rest = rest.get(size + 1..)?;
    Some(Blob::Content(content))
}
