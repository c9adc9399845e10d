//! The store.

#[cfg(test)]
mod faults;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use firstbad::{Error, Observation};
use rusqlite::{Connection, Row, Transaction, params};

use crate::kept::{Entry, Kept, OracleKey};
use crate::{failure, file};

/// Selects all rows, or those of one oracle.
const OF_ORACLE: &str = "(?1 IS NULL OR (oracle = ?1 AND version = ?2))";

/// An open store. Any number of processes, and of threads with a `Store` each, can have the same file open.
///
/// Once [`Store::put`] returns, the outcome survives a crash or a power cut. If another process has locked the file, every method
/// waits for up to 30 seconds. If the file is deleted, the next write creates it again. After a fork, open a new store in the
/// child process.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

impl Store {
    /// Opens a store. Creates the file and its folder if they do not exist.
    ///
    /// # Errors
    /// [`Error::Store`] if the file is damaged, is not a store, or has the layout of another version of this crate. The file then
    /// stays unchanged. Also if the path cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Store, Error> {
        // SQLite gives names such as ":memory:" or "file:..." a special meaning, but not absolute paths.
        let path = path.as_ref();
        let path = std::path::absolute(path).map_err(|error| {
            failure::store(path, format!("it is not a path ({error})\nhelp: use the path of a file"))
        })?;
        let connection = file::open(&path)?;
        Ok(Store { path, connection })
    }

    /// Returns the absolute path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the outcomes stored for a key, oldest first.
    ///
    /// # Errors
    /// [`Error::Store`] if the file cannot be read.
    pub fn get(&mut self, oracle: &OracleKey, key: &str) -> Result<Vec<Kept>, Error> {
        let sql =
            "SELECT run, at, observation FROM outcomes WHERE oracle = ?1 AND version = ?2 AND key = ?3 ORDER BY id";
        let rows = self.rows(sql, params![oracle.name, oracle.version, key], |row| {
            Ok((row.get("run")?, row.get("at")?, row.get::<_, String>("observation")?))
        })?;
        let kept = |(run, at, text): (_, _, String)| Ok(Kept { run, at, observation: self.observation(&text)? });
        rows.into_iter().map(kept).collect()
    }

    /// Returns the keys that runs other than `run` have stored outcomes for, in the order of their first outcome.
    ///
    /// # Errors
    /// [`Error::Store`] if the file cannot be read.
    pub fn keys(&mut self, oracle: &OracleKey, run: &str) -> Result<Vec<String>, Error> {
        let sql =
            "SELECT key FROM outcomes WHERE oracle = ?1 AND version = ?2 AND run <> ?3 GROUP BY key ORDER BY min(id)";
        self.rows(sql, params![oracle.name, oracle.version, run], |row| row.get("key"))
    }

    /// Stores one outcome. Equal outcomes are stored separately, because every run of a flaky test is evidence.
    ///
    /// Observations are stored as JSON. Numbers that are not finite and signals that are `null` are stored as `None`.
    ///
    /// # Errors
    /// [`Error::Store`] if writing fails. The outcome may still have been stored. [`Error::InvalidArgument`] if the observation
    /// could not be read back, because its signals are nested more than about 120 levels deep.
    pub fn put(&mut self, oracle: &OracleKey, key: &str, run: &str, observation: &Observation) -> Result<(), Error> {
        let text = text(observation)?;
        let at = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
        self.write(|transaction| {
            let sql =
                "INSERT INTO outcomes (oracle, version, key, run, at, observation) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            transaction.execute(sql, params![oracle.name, oracle.version, key, run, at, text])
        })?;
        Ok(())
    }

    /// Returns all outcomes, or all outcomes of one oracle, oldest first.
    ///
    /// # Errors
    /// [`Error::Store`] if the file cannot be read.
    pub fn entries(&mut self, oracle: Option<&OracleKey>) -> Result<Vec<Entry>, Error> {
        let sql = format!("SELECT * FROM outcomes WHERE {OF_ORACLE} ORDER BY id");
        let rows = self.rows(&sql, params![name(oracle), version(oracle)], |row| {
            let oracle = OracleKey { name: row.get("oracle")?, version: row.get("version")? };
            let text: String = row.get("observation")?;
            Ok((oracle, row.get("key")?, row.get("run")?, row.get("at")?, text))
        })?;
        let entry = |(oracle, key, run, at, text): (_, _, _, _, String)| {
            Ok(Entry { oracle, key, run, at, observation: self.observation(&text)? })
        };
        rows.into_iter().map(entry).collect()
    }

    /// Returns the number of stored outcomes.
    ///
    /// # Errors
    /// [`Error::Store`] if the file cannot be read.
    #[expect(clippy::len_without_is_empty, reason = "it asks the disk, and an empty store is nothing special")]
    pub fn len(&mut self) -> Result<u64, Error> {
        let counted = self.connection.query_row("SELECT count(*) FROM outcomes", (), |row| row.get::<_, i64>(0));
        counted.map(i64::unsigned_abs).map_err(|error| failure::of_sqlite(&self.path, &error))
    }

    /// Deletes all outcomes, or all outcomes of one oracle, and returns their number. The file keeps its size and reuses the
    /// space.
    ///
    /// # Errors
    /// [`Error::Store`] if writing fails.
    pub fn forget(&mut self, oracle: Option<&OracleKey>) -> Result<u64, Error> {
        let sql = format!("DELETE FROM outcomes WHERE {OF_ORACLE}");
        let removed = self.write(|transaction| transaction.execute(&sql, params![name(oracle), version(oracle)]))?;
        Ok(removed as u64)
    }

    /// Reads rows. Callers parse them after the lock is released.
    fn rows<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        let read = || self.connection.prepare(sql)?.query_map(params, row)?.collect::<Result<_, _>>();
        read().map_err(|error| failure::of_sqlite(&self.path, &error))
    }

    /// Runs `work` in a transaction. If the file was deleted, creates it again first.
    fn write<T>(&mut self, work: impl Fn(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T, Error> {
        let once = |connection: &mut Connection| {
            let transaction = file::write(connection)?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        };
        let written = match once(&mut self.connection) {
            Err(error) if failure::is_gone(&error) => {
                self.connection = file::open(&self.path)?;
                once(&mut self.connection)
            }
            written => written,
        };
        written.map_err(|error| failure::of_sqlite(&self.path, &error))
    }

    fn observation(&self, text: &str) -> Result<Observation, Error> {
        let unreadable = |error| format!("one of its outcomes cannot be read ({error})\nhelp: {}", failure::DELETE);
        serde_json::from_str(text).map_err(|error| failure::store(&self.path, unreadable(error)))
    }
}

fn name(oracle: Option<&OracleKey>) -> Option<&str> {
    oracle.map(|oracle| oracle.name.as_str())
}

fn version(oracle: Option<&OracleKey>) -> Option<&str> {
    oracle.map(|oracle| oracle.version.as_str())
}

/// Returns an observation as JSON, and makes sure that it can be read back: one unreadable row would make every later read fail.
fn text(observation: &Observation) -> Result<String, Error> {
    let read_again = |text: String| serde_json::from_str::<Observation>(&text).map(|_| text);
    serde_json::to_string(observation).and_then(read_again).map_err(|error| {
        Error::invalid("observation", error.to_string(), "one whose JSON can be read again (flatter signals)")
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_lock_that_is_never_released_is_an_error() {
        let folder = std::env::temp_dir().join(format!("firstbad-store-lock-{}", std::process::id()));
        let mut store = Store::open(folder.join("outcomes.db")).unwrap();
        store.connection.busy_timeout(Duration::ZERO).unwrap();
        let other = Connection::open(store.path()).unwrap();
        other.execute_batch("BEGIN EXCLUSIVE").unwrap();
        let oracle = OracleKey { name: "make test".into(), version: "1".into() };
        let errors = [
            store.put(&oracle, "key", "run", &firstbad::Outcome::Pass.into()).unwrap_err(),
            store.get(&oracle, "key").unwrap_err(),
            store.entries(None).unwrap_err(),
            store.len().unwrap_err(),
            store.forget(None).unwrap_err(),
        ];
        for error in errors {
            assert!(error.to_string().contains("another process has kept it locked for 30 seconds"), "{error}");
        }
        // Windows cannot delete an open file.
        let _ = std::fs::remove_dir_all(folder);
    }
}
