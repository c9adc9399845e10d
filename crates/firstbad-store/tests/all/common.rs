//! Temporary folders and short constructors.
#![cfg_attr(not(unix), allow(dead_code, reason = "most of these tests need a Unix shell"))]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use firstbad::{Error, Observation, Outcome};
use firstbad_store::OracleKey;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A folder that is removed when dropped.
pub(crate) struct Temp(PathBuf);

impl Temp {
    pub(crate) fn new() -> Temp {
        Temp::within(std::env::temp_dir())
    }

    pub(crate) fn within(folder: PathBuf) -> Temp {
        let name = format!("firstbad-store-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = folder.join(name);
        std::fs::create_dir_all(&path).unwrap();
        Temp(path.canonicalize().unwrap())
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn oracle() -> OracleKey {
    version("1")
}

pub(crate) fn version(version: &str) -> OracleKey {
    OracleKey { name: "make test".into(), version: version.into() }
}

/// Returns an observation that differs from others by its note.
pub(crate) fn noted(note: impl Into<String>) -> Observation {
    Observation { note: Some(note.into()), ..Observation::new(Outcome::Fail) }
}

/// Returns the path and message of an [`Error::Store`].
pub(crate) fn refused<T>(result: Result<T, Error>) -> (String, String) {
    match result.err().unwrap() {
        Error::Store { path, message } => (path, message),
        other => panic!("{other:?}"),
    }
}
