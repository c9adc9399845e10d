//! Allows one writer per journal.
//!
//! The lock is a file next to the journal that one process has open exclusively
//! ([`open_alone`](firstbad_platform::files::open_alone)). Workers that outlive a killed process do not keep its journal locked.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use firstbad::Error;
use firstbad_platform::files::{self, Alone};
use firstbad_platform::processes::machine;
use serde::{Deserialize, Serialize};

use crate::clock::moment;
use crate::disk::beside;
use crate::limits;

/// The interval between attempts to get a lock.
const GLANCE: Duration = Duration::from_millis(20);

/// The maximum number of immediate attempts after a lock was just released. Not all file systems report the holder.
const STALE: u32 = 100;

/// The journals that this process holds with its process id, because Unix locks have no effect within one process. A forked
/// process has a copy of this list.
static HELD: Mutex<Vec<(PathBuf, u32)>> = Mutex::new(Vec::new());

fn held() -> MutexGuard<'static, Vec<(PathBuf, u32)>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The holder of a journal.
#[derive(Serialize, Deserialize)]
struct Holder {
    process: u32,
    machine: String,
    program: String,
    since: String,
}

impl Holder {
    fn this() -> Holder {
        let program = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
        Holder {
            process: std::process::id(),
            machine: machine(),
            program: program.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            since: moment(),
        }
    }
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Holder { process, machine, program, since } = self;
        write!(f, "process {process} ({program}) on {machine} since {since}")
    }
}

/// The result of one attempt.
enum Attempt {
    Ours(Lock),
    /// Another holder has the lock.
    Held(String),
    /// The previous holder just removed the file, so a lock on it is useless.
    Stale,
}

/// The lock of a journal. Dropping it releases the lock.
#[derive(Debug)]
pub(crate) struct Lock {
    journal: PathBuf,
    path: PathBuf,
    /// Closing the file releases the lock.
    file: Option<File>,
    owner: u32,
}

impl Lock {
    /// Locks `journal` (an absolute path), and waits at most `wait` for it.
    ///
    /// # Errors
    /// [`Error::JournalLocked`] with the holder, and [`Error::Journal`].
    pub(crate) fn acquire(journal: &Path, wait: Duration) -> Result<Lock, Error> {
        let path = beside(journal, "lock");
        let deadline = Instant::now().checked_add(wait);
        let mut stale = 0;
        loop {
            let holder = match Lock::attempt(journal, &path) {
                Ok(Attempt::Ours(lock)) => return Ok(lock),
                Ok(Attempt::Stale) if stale < STALE => {
                    stale += 1;
                    continue;
                }
                Ok(Attempt::Stale) => "another process".to_owned(),
                Ok(Attempt::Held(holder)) => holder,
                Err(error) => {
                    let message = format!("making the lock {}: {error}", path.display());
                    return Err(Error::Journal { path: journal.display().to_string(), message });
                }
            };
            let left = deadline.map_or(GLANCE, |deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Err(Error::JournalLocked { path: journal.display().to_string(), holder });
            }
            std::thread::sleep(left.min(GLANCE));
        }
    }

    /// Returns the lock or its holder.
    fn attempt(journal: &Path, path: &Path) -> std::io::Result<Attempt> {
        let owner = std::process::id();
        let mut held = held();
        if held.iter().any(|(other, process)| other == journal && *process == owner) {
            return Ok(Attempt::Held("another session of this process".to_owned()));
        }
        let mut file = match files::open_alone(path)? {
            Alone::Ours(file) => file,
            Alone::Free => return Ok(Attempt::Stale),
            Alone::Held { file, process } => {
                let mut text = String::new();
                file.take(limits::LOCK).read_to_string(&mut text)?;
                // The text can be from an earlier holder if the current one has not written its own yet. Process ids are only
                // meaningful on the same machine and in the same container.
                let holder = serde_json::from_str::<Holder>(&text).ok().filter(|holder| {
                    process.is_none_or(|process| process == holder.process) || holder.machine != machine()
                });
                return Ok(Attempt::Held(match (holder, process) {
                    (Some(holder), _) => holder.to_string(),
                    (None, Some(process)) => format!("process {process}"),
                    (None, None) => "another process".to_owned(),
                }));
            }
        };
        // The previous holder may have just removed the file, so the next process would lock another one.
        if !files::leads_to(path, &file) {
            return Ok(Attempt::Stale);
        }
        file.set_len(0)?;
        file.write_all(serde_json::to_string(&Holder::this())?.as_bytes())?;
        held.push((journal.to_owned(), owner));
        Ok(Attempt::Ours(Lock { journal: journal.to_owned(), path: path.to_owned(), file: Some(file), owner }))
    }

    /// Returns whether this process has the lock. A fork of the holder does not.
    pub(crate) fn is_ours(&self) -> bool {
        self.owner == std::process::id()
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.is_ours() {
            // Closing a file releases all locks of the process on it, so no other thread must get the lock before that.
            let mut held = held();
            if let Some(file) = self.file.take() {
                files::give_up(&self.path, file);
            }
            held.retain(|(journal, process)| !(journal == &self.journal && *process == self.owner));
        }
    }
}

// Windows has no forks, and its child processes do not inherit files.
#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    use rustix::process::{Pid, Signal, kill_process};

    use super::*;

    const JOURNAL: &str = "FIRSTBAD_TEST_LOCK";

    /// A process that holds a lock, and a worker with all of its files open, as after a fork.
    #[test]
    fn holder() {
        let Some(journal) = std::env::var_os(JOURNAL) else { return };
        let lock = Lock::acquire(Path::new(&journal), Duration::ZERO).unwrap();
        let mut worker = Command::new("sleep");
        worker.arg("600").stdin(lock.file.as_ref().unwrap().try_clone().unwrap()).stdout(Stdio::null());
        let id = worker.stderr(Stdio::null()).spawn().unwrap().id();
        // Closing this copy would release the lock, so it stays open until the process ends.
        writeln!(std::io::stderr(), "{id}").unwrap();
        std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
        drop(worker);
    }

    #[test]
    fn workers_that_outlive_a_killed_process_do_not_keep_its_journal() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().canonicalize().unwrap().join("run.jsonl");
        let mut holder = Command::new(std::env::current_exe().unwrap());
        holder.args(["lock::tests::holder", "--exact", "--nocapture"]).env(JOURNAL, &journal);
        holder.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut holder = holder.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(holder.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let worker = Pid::from_raw(line.trim().parse().unwrap()).unwrap();
        let refused = Lock::acquire(&journal, Duration::ZERO).is_err();
        holder.kill().unwrap();
        holder.wait().unwrap();
        let taken = Lock::acquire(&journal, Duration::ZERO);
        kill_process(worker, Signal::KILL).unwrap();
        assert!(refused);
        taken.unwrap();
    }
}
