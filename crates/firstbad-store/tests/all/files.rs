//! Files that are not stores, and stores whose files are deleted or replaced.

use crate::common::{Temp, noted, oracle, refused};
use firstbad_store::Store;
use rusqlite::Connection;

#[test]
fn files_that_are_not_sqlite_are_rejected_unchanged() {
    let temp = Temp::new();
    for text in ["me".to_owned(), "# Read me\n".to_owned(), "no table at all ".repeat(1000)] {
        let path = temp.join("README.md");
        std::fs::write(&path, &text).unwrap();
        let (named, message) = refused(Store::open(&path));
        assert_eq!(named, path.to_str().unwrap());
        assert!(message.starts_with("it is not an SQLite file\nhelp: use another file"), "{message}");
        assert!(message.ends_with("delete the file, which costs only time"), "{message}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn sqlite_files_of_other_programs_are_rejected_unchanged() {
    let temp = Temp::new();
    let others = [
        "CREATE TABLE outcomes (id INTEGER PRIMARY KEY)",
        "PRAGMA user_version = 1",
        "PRAGMA application_id = 7; PRAGMA user_version = 1",
    ];
    for (number, theirs) in others.into_iter().enumerate() {
        let path = temp.join(&format!("{number}.db"));
        Connection::open(&path).unwrap().execute_batch(theirs).unwrap();
        let before = std::fs::read(&path).unwrap();
        let (_, message) = refused(Store::open(&path));
        assert!(message.starts_with("it is an SQLite file of another program"), "{message}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}

/// A store from an untrusted source may contain schema items that falsify outcomes.
#[test]
fn stores_with_views_triggers_or_other_columns_are_rejected() {
    let temp = Temp::new();
    let tampered = [
        "CREATE VIEW v AS SELECT * FROM outcomes",
        "CREATE TRIGGER t AFTER INSERT ON outcomes BEGIN DELETE FROM outcomes; END",
        "ALTER TABLE outcomes RENAME TO rows; CREATE VIEW outcomes AS SELECT * FROM rows",
        "ALTER TABLE outcomes ADD COLUMN more TEXT AS (upper(key)) VIRTUAL",
        "CREATE INDEX i ON outcomes (upper(key))",
        "CREATE TABLE more (a)",
        "DROP INDEX outcomes_by_key",
    ];
    for (number, theirs) in tampered.into_iter().enumerate() {
        let path = temp.join(&format!("{number}.db"));
        Store::open(&path).unwrap().put(&oracle(), "key", "run", &noted("x")).unwrap();
        Store::open(&path).unwrap();
        Connection::open(&path).unwrap().execute_batch(theirs).unwrap();
        let before = std::fs::read(&path).unwrap();
        let (_, message) = refused(Store::open(&path));
        assert!(message.starts_with("it contains more than outcomes"), "{theirs}: {message}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
    // The tables of `ANALYZE` are allowed.
    let path = temp.join("analysed.db");
    Store::open(&path).unwrap().put(&oracle(), "key", "run", &noted("x")).unwrap();
    Connection::open(&path).unwrap().execute_batch("ANALYZE").unwrap();
    assert_eq!(Store::open(&path).unwrap().len().unwrap(), 1);
}

#[test]
fn triggers_added_later_do_not_run() {
    let temp = Temp::new();
    let path = temp.join("outcomes.db");
    let mut store = Store::open(&path).unwrap();
    let trigger = "CREATE TRIGGER t AFTER INSERT ON outcomes BEGIN DELETE FROM outcomes; END";
    Connection::open(&path).unwrap().execute_batch(trigger).unwrap();
    store.put(&oracle(), "key", "run", &noted("x")).unwrap();
    assert_eq!(store.len().unwrap(), 1);
}

#[test]
fn a_newer_layout_is_rejected() {
    let temp = Temp::new();
    let path = temp.join("outcomes.db");
    Store::open(&path).unwrap().put(&oracle(), "key", "run", &noted("x")).unwrap();
    Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 4").unwrap();
    let (named, message) = refused(Store::open(&path));
    assert_eq!(named, path.to_str().unwrap());
    let expected = "a newer firstbad created it (layout 4, this one reads 3)\nhelp: use that version, or delete the file, which costs only \
                    time";
    assert_eq!(message, expected);
}

#[test]
fn a_damaged_file_is_an_error() {
    let temp = Temp::new();
    let path = temp.join("outcomes.db");
    let mut store = Store::open(&path).unwrap();
    (0..100).for_each(|number| store.put(&oracle(), "key", "run", &noted(format!("{number}").repeat(500))).unwrap());
    drop(store);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[4096..].fill(7);
    std::fs::write(&path, bytes).unwrap();
    let (_, message) = refused(Store::open(&path).unwrap().get(&oracle(), "key"));
    assert!(message.starts_with("it is damaged"), "{message}");
    assert!(message.ends_with("delete the file, which costs only time"), "{message}");
}

#[test]
fn an_unreadable_outcome_is_an_error() {
    let temp = Temp::new();
    let path = temp.join("outcomes.db");
    let mut store = Store::open(&path).unwrap();
    store.put(&oracle(), "key", "run", &noted("x")).unwrap();
    Connection::open(&path).unwrap().execute_batch("UPDATE outcomes SET observation = '{\"outcome\":'").unwrap();
    for message in [refused(store.get(&oracle(), "key")).1, refused(store.entries(None)).1] {
        assert!(message.starts_with("one of its outcomes cannot be read"), "{message}");
    }
}

#[test]
fn an_empty_file_is_a_new_store() {
    let temp = Temp::new();
    let path = temp.join("outcomes.db");
    std::fs::write(&path, "").unwrap();
    assert_eq!(Store::open(&path).unwrap().len().unwrap(), 0);
}

#[test]
fn a_folder_is_not_a_store() {
    let temp = Temp::new();
    assert!(refused(Store::open(temp.join(""))).1.starts_with("it cannot be opened"));
    std::fs::write(temp.join("file"), "").unwrap();
    assert!(refused(Store::open(temp.join("file/outcomes.db"))).1.starts_with("its folder cannot be created"));
    assert!(refused(Store::open("")).1.starts_with("it is not a path"));
}

#[test]
fn an_open_store_is_one_file() {
    let temp = Temp::new();
    let path = temp.join("folder/outcomes.db");
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.path(), path);
    store.put(&oracle(), "key", "run", &noted("x")).unwrap();
    assert_eq!(std::fs::read_dir(temp.join("folder")).unwrap().count(), 1);
}

#[test]
#[cfg(unix)] // Windows cannot delete a file that SQLite has open.
fn a_file_deleted_while_open_is_created_again() {
    let temp = Temp::new();
    let path = temp.join("folder/outcomes.db");
    let mut store = Store::open(&path).unwrap();
    store.put(&oracle(), "key", "run", &noted("before")).unwrap();
    std::fs::remove_dir_all(temp.join("folder")).unwrap();

    store.put(&oracle(), "key", "run", &noted("after")).unwrap();
    for mut store in [Store::open(&path).unwrap(), store] {
        let notes: Vec<_> = store.get(&oracle(), "key").unwrap().into_iter().map(|kept| kept.observation).collect();
        assert_eq!(notes, [noted("after")]);
    }
}

#[test]
#[cfg(unix)] // Windows cannot delete a file that SQLite has open.
fn a_file_replaced_while_open_is_written_to() {
    let temp = Temp::new();
    let path = temp.join("outcomes.db");
    let mut first = Store::open(&path).unwrap();
    first.put(&oracle(), "key", "first", &noted("before")).unwrap();
    std::fs::remove_file(&path).unwrap();
    let mut second = Store::open(&path).unwrap();
    second.put(&oracle(), "key", "second", &noted("x")).unwrap();
    first.put(&oracle(), "key", "first", &noted("y")).unwrap();
    second.put(&oracle(), "key", "second", &noted("z")).unwrap();
    for store in [&mut first, &mut second] {
        let runs: Vec<_> = store.get(&oracle(), "key").unwrap().into_iter().map(|kept| kept.run).collect();
        assert_eq!(runs, ["second", "first", "second"]);
    }
}
