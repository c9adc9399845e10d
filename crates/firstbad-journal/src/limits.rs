//! How large a journal, and what is beside it, may be. A journal may come from anybody: what it says about its own size is
//! checked before memory is taken for it, and what is written keeps to the same.

use firstbad::Error;

/// The most bytes of a journal: a million answers with long notes are some 300 MiB.
pub(crate) const JOURNAL: u64 = 1 << 30;

/// The most bytes of one line of it. The first has the configuration, with a number for each revision where a prior was
/// given: 64 MiB are a million of them. Read as JSON, a line may take some twenty times its length.
pub(crate) const LINE: usize = 1 << 26;

/// The most bytes of all facts of a journal, as JSON and each as often as a run showed it: a million facts, and some ten times
/// that in memory. A number of one byte may stand for a fact of a line's length.
pub(crate) const FACTS: u64 = 1 << 27;

/// The most revisions of a history beside a journal: ten times those of the largest repositories.
pub(crate) const REVISIONS: usize = 1 << 24;

/// The most bytes of one of its lines: the id of a revision and those of its parents. The merge of ten thousand branches
/// takes half of it.
pub(crate) const REVISION: usize = 1 << 20;

/// The most bytes of the whole history, unpacked; a compressed file may hold a thousand times its size.
pub(crate) const HISTORY: u64 = 1 << 30;

/// The most bytes of a lock: it says who has it.
pub(crate) const LOCK: u64 = 1 << 12;

/// Checks a length.
///
/// # Errors
/// [`Error::Journal`] that names the limit, where it is exceeded.
pub(crate) fn check(path: &std::path::Path, what: &str, length: u64, most: u64) -> Result<(), Error> {
    if length <= most {
        return Ok(());
    }
    let message = format!("{what} has more than {most} bytes, the most that is read and written");
    Err(Error::Journal { path: path.display().to_string(), message })
}
