//! The keys under which outcomes are stored.

use std::collections::HashMap;

use firstbad::Target;

/// The way in which targets are mapped to keys. Targets with equal keys share their outcomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keys {
    /// Revisions by their ids, and sets of changes by `items` and their indices.
    Targets {
        /// Identifies the list of changes, for example by a digest. If `None`, outcomes of sets of changes are not shared,
        /// because indices alone mean nothing to another search.
        items: Option<String>,
    },
    /// Revisions by keys of the caller, for example hashes of their trees. Revisions without a key and sets of changes are not
    /// shared.
    Own(HashMap<String, String>),
}

impl Keys {
    /// Returns the keys for searches that create trees. See `Variants::share` and `Slices::share` of `firstbad-git`.
    #[must_use]
    pub fn trees() -> Keys {
        Keys::Targets { items: None }
    }

    /// Returns the revisions that have one of `keys`, in the order of `keys` and then of their ids.
    pub(crate) fn targets(&self, keys: &[String]) -> Vec<Target> {
        let Keys::Own(own) = self else {
            return keys.iter().filter_map(|key| Some(Target::from(key.strip_prefix("revision:")?))).collect();
        };
        let mut revisions: HashMap<&str, Vec<&str>> = HashMap::new();
        for (revision, key) in own {
            revisions.entry(key).or_default().push(revision);
        }
        revisions.values_mut().for_each(|revisions| revisions.sort_unstable());
        let of_key = |key: &String| revisions.remove(key.strip_prefix("own:")?);
        keys.iter().filter_map(of_key).flatten().map(Target::from).collect()
    }

    /// Returns the key of `target`, or `None` if its outcomes are not shared. Keys of different kinds are never equal.
    pub(crate) fn of(&self, target: &Target) -> Option<String> {
        // An index into a universe means nothing to another search.
        if target.universe.is_some() {
            return None;
        }
        match (self, &target.revision, &target.changes) {
            (Keys::Targets { .. }, Some(revision), None) => Some(format!("revision:{revision}")),
            // A set contains only digits, `-`, and `,`, so the last colon ends the items.
            (Keys::Targets { items: Some(items) }, None, Some(changes)) => Some(format!("changes:{items}:{changes}")),
            // Both texts may contain colons, so the length says where the first one ends.
            (Keys::Targets { items: Some(items) }, Some(revision), Some(changes)) => {
                Some(format!("revision-with-changes:{}:{items}:{changes}:{revision}", items.len()))
            }
            (Keys::Own(keys), Some(revision), None) => keys.get(revision).map(|key| format!("own:{key}")),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Texts made of the pieces that keys are made of.
    fn tricky() -> impl Strategy<Value = String> {
        let piece = prop_oneof![Just(":"), Just("0"), Just("1"), Just("0-1"), Just("é"), Just("revision"), Just("own")];
        prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
    }

    /// The parts that a key stands for: kind, items, set, and revision or own key.
    type Meaning = (u8, String, BTreeSet<usize>, String);

    fn keyed() -> impl Strategy<Value = (Meaning, String)> {
        let set = prop::collection::btree_set(0..3_usize, 0..3);
        (0..4_u8, tricky(), set, tricky()).prop_map(|(kind, items, set, text)| {
            let changes = Some(set.iter().copied().collect());
            let (meaning, target) = match kind {
                0 => ((kind, String::new(), BTreeSet::new(), text), "v1".into()),
                1 => ((kind, String::new(), BTreeSet::new(), text.clone()), text.into()),
                2 => ((kind, items.clone(), set, String::new()), Target { changes, ..Target::default() }),
                _ => ((kind, items.clone(), set, text.clone()), Target { changes, ..text.into() }),
            };
            let keys = match kind {
                0 => Keys::Own(HashMap::from([("v1".to_owned(), meaning.3.clone())])),
                _ => Keys::Targets { items: Some(items) },
            };
            let key = keys.of(&target).unwrap();
            (meaning, key)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn keys_are_equal_only_for_equal_targets(all in prop::collection::vec(keyed(), 100)) {
            let mut meanings = HashMap::new();
            for (meaning, key) in all {
                prop_assert_eq!(meanings.entry(key).or_insert_with(|| meaning.clone()), &meaning);
            }
        }
    }
}
