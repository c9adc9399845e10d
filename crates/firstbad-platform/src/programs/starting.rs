//! Starting programs that other threads of this process may have just written.
//!
//! Linux does not start a program that is open for writing ("text file busy"). A newly forked process has all our open files
//! until it executes its program, so it can block the start of a program that another thread has written.

use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{PoisonError, RwLock};
use std::thread::sleep;
use std::time::Duration;

/// Locked for reading while a process starts, and for writing while a program is written.
static BEGINNING: RwLock<()> = RwLock::new(());

/// The process that owns the lock, or 0 before its first use.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// The pauses between attempts in milliseconds, a quarter of a second in total.
const PAUSES: [u64; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// Starts a command. If its program is open for writing, retries for up to a quarter of a second.
///
/// # Errors
/// If the system cannot start the command.
pub fn start(command: &mut Command) -> io::Result<Child> {
    once_written(|| command.spawn())
}

/// Runs `write`, which writes a program, while no other thread [starts](start) a process.
pub fn written<T>(write: impl FnOnce() -> T) -> T {
    let _alone = is_own().then(|| BEGINNING.write().unwrap_or_else(PoisonError::into_inner));
    write()
}

/// Returns whether this process can use the lock. In a forked child, the lock may stay locked forever.
fn is_own() -> bool {
    let me = std::process::id();
    match OWNER.compare_exchange(0, me, Ordering::SeqCst, Ordering::SeqCst) {
        Ok(_) => true,
        Err(owner) => owner == me,
    }
}

fn once_written<T>(mut begin: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let mut begun = || {
        let _guard = is_own().then(|| BEGINNING.read().unwrap_or_else(PoisonError::into_inner));
        begin()
    };
    for pause in PAUSES {
        match begun() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => sleep(Duration::from_millis(pause)),
            other => return other,
        }
    }
    begun()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn start_waits_for_a_program_that_is_being_written() {
        let busy = |times: usize| {
            let mut calls = 0;
            let found = once_written(|| {
                calls += 1;
                if calls <= times { Err(io::ErrorKind::ExecutableFileBusy.into()) } else { Ok(()) }
            });
            (found.map_err(|error| error.kind()), calls)
        };
        assert_eq!(busy(0), (Ok(()), 1));
        assert_eq!(busy(3), (Ok(()), 4));
        assert_eq!(busy(usize::MAX), (Err(io::ErrorKind::ExecutableFileBusy), PAUSES.len() + 1));
        let mut calls = 0;
        let other = once_written(|| {
            calls += 1;
            Err::<(), _>(io::ErrorKind::NotFound.into())
        });
        assert_eq!((other.unwrap_err().kind(), calls), (io::ErrorKind::NotFound, 1));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_open_for_writing_cannot_start() {
        use std::io::Write as _;
        use std::os::unix::fs::OpenOptionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("check");
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o700).open(&path).unwrap();
        file.write_all(b"#!/bin/sh\nexit 3\n").unwrap();
        assert_eq!(start(&mut Command::new(&path)).unwrap_err().kind(), io::ErrorKind::ExecutableFileBusy);
        drop(file);
        assert_eq!(start(&mut Command::new(&path)).unwrap().wait().unwrap().code(), Some(3));
    }

    #[test]
    fn no_program_starts_while_one_is_written() {
        let is_written = AtomicBool::new(false);
        let write = || {
            is_written.store(true, Ordering::SeqCst);
            std::thread::yield_now();
            is_written.store(false, Ordering::SeqCst);
        };
        let begin = || Ok(is_written.load(Ordering::SeqCst));
        std::thread::scope(|scope| {
            scope.spawn(|| (0..2000).for_each(|_| written(write)));
            assert!((0..2000).all(|_| !once_written(begin).unwrap()));
        });
    }
}
