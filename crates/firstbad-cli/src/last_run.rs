//! The journals that nobody named: each run is kept in the cache folder of its repository, or of the folder where it was begun
//! if that is in none, and the last one is found again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use firstbad::Error;
use firstbad_git::{Repository, cache_folder};
use firstbad_journal::{Header, WorldRecord, moment, now};
use firstbad_platform::files;
use serde_json::Value;

use crate::args::OutputArgs;
use crate::streams;
use crate::view::time;

/// How many journals that nobody named are kept for a repository or a folder.
const KEPT: usize = 50;

/// The commands whose runs are kept, each of which goes on with the last of its own.
const COMMANDS: [&str; 4] = ["run", "slice", "port", "reduce"];

/// How long a file may be that says where the last run is kept.
const LONGEST: u64 = 1 << 16;

/// The name of that file, for the last run of one command or, if that is `None`, of any.
fn last_name(command: Option<&str>) -> String {
    command.map_or("last.json".to_owned(), |command| format!("last-{command}.json"))
}

const KIND: &str = "journals";

/// Where the journals of a repository, or of a folder that is in none, are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Journals {
    folder: PathBuf,
}

impl Journals {
    /// Those of a repository.
    ///
    /// # Errors
    /// [`Error::Io`] where the cache folder cannot be written.
    pub(crate) fn of(repository: &Repository) -> Result<Journals, Error> {
        Ok(Journals { folder: repository.cache_folder(KIND)? })
    }

    /// Those of the repository that a folder is in, or of the folder itself if it is in none.
    ///
    /// # Errors
    /// [`Error::Io`] where the cache folder cannot be written, or where there is no such folder.
    pub(crate) fn at(folder: &Path) -> Result<Journals, Error> {
        match Repository::open(folder) {
            Ok(repository) => Journals::of(&repository),
            Err(_) => Ok(Journals { folder: cache_folder(KIND, folder)? }),
        }
    }

    /// A new place for the journal of a run. The oldest of those that nobody named are removed. Its name ends with `key`, by
    /// which [`Journals::newest`] finds it; that may be empty.
    pub(crate) fn place(&self, key: &str) -> PathBuf {
        let kept = self.kept();
        let surplus = (kept.len() + 1).saturating_sub(KEPT);
        kept.iter().take(surplus).for_each(|path| remove(path));
        let now = moment();
        let stamp = now.trim_end_matches('Z').replace(':', "-");
        let dash = if key.is_empty() { "" } else { "-" };
        self.folder.join(format!("{stamp}-{}{dash}{key}.jsonl", std::process::id()))
    }

    /// The newest journal whose name ends with this key; `None` if there is none.
    pub(crate) fn newest(&self, key: &str) -> Option<PathBuf> {
        let end = format!("-{key}.jsonl");
        let is_one = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&end));
        self.kept().into_iter().rfind(is_one)
    }

    /// All journals that nobody named, the oldest first: their names begin with when they were made.
    fn kept(&self) -> Vec<PathBuf> {
        let mut kept: Vec<PathBuf> = std::fs::read_dir(&self.folder)
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default();
        kept.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
        kept.sort_unstable();
        kept
    }

    /// Keeps in mind that the last run, which is of this command, is kept in this journal. It is a help that nobody asked for:
    /// where it cannot be written, nothing is said.
    pub(crate) fn remember(&self, command: &str, journal: &Path) {
        for command in [None, Some(command)] {
            let _ = self.write(&last_name(command), journal);
        }
    }

    fn write(&self, name: &str, journal: &Path) -> Result<(), Error> {
        let failed =
            |error: std::io::Error| Error::Io { action: "keeping the last run".into(), message: error.to_string() };
        let path = std::path::absolute(journal).map_err(failed)?;
        // A path that is no text cannot be written down; then the one before stays the last one.
        let Some(path) = path.to_str() else { return Ok(()) };
        let text = serde_json::json!({ "journal": path }).to_string();
        files::write_at_once(&self.folder.join(name), text.as_bytes()).map_err(failed)
    }

    /// The journal of the last run, of this command if one is given; `None` if there was none.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a journal that is no longer there.
    pub(crate) fn last(&self, command: Option<&str>) -> Result<Option<PathBuf>, Error> {
        #[derive(serde::Deserialize)]
        struct Last {
            journal: PathBuf,
        }
        let path = self.folder.join(last_name(command));
        let text = files::open_regular(&path).and_then(|file| files::read_file(file, LONGEST)).unwrap_or_default();
        let Ok(Last { journal }) = serde_json::from_slice(&text) else { return Ok(None) };
        if !journal.exists() {
            let expected = format!("the path of a journal: that of the last run here, {}, is gone", journal.display());
            return Err(missing(&expected));
        }
        Ok(Some(journal))
    }

    /// The last run, of this command if one is given, in a repository that is gone and had commits that the one in this folder has.
    fn moved(&self, command: Option<&str>, folder: &Path) -> Option<PathBuf> {
        let repository = Repository::open(folder).ok()?;
        std::fs::read_dir(self.folder.parent()?).ok()?.flatten().find_map(|other| {
            let journal = Journals { folder: other.path() }.last(command).ok()??;
            let WorldRecord::Git(origin) = firstbad_journal::read_header(&journal).ok()?.world else { return None };
            let is_moved = !Path::new(&origin.repository).exists()
                && origin.tips.iter().all(|tip| repository.resolve(tip).is_ok());
            is_moved.then_some(journal)
        })
    }

    /// Whether this journal is one that nobody named, and that of the last run of its command: then it need not be named.
    pub(crate) fn is_found(&self, journal: &Path) -> bool {
        let is_last = |command| self.last(Some(command)).is_ok_and(|last| last.as_deref() == Some(journal));
        journal.parent() == Some(&self.folder) && COMMANDS.into_iter().any(is_last)
    }
}

/// The journal that is meant: the one given, else that of the last run, of `command` if one is given, in the repository in this
/// folder (`None` for the one here, or the folder itself if that is in no repository).
///
/// # Errors
/// [`Error::InvalidArgument`] where none is given and no run is known; those of [`Repository::open`].
pub(crate) fn meant(given: Option<&Path>, repository: Option<&Path>, command: Option<&str>) -> Result<PathBuf, Error> {
    if let Some(journal) = given {
        return Ok(journal.to_owned());
    }
    let journals = match repository {
        Some(folder) => Journals::of(&Repository::open(folder)?)?,
        None => Journals::at(Path::new("."))?,
    };
    let last = journals.last(command)?;
    let before = command.unwrap_or("run");
    last.ok_or_else(|| {
        let moved = journals.moved(command, repository.unwrap_or(Path::new(".")));
        let moved = moved.map_or(String::new(), |path| {
            format!("; {} is of a repository with this history that is gone, or was moved here", path.display())
        });
        missing(&format!("the path of one, or firstbad {before} before it: no {before} was begun here yet{moved}"))
    })
}

/// Says which run the last one here is, to whoever named no journal and wants to be told.
pub(crate) fn say_which(last: &Header, given: Option<&Path>, output: OutputArgs) {
    if given.is_some() || output.quiet {
        return;
    }
    let ago = Duration::try_from_secs_f64((now() - last.created).max(0.0)).unwrap_or_default();
    let words = last.test["command"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let command = firstbad_report::plain(&words.collect::<Vec<_>>().join(" "));
    let colon = if command.is_empty() { "" } else { ": " };
    streams::note(format_args!("the last run here, begun {} ago{colon}{command}", time(ago)));
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
