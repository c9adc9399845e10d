//! Opening and checking the database file.

use std::path::Path;

use firstbad::Error;
use firstbad_platform::folders;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::failure;
use crate::lock::{LOCK_TIMEOUT, waiting};

/// `PRAGMA application_id` of every store: "fbad".
const MADE_BY: i32 = 0x6662_6164;

/// `PRAGMA user_version`. Increment it whenever `TABLES` or the JSON of an observation changes.
const LAYOUT: i32 = 3;

/// The order of the ids is the order in which outcomes were recorded.
const TABLES: &str = "
    CREATE TABLE outcomes (
        id          INTEGER PRIMARY KEY,
        oracle      TEXT NOT NULL,
        version     TEXT NOT NULL,
        key         TEXT NOT NULL,
        run         TEXT NOT NULL,
        at          REAL NOT NULL,
        observation TEXT NOT NULL
    ) STRICT;
    CREATE INDEX outcomes_by_key ON outcomes (oracle, version, key);
";

/// Opens or creates the store at an absolute path.
pub(crate) fn open(path: &Path) -> Result<Connection, Error> {
    // If the file exists, its folder is already on the disk.
    if let Some(folder) = path.parent().filter(|_| !path.exists()) {
        let refused = |error| {
            failure::store(
                path,
                format!(
                    "its folder cannot be created ({error})\nhelp: use another \
                                                            file"
                ),
            )
        };
        folders::make_lasting(folder).map_err(refused)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let failed = |error| failure::of_sqlite(path, &error);
    let mut connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_handler(Some(waiting(LOCK_TIMEOUT))).map_err(failed)?;
    distrust(&connection).map_err(failed)?;
    // Another process may be creating the same file, so check again under the lock.
    if is_new(path, &read(&mut connection).map_err(failed)?)? {
        let transaction = write(&mut connection).map_err(failed)?;
        if is_new(path, &transaction)? {
            make(&transaction).map_err(failed)?;
        }
        transaction.commit().map_err(failed)?;
    }
    settle(&connection).map_err(failed)?;
    Ok(connection)
}

/// The largest text to read or write, in bytes. An observation with signals and a note takes some hundreds of bytes.
const LONGEST: i32 = 1 << 26;

/// Hardens the connection, because the file may come from an untrusted source.
fn distrust(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST)?;
    connection.pragma_update(None, "cell_size_check", true)
}

/// Returns the type, name, and SQL of every item in the schema, except the tables of `ANALYZE`.
fn schema(connection: &Connection) -> rusqlite::Result<Vec<(String, String, String)>> {
    let sql = "SELECT type, name, coalesce(sql, '') FROM sqlite_schema \
               WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4')) ORDER BY type, name LIMIT 100";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}

/// Checks that the schema is exactly ours. Views, triggers, and computed columns could falsify outcomes.
///
/// # Errors
/// [`Error::Store`] if the schema differs.
fn check_schema(path: &Path, transaction: &Transaction<'_>) -> Result<(), Error> {
    let compared = || -> rusqlite::Result<bool> {
        let ours = Connection::open_in_memory()?;
        ours.execute_batch(TABLES)?;
        Ok(schema(transaction)? == schema(&ours)?)
    };
    match compared().map_err(|error| failure::of_sqlite(path, &error))? {
        true => Ok(()),
        false => Err(failure::store(path, failure::foreign("it contains more than outcomes"))),
    }
}

/// Uses a rollback journal instead of a write-ahead log. A write-ahead log needs shared memory, so it does not work over a
/// network disk. It also leaves three files where people and CI caches copy and delete one. Its faster reads would save only
/// milliseconds.
///
/// `synchronous` is `EXTRA` to survive power cuts. With less than `FULL`, an older file system may write the table before the
/// journal. With `FULL`, the journal that was deleted last may reappear and undo the last write.
fn settle(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "DELETE")?;
    connection.pragma_update(None, "synchronous", "EXTRA")
}

/// Starts a transaction for reading, so that all reads see the same state.
fn read(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Deferred)
}

/// Starts a transaction for writing and waits for the lock. SQLite does not wait if a transaction asks for the lock only after
/// reading.
pub(crate) fn write(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// Returns whether the file is empty. Other programs' files are rejected and stay unchanged.
fn is_new(path: &Path, transaction: &Transaction<'_>) -> Result<bool, Error> {
    let number = |sql: &str| transaction.query_row(sql, (), |row| row.get::<_, i32>(0));
    let looked = || -> rusqlite::Result<_> {
        let contents = number("SELECT count(*) FROM sqlite_schema")?;
        Ok((contents, number("PRAGMA application_id")?, number("PRAGMA user_version")?))
    };
    match looked().map_err(|error| failure::of_sqlite(path, &error))? {
        (0, 0, 0) => Ok(true),
        (_, MADE_BY, LAYOUT) => check_schema(path, transaction).map(|()| false),
        (_, MADE_BY, other @ 1..) => {
            let maker = if other > LAYOUT { "a newer" } else { "an older" };
            let layouts = format!("layout {other}, this one reads {LAYOUT}");
            let delete = failure::DELETE;
            Err(failure::store(
                path,
                format!(
                    "{maker} firstbad created it ({layouts})\nhelp: use that version, or \
                                              {delete}"
                ),
            ))
        }
        _ => Err(failure::store(path, failure::foreign("it is an SQLite file of another program"))),
    }
}

fn make(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(TABLES)?;
    transaction.pragma_update(None, "application_id", MADE_BY)?;
    transaction.pragma_update(None, "user_version", LAYOUT)
}
