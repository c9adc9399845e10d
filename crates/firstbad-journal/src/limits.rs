//! Size limits of journals and the files next to them. Journals can come from untrusted sources, so readers check sizes before
//! they allocate memory. Writers keep the same limits.

use firstbad::Error;

/// The maximum size of a journal in bytes. A million outcomes with long notes are about 300 MiB.
pub(crate) const JOURNAL: u64 = 1 << 30;

/// The maximum size of a line in bytes. The header contains the configuration, which can have a prior for each revision: a
/// million of them are 64 MiB. Parsed JSON can take twenty times as much memory.
pub(crate) const LINE: usize = 1 << 26;

/// The maximum total size of the facts in a journal as JSON, counting each fact for every run that showed it: about a million
/// facts. In memory, they take about ten times as much. A one-byte number can refer to a fact as long as a line.
pub(crate) const FACTS: u64 = 1 << 27;

/// The maximum number of revisions in a history next to a journal, ten times that of the largest repositories.
pub(crate) const REVISIONS: usize = 1 << 24;

/// The maximum size of a line of the history in bytes: the id of a revision and those of its parents. A merge of ten thousand
/// branches takes half of it.
pub(crate) const REVISION: usize = 1 << 20;

/// The maximum size of the decompressed history in bytes. It can be a thousand times as large as its file.
pub(crate) const HISTORY: u64 = 1 << 30;

/// The maximum size of a lock file in bytes.
pub(crate) const LOCK: u64 = 1 << 12;

/// Checks a length.
///
/// # Errors
/// [`Error::Journal`] if the length exceeds the limit.
pub(crate) fn check(path: &std::path::Path, what: &str, length: u64, most: u64) -> Result<(), Error> {
    if length <= most {
        return Ok(());
    }
    let message = format!("{what} has more than {most} bytes, the limit for journals");
    Err(Error::Journal { path: path.display().to_string(), message })
}
