use hashbrown::{HashMap, HashSet};

use super::changelist::{Changelist, FileStatus};

/// The maximum number of names of a file. Renames of files with more names are not followed, so that every lookup is fast.
const MOST: usize = 64;

/// The names of each file, from the renames of all changes in any order. Order does not matter, because a branch can edit a file
/// under its old name after another branch renamed it. If a name is used again, two files count as one. A change can then only
/// become more suspicious.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    /// The file of each name. Names without renames are missing.
    files: HashMap<&'a str, usize>,
    /// The sorted names of each file. Empty if the file was merged into another or has too many names.
    names: Vec<Vec<&'a str>>,
    /// Names that a change created or deleted other than by a rename.
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

    /// Returns all names of a file, starting with `name`.
    pub(super) fn all<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b str> {
        std::iter::once(name).chain(self.others(name))
    }

    /// Returns the other names of a file.
    pub(super) fn others<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b str> {
        let file = self.files.get(name).map(|&file| self.names[file].as_slice()).unwrap_or_default();
        file.iter().copied().filter(move |&other| other != name)
    }

    /// Returns the names of every renamed file.
    pub(super) fn renamed(&self) -> impl Iterator<Item = &[&'a str]> {
        self.names.iter().map(Vec::as_slice).filter(|names| names.len() > 1)
    }

    /// Returns whether all names of a file are known.
    fn is_followed(&self, name: &str) -> bool {
        self.files.get(name).is_none_or(|&file| !self.names[file].is_empty())
    }

    /// Returns whether a file certainly exists after the last change.
    pub(super) fn lasts(&self, name: &str) -> bool {
        self.is_followed(name) && !self.all(name).any(|name| self.deleted.contains(name))
    }

    /// Returns whether a file certainly existed before the first change.
    pub(super) fn precedes(&self, name: &str) -> bool {
        self.is_followed(name) && !self.all(name).any(|name| self.created.contains(name))
    }
}
