//! The outcomes that a search finds in its cache.

use std::collections::HashMap;

use crate::common::{Temp, noted, oracle, version};
use firstbad::{ChangeSet, OutcomeCache, Target};
use firstbad_store::{Keys, OracleKey, Store, StoreCache};

fn cache_of(temp: &Temp, oracle: OracleKey, run: &str, keys: Keys) -> Box<dyn OutcomeCache> {
    Box::new(StoreCache::new(Store::open(temp.join("outcomes.db")).unwrap(), oracle, run, keys))
}

fn cache(temp: &Temp, run: &str, keys: Keys) -> Box<dyn OutcomeCache> {
    cache_of(temp, oracle(), run, keys)
}

fn by_target(items: Option<&str>) -> Keys {
    Keys::Targets { items: items.map(str::to_owned) }
}

fn on(revision: &str, set: &[usize]) -> Target {
    Target { revision: Some(revision.to_owned()), ..changes(set) }
}

fn changes(set: &[usize]) -> Target {
    set.iter().copied().collect::<ChangeSet>().into()
}

#[test]
fn a_search_finds_outcomes_of_others_oldest_first() {
    let temp = Temp::new();
    let [mut one, mut two, mut three] = ["one", "two", "three"].map(|run| cache(&temp, run, by_target(None)));
    let key = one.key(&"v1".into()).unwrap();
    assert_eq!(one.outcomes(&key).unwrap(), []);
    one.keep(&key, &noted("a")).unwrap();
    two.keep(&key, &noted("b")).unwrap();
    one.keep(&key, &noted("a")).unwrap();
    assert_eq!(one.outcomes(&key).unwrap(), [noted("b")]);
    assert_eq!(two.outcomes(&key).unwrap(), [noted("a"), noted("a")]);
    assert_eq!(three.outcomes(&key).unwrap(), [noted("a"), noted("b"), noted("a")]);
    assert_eq!(three.outcomes(&three.key(&"v2".into()).unwrap()).unwrap(), []);
    // A reopened run still leaves out its own outcomes.
    assert_eq!(cache(&temp, "one", by_target(None)).outcomes(&key).unwrap(), [noted("b")]);
    assert_eq!(cache_of(&temp, version("2"), "four", by_target(None)).outcomes(&key).unwrap(), []);
}

#[test]
fn sets_of_changes_are_shared_by_their_items() {
    let temp = Temp::new();
    let key = |items, target: Target| cache(&temp, "run", by_target(items)).key(&target);
    assert_eq!(key(None, changes(&[1])), None);
    assert_eq!(key(None, on("v1", &[1])), None);
    assert_eq!(key(Some("x"), "v1".into()), key(None, "v1".into()));
    assert_eq!(key(Some("x"), changes(&[0, 1])), key(Some("x"), changes(&[1, 0])));
    assert_ne!(key(Some("x"), changes(&[])), key(Some("y"), changes(&[])));
}

#[test]
fn revisions_with_equal_own_keys_share_outcomes() {
    let temp = Temp::new();
    let keys = [("v1", "tree 1"), ("v2", "tree 1"), ("v3", "tree 2")].map(|(id, key)| (id.to_owned(), key.to_owned()));
    let keys = Keys::Own(HashMap::from(keys));
    let [mut one, mut two] = ["one", "two"].map(|run| cache(&temp, run, keys.clone()));
    one.keep(&one.key(&"v1".into()).unwrap(), &noted("x")).unwrap();
    assert_eq!(two.outcomes(&two.key(&"v2".into()).unwrap()).unwrap(), [noted("x")]);
    assert_eq!(two.outcomes(&two.key(&"v3".into()).unwrap()).unwrap(), []);
    for target in ["v4".into(), "tree 1".into(), changes(&[1]), on("v1", &[1])] {
        assert_eq!(two.key(&target), None, "{target}");
    }
    assert_ne!(cache(&temp, "three", by_target(None)).key(&"tree 1".into()), one.key(&"v1".into()));
}
