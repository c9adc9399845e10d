//! Tests of locked stores and full disks.

use std::time::Duration;

use firstbad::{Observation, Outcome};

use super::*;
use crate::lock::waiting;

fn oracle() -> OracleKey {
    OracleKey { name: "make test".to_owned(), version: "1".to_owned() }
}

/// Returns an outcome of about this many bytes.
fn long(bytes: usize) -> Observation {
    Observation { note: Some("x".repeat(bytes)), ..Observation::new(Outcome::Pass) }
}

fn path(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("firstbad-store-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder.join("outcomes.db")
}

#[test]
fn a_locked_store_is_an_error_after_a_wait() {
    let path = path("locked");
    let mut store = Store::open(&path).unwrap();
    store.connection.busy_handler(Some(waiting(Duration::from_millis(20)))).unwrap();
    store.put(&oracle(), "a", "run", &long(1)).unwrap();
    let other = Connection::open(&path).unwrap();
    // The other connection first reserves the file for writing, and then locks it exclusively.
    for (lock, reads) in [("BEGIN IMMEDIATE", true), ("BEGIN EXCLUSIVE", false)] {
        other.execute_batch(lock).unwrap();
        let put = store.put(&oracle(), "b", "run", &long(1)).map(|()| 0);
        let get = store.get(&oracle(), "a").map(|kept| kept.len());
        assert_eq!(get.is_ok(), reads, "{get:?}");
        for refused in [Some(put), (!reads).then_some(get)].into_iter().flatten() {
            let Err(Error::Store { path: named, message }) = refused else { panic!("{refused:?}") };
            assert_eq!(Path::new(&named), path);
            assert!(message.starts_with("another process has kept it locked"), "{message}");
        }
        other.execute_batch("COMMIT").unwrap();
    }
    store.put(&oracle(), "b", "run", &long(1)).unwrap();
    assert_eq!(store.entries(None).unwrap().len(), 2);
    // Windows cannot delete an open file.
    let _ = std::fs::remove_dir_all(path.parent().unwrap());
}

#[test]
fn a_full_disk_is_an_error_and_loses_no_outcome() {
    let path = path("full");
    let mut store = Store::open(&path).unwrap();
    let limit = |store: &Store, pages: i64| store.connection.pragma_update(None, "max_page_count", pages).unwrap();
    let pages = |store: &Store| store.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    let mut kept = 0;
    for round in 0..30 {
        let room: i64 = pages(&store);
        limit(&store, room + round % 4);
        let refused = (0..100).find_map(|_| match store.put(&oracle(), "key", "run", &long(1500)) {
            Ok(()) => {
                kept += 1;
                None
            }
            Err(error) => Some(error.to_string()),
        });
        let message = refused.expect("the disk is full");
        assert!(message.contains("the disk is full ("), "{message}");
        // A new reader finds exactly the outcomes that were stored.
        assert_eq!(Store::open(&path).unwrap().len().unwrap(), kept);
        limit(&store, 1 << 30);
        store.put(&oracle(), "key", "run", &long(1500)).unwrap();
        kept += 1;
    }
    assert_eq!(store.get(&oracle(), "key").unwrap().len() as u64, kept);
    // Windows cannot delete an open file.
    let _ = std::fs::remove_dir_all(path.parent().unwrap());
}
