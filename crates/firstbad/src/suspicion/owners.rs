//! Which targets a file belongs to.

use hashbrown::HashMap;

/// The targets of every file. Most files belong to one.
#[derive(Debug, Clone, Default)]
pub(super) struct Owners {
    first: HashMap<Box<str>, u32>,
    further: HashMap<Box<str>, Vec<u32>>,
}

impl Owners {
    /// Says that `file` belongs to a target, too.
    pub(super) fn add(&mut self, file: &str, target: u32) {
        match self.first.get(file) {
            None => {
                self.first.insert(file.into(), target);
            }
            Some(&first) if first == target => {}
            Some(_) => {
                let further = self.further.entry_ref(file).or_default();
                if !further.contains(&target) {
                    further.push(target);
                }
            }
        }
    }

    /// The targets of a file (Culprit Finder, Definition 3); none for a file that no target lists.
    pub(super) fn of(&self, file: &str) -> impl Iterator<Item = u32> {
        let further = self.further.get(file).map(Vec::as_slice).unwrap_or_default();
        self.first.get(file).copied().into_iter().chain(further.iter().copied())
    }

    /// How many files there are.
    pub(super) fn len(&self) -> usize {
        self.first.len()
    }
}
