//! The journals in the cache, and the last run of each repository.

use std::path::{Path, PathBuf};
use std::time::Duration;

use firstbad::Error;
use firstbad_git::{Repository, cache_folder};
use firstbad_journal::{Header, WorldRecord, moment, now};
use firstbad_platform::files;
use serde_json::Value;

use crate::streams;
use crate::view::time;

/// The maximum number of journals in the cache per repository.
const KEPT: usize = 50;

/// The commands that can resume their last run.
const COMMANDS: [&str; 5] = ["run", "triage", "slice", "port", "minimize"];

/// The maximum size of the file that names the last run.
const LONGEST: u64 = 1 << 16;

/// Returns the name of the file for the last run of one command, or of any.
fn last_name(command: Option<&str>) -> String {
    command.map_or("last.json".to_owned(), |command| format!("last-{command}.json"))
}

const KIND: &str = "journals";

/// The journals of a repository, or of a folder outside of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Journals {
    folder: PathBuf,
}

impl Journals {
    /// Returns the journals of a repository.
    pub(crate) fn of(repository: &Repository) -> Result<Journals, Error> {
        Ok(Journals { folder: repository.cache_folder(KIND)? })
    }

    /// Returns the journals of the repository of a folder, or of the folder itself.
    pub(crate) fn at(folder: &Path) -> Result<Journals, Error> {
        match Repository::open(folder) {
            Ok(repository) => Journals::of(&repository),
            Err(_) => Ok(Journals { folder: cache_folder(KIND, folder)? }),
        }
    }

    /// Returns the path of a new journal, and removes the oldest journals. [`Journals::newest`] finds the journal by `key`.
    pub(crate) fn place(&self, key: &str) -> PathBuf {
        let kept = self.kept();
        let surplus = (kept.len() + 1).saturating_sub(KEPT);
        kept.iter().take(surplus).for_each(|path| remove(path));
        let now = moment();
        let stamp = now.trim_end_matches('Z').replace(':', "-");
        let dash = if key.is_empty() { "" } else { "-" };
        self.folder.join(format!("{stamp}-{}{dash}{key}.jsonl", std::process::id()))
    }

    /// Returns the newest journal with this key.
    pub(crate) fn newest(&self, key: &str) -> Option<PathBuf> {
        let end = format!("-{key}.jsonl");
        let is_one = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&end));
        self.kept().into_iter().rfind(is_one)
    }

    /// Returns the journals, oldest first.
    fn kept(&self) -> Vec<PathBuf> {
        let mut kept: Vec<PathBuf> = std::fs::read_dir(&self.folder)
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default();
        kept.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
        kept.sort_unstable();
        kept
    }

    /// Records the last run of a command. Errors are ignored.
    pub(crate) fn remember(&self, command: &str, journal: &Path) {
        for command in [None, Some(command)] {
            let _ = self.write(&last_name(command), journal);
        }
    }

    fn write(&self, name: &str, journal: &Path) -> Result<(), Error> {
        let failed =
            |error: std::io::Error| Error::Io { action: "recording the last run".into(), message: error.to_string() };
        let path = std::path::absolute(journal).map_err(failed)?;
        // JSON has no form for other paths.
        let Some(path) = path.to_str() else { return Ok(()) };
        let text = serde_json::json!({ "journal": path }).to_string();
        files::write_at_once(&self.folder.join(name), text.as_bytes()).map_err(failed)
    }

    /// Returns the journal of the last run of a command, or of any command.
    pub(crate) fn last(&self, command: Option<&str>) -> Result<Option<PathBuf>, Error> {
        #[derive(serde::Deserialize)]
        struct Last {
            journal: PathBuf,
        }
        let path = self.folder.join(last_name(command));
        let text = files::open_regular(&path).and_then(|file| files::read_file(file, LONGEST)).unwrap_or_default();
        let Ok(Last { journal }) = serde_json::from_slice(&text) else { return Ok(None) };
        if !journal.exists() {
            let expected = format!(
                "the journal of the last run in this folder, {}, was deleted\nhelp: name another journal",
                journal.display()
            );
            return Err(missing(&expected));
        }
        Ok(Some(journal))
    }

    /// Finds the last run of a repository with this history that was moved here.
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

    /// Returns whether `--resume` finds this journal.
    pub(crate) fn is_found(&self, journal: &Path) -> bool {
        let is_last = |command| self.last(Some(command)).is_ok_and(|last| last.as_deref() == Some(journal));
        journal.parent() == Some(&self.folder) && COMMANDS.into_iter().any(is_last)
    }
}

/// Returns the given journal, or the journal of the last run in a repository.
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
            format!(", but {} has the last run of a repository with this history that was moved", path.display())
        });
        missing(&format!(
            "no {before} was started in this folder{moved}\nhelp: name a journal, or start with `firstbad {before}`"
        ))
    })
}

/// Returns the given journal, or the journal of the last run or triage in a repository.
pub(crate) fn to_explain(given: Option<&Path>, repository: Option<&Path>) -> Result<PathBuf, Error> {
    let run = meant(given, repository, Some("run"));
    if given.is_some() {
        return run;
    }
    let created = |journal: &PathBuf| firstbad_journal::read_header(journal).map_or(0.0, |header| header.created);
    match (run, meant(None, repository, Some("triage"))) {
        (Ok(run), Ok(triage)) => Ok(if created(&triage) > created(&run) { triage } else { run }),
        (Err(_), Ok(triage)) => Ok(triage),
        (run, Err(_)) => run,
    }
}

/// Prints which run the last run is, unless a journal is given.
pub(crate) fn say_which(last: &Header, given: Option<&Path>, quiet: bool) {
    if given.is_some() || quiet {
        return;
    }
    let ago = Duration::try_from_secs_f64((now() - last.created).max(0.0)).unwrap_or_default();
    let words = last.test["command"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let command = firstbad_report::plain(&words.collect::<Vec<_>>().join(" "));
    let colon = if command.is_empty() { "" } else { ": " };
    streams::note(format_args!("the last run in this folder, started {} ago{colon}{command}", time(ago)));
}

fn missing(expected: &str) -> Error {
    Error::InvalidArgument { argument: "JOURNAL".into(), value: String::new(), expected: expected.into() }
}

/// Removes a journal and its files.
fn remove(journal: &Path) {
    let stem = journal.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = journal.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    for entry in folder.into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&stem) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
