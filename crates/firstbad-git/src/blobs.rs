//! Contents of files by their ids, many with one call of git, and none that is too large.

use std::process::Command;

use firstbad::Error;

use crate::git;

/// The largest file that is read, in bytes: source files are far smaller.
pub(crate) const LARGEST: usize = 8 << 20;
/// How many bytes of contents are read at once: they are all in memory.
pub(crate) const MOST: usize = 1 << 30;

/// What was asked for by an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Blob {
    Content(Vec<u8>),
    /// This clone has it not.
    Missing,
    /// It has more than [`LARGEST`] bytes.
    Large,
    /// There was no room for it among [`MOST`] bytes.
    TooMuch,
}

/// What the blobs of these ids hold, in their order. Nothing is fetched, and no filter is run.
///
/// # Errors
/// [`Error::Git`].
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

/// Which are left out before any content is read.
fn refused(git: impl Fn() -> Command, ids: &[&str]) -> Result<Vec<Option<Blob>>, Error> {
    let questions: String = ids.iter().map(|id| format!("{id}\n")).collect();
    let mut command = git();
    let answers = git::output(command.args(["cat-file", "--batch-check=%(objectsize)"]), questions.as_bytes())?;
    // What is missing has no size, and is told apart when it is read.
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

/// Takes the next answer, which is about `id`; `None` if it cannot be understood.
fn answer(rest: &mut &[u8], id: &str) -> Option<Blob> {
    let end = rest.iter().position(|&byte| byte == b'\n')?;
    let line = std::str::from_utf8(&rest[..end]).ok()?.strip_prefix(id)?;
    *rest = &rest[end + 1..];
    if line == " missing" {
        return Some(Blob::Missing);
    }
    let size: usize = line.strip_prefix(" blob ")?.parse().ok()?;
    let content = rest.get(..size)?.to_vec();
    // A line break ends each answer.
    *rest = rest.get(size + 1..)?;
    Some(Blob::Content(content))
}
