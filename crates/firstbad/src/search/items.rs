use hashbrown::HashMap;

use super::change_set::ChangeSet;
use super::probe::Key;
use super::space::Space;
use super::target::Target;
use crate::error::Error;

/// The sets of items that a search tests. The key of a set is its number in order of first use. The set of all items has key 0.
#[derive(Debug, Clone)]
pub struct Items {
    count: usize,
    sets: Vec<ChangeSet>,
    keys: HashMap<ChangeSet, Key>,
}

impl Items {
    /// Creates a space of `count` items.
    #[must_use]
    pub fn new(count: usize) -> Self {
        let mut items = Items { count, sets: Vec::new(), keys: HashMap::new() };
        items.key_of(ChangeSet::all(count));
        items
    }

    /// Returns the number of items.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the set of a key.
    #[must_use]
    pub fn set(&self, key: Key) -> &ChangeSet {
        &self.sets[key as usize]
    }

    /// Returns the key of a set. A new set gets a new key.
    pub fn key_of(&mut self, set: ChangeSet) -> Key {
        if let Some(&key) = self.keys.get(&set) {
            return key;
        }
        let key = self.sets.len() as Key;
        self.sets.push(set.clone());
        self.keys.insert(set, key);
        key
    }

    /// Returns the key of a set, or `None` if the set is new.
    #[must_use]
    pub fn find(&self, set: &ChangeSet) -> Option<Key> {
        self.find_words(set.words())
    }

    /// Returns the key of the set with these [words](ChangeSet::words), or `None` if the set is new.
    pub(crate) fn find_words(&self, words: &[usize]) -> Option<Key> {
        self.keys.get(words).copied()
    }
}

impl Space for Items {
    type World = usize;

    fn world(&self) -> usize {
        self.count
    }

    /// The contents of the items are known only to the caller, so the count is the whole fingerprint.
    fn fingerprint(&self) -> String {
        format!("{} items", self.count)
    }

    fn target(&self, key: Key) -> Target {
        self.set(key).clone().into()
    }

    fn key(&mut self, target: &Target) -> Result<Key, Error> {
        match target {
            Target { revision: None, universe: None, tests: None, changes: Some(changes) }
                if changes.end() <= self.count =>
            {
                Ok(self.key_of(changes.clone()))
            }
            other => {
                let expected = format!("a set of changes with indices below {}", self.count);
                Err(Error::InvalidArgument { argument: "changes".into(), value: other.to_string(), expected })
            }
        }
    }

    fn contradiction(&self, key: Key, first: String, second: String) -> Error {
        Error::NonDeterministic { changes: self.target(key).to_string(), first, second }
    }
}
