//! Files under all the names that they have had in a range of changes.

use hashbrown::{HashMap, HashSet};

use super::changelist::{Changelist, FileStatus};

/// Files with more names than this are not followed, so that no history, however odd, makes a lookup slow.
const MOST: usize = 64;

/// Which names are of one file, by the renames of all changes, whatever their order: in a history with branches a file may be
/// edited under its old name after it was renamed elsewhere. That may take two files for one, where a name was used again; then a
/// change is a suspect for more, never for less.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    /// By name, its file; names that no change renames are not here.
    files: HashMap<&'a str, usize>,
    /// By file, its names, sorted. Empty once it was joined to another, or if it has too many.
    names: Vec<Vec<&'a str>>,
    /// Names that a change created, or deleted, other than by renaming.
    created: HashSet<&'a str>,
    deleted: HashSet<&'a str>,
}

impl<'a> Names<'a> {
    pub(super) fn of(changes: &'a [Changelist]) -> Self {
        let mut all = Names::default();
        for change in changes {
            for (old, new) in &change.renames {
                all.join(old, new);
            }
            let renamed: HashSet<&str> =
                change.renames.iter().flat_map(|(old, new)| [old.as_str(), new.as_str()]).collect();
            for (file, status) in change.statuses.iter().filter(|(file, _)| !renamed.contains(file.as_str())) {
                match status {
                    FileStatus::Added => all.created.insert(file),
                    FileStatus::Deleted => all.deleted.insert(file),
                    FileStatus::Modified => false,
                };
            }
        }
        for names in &mut all.names {
            if names.len() > MOST {
                names.clear();
            }
            names.sort_unstable();
        }
        all
    }

    fn join(&mut self, old: &'a str, new: &'a str) {
        let mut file = |name: &'a str| {
            *self.files.entry(name).or_insert_with(|| {
                self.names.push(vec![name]);
                self.names.len() - 1
            })
        };
        let (mut kept, mut given) = (file(old), file(new));
        if kept == given {
            return;
        }
        if self.names[kept].len() < self.names[given].len() {
            std::mem::swap(&mut kept, &mut given);
        }
        for name in std::mem::take(&mut self.names[given]) {
            self.files.insert(name, kept);
            self.names[kept].push(name);
        }
    }

    /// All names of the file that has this one, itself first.
    pub(super) fn all<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b str> {
        std::iter::once(name).chain(self.others(name))
    }

    /// The other names of the file that has this one.
    pub(super) fn others<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b str> {
        let file = self.files.get(name).map(|&file| self.names[file].as_slice()).unwrap_or_default();
        file.iter().copied().filter(move |&other| other != name)
    }

    /// Files of several names, each with these.
    pub(super) fn renamed(&self) -> impl Iterator<Item = &[&'a str]> {
        self.names.iter().map(Vec::as_slice).filter(|names| names.len() > 1)
    }

    /// Whether all names of a file are known: it has not too many.
    fn is_followed(&self, name: &str) -> bool {
        self.files.get(name).is_none_or(|&file| !self.names[file].is_empty())
    }

    /// Whether a file is there at the end of the range for sure, whenever one of its changes was made.
    pub(super) fn lasts(&self, name: &str) -> bool {
        self.is_followed(name) && !self.all(name).any(|name| self.deleted.contains(name))
    }

    /// Whether it was there before the range for sure.
    pub(super) fn precedes(&self, name: &str) -> bool {
        self.is_followed(name) && !self.all(name).any(|name| self.created.contains(name))
    }
}
