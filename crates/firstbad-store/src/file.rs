//! The file: how it is opened, what is in it, and which files are refused.

use std::path::Path;

use firstbad::Error;
use firstbad_platform::folders;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::failure;
use crate::lock::{LOCK_TIMEOUT, waiting};

/// Who made the file (`PRAGMA application_id`): "fbad".
const MADE_BY: i32 = 0x6662_6164;

/// What the file looks like inside (`PRAGMA user_version`): the table below and the JSON of an observation. To be
/// raised when either changes.
const LAYOUT: i32 = 3;

/// Rows in the order of their ids are outcomes in the order in which they came.
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

/// Opens a store at an absolute path, and makes it if need be.
pub(crate) fn open(path: &Path) -> Result<Connection, Error> {
    // Whoever made the file has made its folder.
    if let Some(folder) = path.parent().filter(|_| !path.exists()) {
        let refused = |error| failure::store(path, format!("its folder cannot be made ({error}); name another file"));
        folders::make_lasting(folder).map_err(refused)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let failed = |error| failure::of_sqlite(path, &error);
    let mut connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_handler(Some(waiting(LOCK_TIMEOUT))).map_err(failed)?;
    distrust(&connection).map_err(failed)?;
    // Others may make the same file now: whether there is something to make is looked up again under the lock.
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

/// The most bytes of a text that is read or written: an observation with signals and a note has some hundreds.
const LONGEST: i32 = 1 << 26;

/// A file may come from anybody: what stands in its schema calls nothing, and no row is larger than memory allows.
fn distrust(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST)?;
    connection.pragma_update(None, "cell_size_check", true)
}

/// What is in a store: the kind, the name and the text of everything but SQLite's own statistics.
fn schema(connection: &Connection) -> rusqlite::Result<Vec<(String, String, String)>> {
    let sql = "SELECT type, name, coalesce(sql, '') FROM sqlite_schema \
               WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4')) ORDER BY type, name LIMIT 100";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}

/// Checks that a store of ours has what we have made, and nothing else: a view, a trigger or a column that is computed would
/// have its own idea of what was seen.
///
/// # Errors
/// [`Error::Store`].
fn check_schema(path: &Path, transaction: &Transaction<'_>) -> Result<(), Error> {
    let compared = || -> rusqlite::Result<bool> {
        let ours = Connection::open_in_memory()?;
        ours.execute_batch(TABLES)?;
        Ok(schema(transaction)? == schema(&ours)?)
    };
    match compared().map_err(|error| failure::of_sqlite(path, &error))? {
        true => Ok(()),
        false => Err(failure::store(path, failure::foreign("something else than outcomes was put into it"))),
    }
}

/// A rollback journal and not a write-ahead log. The log needs memory that all processes share, so it cannot be used
/// from two machines over a network disk, and it leaves three files where people and CI caches copy and delete one.
/// What it would gain, readers that never wait for a writer, is worth milliseconds to runs that wait minutes for tests.
///
/// `EXTRA`, because a power cut must neither leave a file that answers wrongly (with less than `FULL`, an older file system
/// may write the table before the journal) nor take back what was kept (with `FULL`, the journal that is removed last may
/// come back). It costs a put some waits for the disk, far less than the test that it saves.
fn settle(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "DELETE")?;
    connection.pragma_update(None, "synchronous", "EXTRA")
}

/// All that is read in it belongs to one moment.
fn read(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Deferred)
}

/// Takes the lock for writing at once and waits for it: one that is asked for later, after reading, is refused without
/// waiting where another process writes.
pub(crate) fn write(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// Whether the file is still empty. A file that is none of ours is refused, and left as it is.
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
            Err(failure::store(path, format!("{maker} firstbad made it ({layouts}); use that one, or {delete}")))
        }
        _ => Err(failure::store(path, failure::foreign("it is an SQLite file of another program"))),
    }
}

fn make(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(TABLES)?;
    transaction.pragma_update(None, "application_id", MADE_BY)?;
    transaction.pragma_update(None, "user_version", LAYOUT)
}
