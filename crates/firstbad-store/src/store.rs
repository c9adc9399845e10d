//! The store: outcomes put in, looked up, listed and forgotten.

#[cfg(test)]
mod faults;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use firstbad::{Error, Observation};
use rusqlite::{Connection, Row, Transaction, params};

use crate::kept::{Entry, Kept, OracleKey};
use crate::{failure, file};

/// All rows, or those of one oracle.
const OF_ORACLE: &str = "(?1 IS NULL OR (oracle = ?1 AND version = ?2))";

/// An open store. Any number of processes, and of threads with a `Store` each, may have the same file open.
///
/// What [`Store::put`] has returned from stays, whatever happens to the process or to the power. Where others write,
/// every method waits for them, up to 30 seconds. A file that is deleted meanwhile is made anew by the next write. To
/// be opened after a fork, not before.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

impl Store {
    /// Opens a store; makes the file, and its folder, if need be.
    ///
    /// # Errors
    /// [`Error::Store`] for a file that is damaged, no store, or made by a newer version of this crate, which is left
    /// as it is, and for a path that cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Store, Error> {
        // An absolute path also keeps SQLite from reading names like ":memory:" or "file:..." in a way of its own.
        let path = path.as_ref();
        let path = std::path::absolute(path)
            .map_err(|error| failure::store(path, format!("it is no path ({error}); name a file")))?;
        let connection = file::open(&path)?;
        Ok(Store { path, connection })
    }

    /// The file, as an absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was kept for a key, oldest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn get(&mut self, oracle: &OracleKey, key: &str) -> Result<Vec<Kept>, Error> {
        let sql =
            "SELECT run, at, observation FROM outcomes WHERE oracle = ?1 AND version = ?2 AND key = ?3 ORDER BY id";
        let rows = self.rows(sql, params![oracle.name, oracle.version, key], |row| {
            Ok((row.get("run")?, row.get("at")?, row.get::<_, String>("observation")?))
        })?;
        let kept = |(run, at, text): (_, _, String)| Ok(Kept { run, at, observation: self.observation(&text)? });
        rows.into_iter().map(kept).collect()
    }

    /// The keys of what was kept by other runs than `run`, those first that were kept first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn keys(&mut self, oracle: &OracleKey, run: &str) -> Result<Vec<String>, Error> {
        let sql =
            "SELECT key FROM outcomes WHERE oracle = ?1 AND version = ?2 AND run <> ?3 GROUP BY key ORDER BY min(id)";
        self.rows(sql, params![oracle.name, oracle.version, run], |row| row.get("key"))
    }

    /// Keeps one outcome more, also if it is the same as before: of a flaky test each run is evidence.
    ///
    /// An observation is kept as JSON has it: numbers that are not finite, and signals that are `null`, as none.
    ///
    /// # Errors
    /// [`Error::Store`], after which the outcome may have been kept all the same; [`Error::InvalidArgument`] for an
    /// observation that could not be read again (signals nested more than some 120 deep).
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

    /// All that is kept, or all of one oracle, oldest first: for people to look at.
    ///
    /// # Errors
    /// [`Error::Store`].
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

    /// How many outcomes are kept.
    ///
    /// # Errors
    /// [`Error::Store`].
    #[expect(clippy::len_without_is_empty, reason = "it asks the disk, and an empty store is nothing special")]
    pub fn len(&mut self) -> Result<u64, Error> {
        let counted = self.connection.query_row("SELECT count(*) FROM outcomes", (), |row| row.get::<_, i64>(0));
        counted.map(i64::unsigned_abs).map_err(|error| failure::of_sqlite(&self.path, &error))
    }

    /// Removes all outcomes, or all of one oracle, and says how many. The file keeps its size; what comes next fills it.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn forget(&mut self, oracle: Option<&OracleKey>) -> Result<u64, Error> {
        let sql = format!("DELETE FROM outcomes WHERE {OF_ORACLE}");
        let removed = self.write(|transaction| transaction.execute(&sql, params![name(oracle), version(oracle)]))?;
        Ok(removed as u64)
    }

    /// Reads rows; what they mean is made out after the lock is given back.
    fn rows<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        let read = || self.connection.prepare(sql)?.query_map(params, row)?.collect::<Result<_, _>>();
        read().map_err(|error| failure::of_sqlite(&self.path, &error))
    }

    /// Writes all of it or nothing. If the file was deleted, into a new one.
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
        let unreadable = |error| format!("it holds an outcome that cannot be read ({error}); {}", failure::DELETE);
        serde_json::from_str(text).map_err(|error| failure::store(&self.path, unreadable(error)))
    }
}

fn name(oracle: Option<&OracleKey>) -> Option<&str> {
    oracle.map(|oracle| oracle.name.as_str())
}

fn version(oracle: Option<&OracleKey>) -> Option<&str> {
    oracle.map(|oracle| oracle.version.as_str())
}

/// An observation as text that can be read again: one row that cannot would stand in every reader's way.
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
    fn a_lock_that_is_never_given_back_is_named() {
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
        // On Windows it stays as long as the store is open.
        let _ = std::fs::remove_dir_all(folder);
    }
}
