//! What stopped a run, kept beside its journal: whoever asks later is to know, and what goes on where that would come again.

use std::path::{Path, PathBuf};

use firstbad::{Error, Status, Stopping};
use firstbad_platform::files;
use firstbad_report::Summary;
use serde::{Deserialize, Serialize};

/// The most that is read.
const MOST: u64 = 1 << 16;

#[derive(Serialize, Deserialize)]
struct Stop {
    /// In words.
    message: String,
    /// The option of which another value would let the run go on; `None` if there is none.
    option: Option<String>,
}

fn beside(journal: &Path) -> PathBuf {
    let mut name = journal.file_name().unwrap_or_default().to_os_string();
    name.push(".stop");
    journal.with_file_name(name)
}

/// What runs need to go on, as options with a blank before them.
const OPTIONS: [&str; 4] = [
    " --on-signal unresolved",
    " --on-timeout unresolved",
    " --exit-code 126=unresolved",
    " --exit-code 127=unresolved",
];

/// What a run that this has stopped needs to go on, one of [`OPTIONS`]; empty if there is nothing.
pub(crate) fn options(error: &Error) -> &'static str {
    match error {
        Error::CommandStopped { because: Stopping::Signal, .. } => OPTIONS[0],
        Error::CommandStopped { because: Stopping::Timeout, .. } => OPTIONS[1],
        Error::CommandNotFound { code: 126, .. } => OPTIONS[2],
        Error::CommandNotFound { code: 127, .. } => OPTIONS[3],
        _ => "",
    }
}

/// Keeps what stopped the run of this journal. It is a help that nobody asked for: where it cannot be written, nothing is said.
pub(crate) fn keep(journal: &Path, error: &Error) {
    let option = Some(options(error)).filter(|option| !option.is_empty()).map(str::to_owned);
    let stop = Stop { message: error.message(), option };
    if let Ok(text) = serde_json::to_vec(&stop) {
        let _ = files::write_at_once(&beside(journal), &text);
    }
}

/// Forgets it: the run goes on.
pub(crate) fn forget(journal: &Path) {
    let _ = std::fs::remove_file(beside(journal));
}

fn read(journal: &Path) -> Option<Stop> {
    let read = files::open_regular(&beside(journal)).and_then(|file| files::read_file(file, MOST));
    serde_json::from_slice(&read.ok()?).ok()
}

/// What stopped the run of this journal, in words that may be printed as they are; `None` if that is not known.
pub(crate) fn words_of(journal: &Path) -> Option<String> {
    Some(firstbad_report::plain(&read(journal)?.message))
}

/// Says in an answer what stopped the run.
pub(crate) fn tell(summary: &mut Summary, journal: &Path) {
    if summary.status() != Status::Stopped {
        return;
    }
    let Some(stop) = read(journal) else { return };
    // What a file says is followed no further than this.
    let option = OPTIONS.into_iter().find(|option| stop.option.as_deref() == Some(*option));
    summary.resumes = summary.resumes.map(|_| option.unwrap_or_default());
    summary.report.warn(stop.message);
}
