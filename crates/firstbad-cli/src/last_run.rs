//! The journals that nobody named: each run is kept in the cache folder of its repository, and the last one is found again.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use firstbad::Error;
use firstbad_git::Repository;

/// How many journals that nobody named are kept for a repository.
const KEPT: usize = 50;

/// The file that says where the last run is kept, and how long it may be.
const LAST: &str = "last.json";
const LONGEST: u64 = 1 << 16;

/// A new place for the journal of a run in this repository. The oldest of those that nobody named are removed.
///
/// # Errors
/// [`Error::Io`] where the cache folder cannot be written.
pub(crate) fn place(repository: &Repository) -> Result<PathBuf, Error> {
    let folder = repository.cache_folder("journals")?;
    let mut kept: Vec<PathBuf> = std::fs::read_dir(&folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect::<Vec<_>>())
        .unwrap_or_default();
    kept.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    // Their names begin with when they were made.
    kept.sort_unstable();
    let surplus = (kept.len() + 1).saturating_sub(KEPT);
    kept.iter().take(surplus).for_each(|path| remove(path));
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let stamp = now.trim_end_matches('Z').replace(':', "-");
    Ok(folder.join(format!("{stamp}-{}.jsonl", std::process::id())))
}

/// Keeps in mind that the last run in this repository is kept in this journal. It is a help that nobody asked for: where it
/// cannot be written, nothing is said. Returns the one before; `None` if there is none.
pub(crate) fn remember(repository: &Repository, journal: &Path) -> Option<PathBuf> {
    let before = last(repository).ok().flatten();
    let _ = write(repository, journal);
    before
}

/// Removes the journal of a run that nothing was seen in: the last run is the one before again.
pub(crate) fn forget(repository: &Repository, journal: &Path, before: Option<&Path>) {
    remove(journal);
    let _ = match before {
        Some(before) => write(repository, before),
        None => repository.cache_folder("journals").map(|folder| drop(std::fs::remove_file(folder.join(LAST)))),
    };
}

fn write(repository: &Repository, journal: &Path) -> Result<(), Error> {
    let folder = repository.cache_folder("journals")?;
    let failed =
        |error: std::io::Error| Error::Io { action: "keeping the last run".into(), message: error.to_string() };
    let path = std::path::absolute(journal).map_err(failed)?;
    // A path that is no text cannot be written down; then the one before stays the last one.
    let Some(path) = path.to_str() else { return Ok(()) };
    let text = serde_json::json!({ "journal": path }).to_string();
    let made = folder.join(format!("{LAST}.{}", std::process::id()));
    std::fs::write(&made, text).and_then(|()| std::fs::rename(&made, folder.join(LAST))).map_err(failed)
}

/// The journal that is meant: the one given, else that of the last run in the repository in this folder (`None` for the one
/// here).
///
/// # Errors
/// [`Error::InvalidArgument`] where none is given and no run is known; those of [`Repository::open`].
pub(crate) fn meant(given: Option<&Path>, repository: Option<&Path>) -> Result<PathBuf, Error> {
    match given {
        Some(journal) => Ok(journal.to_owned()),
        None => {
            let expected = "the path of a journal, or a run before in the repository that you stand in";
            let repository = match repository {
                Some(folder) => Repository::open(folder)?,
                None => Repository::open(".").map_err(|_| missing(expected))?,
            };
            last(&repository)?.ok_or_else(|| missing(expected))
        }
    }
}

/// The journal of the last run in this repository; `None` if there was none.
///
/// # Errors
/// [`Error::InvalidArgument`] for a journal that is no longer there; those of the cache folder.
pub(crate) fn last(repository: &Repository) -> Result<Option<PathBuf>, Error> {
    #[derive(serde::Deserialize)]
    struct Last {
        journal: PathBuf,
    }
    let path = repository.cache_folder("journals")?.join(LAST);
    let is_short = std::fs::metadata(&path).is_ok_and(|found| found.len() <= LONGEST);
    let text = if is_short { std::fs::read(&path).unwrap_or_default() } else { Vec::new() };
    let Ok(Last { journal }) = serde_json::from_slice(&text) else { return Ok(None) };
    if !journal.exists() {
        let expected = format!("the path of a journal: that of the last run here, {}, is gone", journal.display());
        return Err(missing(&expected));
    }
    Ok(Some(journal))
}

/// Whether this journal is one that nobody named, and that of the last run in this repository: then it need not be named.
pub(crate) fn is_found(repository: &Repository, journal: &Path) -> bool {
    let folder = repository.cache_folder("journals").ok();
    folder.as_deref() == journal.parent() && last(repository).is_ok_and(|last| last.as_deref() == Some(journal))
}

fn missing(expected: &str) -> Error {
    Error::InvalidArgument { argument: "the journal".into(), value: String::new(), expected: expected.into() }
}

/// Removes a journal, and what is kept beside it. Left behind they do no harm.
fn remove(journal: &Path) {
    let stem = journal.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = journal.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    for entry in folder.into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&stem) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
