//! The reason why a run stopped, in a file beside its journal.

use std::path::{Path, PathBuf};

use firstbad::{Error, Status, Stopping};
use firstbad_platform::files;
use firstbad_report::Summary;
use serde::{Deserialize, Serialize};

/// The maximum size of the file.
const MOST: u64 = 1 << 16;

#[derive(Serialize, Deserialize)]
struct Stop {
    message: String,
    /// The options to resume with, one of [`OPTIONS`].
    option: Option<String>,
}

fn beside(journal: &Path) -> PathBuf {
    let mut name = journal.file_name().unwrap_or_default().to_os_string();
    name.push(".stop");
    journal.with_file_name(name)
}

/// Options that let a stopped run continue, after a space.
const OPTIONS: [&str; 4] =
    [" --treat signal=unresolved", " --treat timeout=unresolved", " --treat 126=unresolved", " --treat 127=unresolved"];

/// Returns the options to resume with after an error.
pub(crate) fn options(error: &Error) -> &'static str {
    match error {
        Error::CommandStopped { because: Stopping::Signal, .. } => OPTIONS[0],
        Error::CommandStopped { because: Stopping::Timeout, .. } => OPTIONS[1],
        Error::CommandNotFound { code: 126, .. } => OPTIONS[2],
        Error::CommandNotFound { code: 127, .. } => OPTIONS[3],
        _ => "",
    }
}

/// Records the error that stopped a run. Write errors are ignored.
pub(crate) fn keep(journal: &Path, error: &Error) {
    let option = Some(options(error)).filter(|option| !option.is_empty()).map(str::to_owned);
    let stop = Stop { message: error.message(), option };
    if let Ok(text) = serde_json::to_vec(&stop) {
        let _ = files::write_at_once(&beside(journal), &text);
    }
}

/// Removes the record when a run starts.
pub(crate) fn forget(journal: &Path) {
    let _ = std::fs::remove_file(beside(journal));
}

fn read(journal: &Path) -> Option<Stop> {
    let read = files::open_regular(&beside(journal)).and_then(|file| files::read_file(file, MOST));
    serde_json::from_slice(&read.ok()?).ok()
}

/// Returns the reason why a run stopped, safe to print.
pub(crate) fn words_of(journal: &Path) -> Option<String> {
    Some(firstbad_report::plain(&read(journal)?.message))
}

/// Adds the reason to a summary.
pub(crate) fn tell(summary: &mut Summary, journal: &Path) {
    if summary.status() != Status::Stopped {
        return;
    }
    let Some(stop) = read(journal) else { return };
    // The file is not trusted, so only known options are used.
    let option = OPTIONS.into_iter().find(|option| stop.option.as_deref() == Some(*option));
    summary.resumes = summary.resumes.map(|_| option.unwrap_or_default());
    summary.report.warn(stop.message);
}
