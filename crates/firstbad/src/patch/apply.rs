//! `git apply` in memory.

use std::collections::{BTreeMap, BTreeSet};

use super::image::Image;
use super::model::{Section, Step};
use super::{Patch, binary};
use crate::error::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// A later section moves the file away.
    Leaving,
    Gone,
    Made,
}

impl Patch {
    /// Applies the patch to files, given as a map from path to content, and returns the files after the patch. Paths do not
    /// have Git's `a/` and `b/`.
    ///
    /// The rules are those of `git apply`. All lines of a hunk must match, at the stated position or else at the nearest
    /// one. Hunks must not overlap. Renames and copies start from the files before the whole patch. Modes are ignored. The
    /// content of a symbolic link is its target, and that of a submodule is the line `Subproject commit <id>`.
    ///
    /// # Errors
    /// Returns [`Error::PatchConflict`] if a file is missing, already exists, or differs from what the patch expects, or if
    /// the patch only says that binary files differ.
    pub fn apply(&self, files: &BTreeMap<Vec<u8>, Vec<u8>>) -> Result<BTreeMap<Vec<u8>, Vec<u8>>, Error> {
        let leaving = self.sections.iter().filter(|section| matches!(section.step, Step::Deleted | Step::Renamed));
        let mut work = Work {
            patch: self,
            files,
            states: leaving.map(|section| (&section.old.path[..], State::Leaving)).collect(),
            removed: BTreeSet::new(),
            made: BTreeMap::new(),
        };
        for section in &self.sections {
            work.section(section)?;
        }
        work.finish()
    }
}

#[derive(Debug)]
struct Work<'a> {
    patch: &'a Patch,
    files: &'a BTreeMap<Vec<u8>, Vec<u8>>,
    states: BTreeMap<&'a [u8], State>,
    removed: BTreeSet<&'a [u8]>,
    made: BTreeMap<&'a [u8], Vec<u8>>,
}

fn conflict(path: &[u8], hunk: Option<usize>, message: impl Into<String>) -> Error {
    let file = String::from_utf8_lossy(path).into_owned();
    Error::PatchConflict { file, hunk, message: message.into() }
}

impl<'a> Work<'a> {
    fn section(&mut self, section: &'a Section) -> Result<(), Error> {
        let old = self.before(section)?;
        if matches!(section.step, Step::Created | Step::Renamed | Step::Copied) {
            self.check_room(&section.new.path)?;
        }
        let new = self.after(section, &old)?;
        let leaves = section.step == Step::Deleted || section.old.path != section.new.path;
        if section.step == Step::Deleted && !new.is_empty() {
            return Err(conflict(
                &section.old.path,
                None,
                "the patch deletes it, but it has other lines than the patch",
            ));
        }
        if section.step != Step::Deleted {
            self.states.insert(&section.new.path, State::Made);
            self.made.insert(&section.new.path, new);
        }
        if leaves && !matches!(section.step, Step::Created | Step::Copied) {
            // A rename takes the file from before the patch, even if the patch already put another file there.
            if section.step != Step::Renamed {
                self.made.remove(&section.old.path[..]);
            }
            self.removed.insert(&section.old.path);
            self.states.insert(&section.old.path, State::Gone);
        }
        Ok(())
    }

    /// Returns the content that a section starts from.
    fn before(&self, section: &'a Section) -> Result<Vec<u8>, Error> {
        let path = &section.old.path;
        let original = || self.files.get(path).cloned();
        let found = match (section.step, self.states.get(&path[..])) {
            (Step::Created, _) => Some(Vec::new()),
            (Step::Renamed | Step::Copied, _) | (_, None | Some(State::Leaving)) => original(),
            (_, Some(State::Gone)) => {
                return Err(conflict(path, None, "an earlier part of the patch deletes or renames it"));
            }
            (_, Some(State::Made)) => self.made.get(&path[..]).cloned(),
        };
        // A plain diff that only adds lines to an empty file can also mean a new file.
        let may_be_new = section.plain && section.hunks.len() == 1 && {
            self.patch.hunks[section.hunks.start].position.old_count == 0
        };
        found.or_else(|| may_be_new.then(Vec::new)).ok_or_else(|| conflict(path, None, "the file does not exist"))
    }

    fn check_room(&self, path: &[u8]) -> Result<(), Error> {
        let taken = match self.states.get(path) {
            Some(State::Leaving | State::Gone) => false,
            Some(State::Made) => true,
            None => self.files.contains_key(path),
        };
        if taken { Err(conflict(path, None, "the patch creates it, but it exists")) } else { Ok(()) }
    }

    fn after(&self, section: &Section, old: &[u8]) -> Result<Vec<u8>, Error> {
        if section.binary.is_some() {
            return self.binary(section, old);
        }
        let mut image = Image::new(old);
        for (number, hunk) in self.patch.hunks[section.hunks.clone()].iter().enumerate() {
            let applied = image.apply(self.patch, hunk);
            applied.map_err(|message| conflict(section.path(), Some(number + 1), message))?;
        }
        Ok(image.content())
    }

    fn binary(&self, section: &Section, old: &[u8]) -> Result<Vec<u8>, Error> {
        let refuse = |message: String| conflict(section.path(), None, message);
        let blocks =
            section.binary.as_ref().and_then(|binary| binary.forward.as_ref().map(|forward| (binary, forward)));
        let Some((binary, forward)) = blocks else {
            let message =
                "the patch has no content for this binary file\nhelp: create the patch with git diff --binary";
            return Err(refuse(message.to_owned()));
        };
        let text = &self.patch.text;
        let new = binary::content(text, forward, old).map_err(refuse)?;
        // Git compares hashes. If the patch contains the reverse change, it allows the same check.
        if let Some(reverse) = &binary.reverse
            && binary::content(text, reverse, &new).map_err(refuse)? != old
        {
            return Err(refuse("the binary patch was made for another version of the file".to_owned()));
        }
        Ok(new)
    }

    fn finish(self) -> Result<BTreeMap<Vec<u8>, Vec<u8>>, Error> {
        let mut files = self.files.clone();
        for path in self.removed {
            files.remove(path);
        }
        let made: Vec<&[u8]> = self.made.keys().copied().collect();
        files.extend(self.made.into_iter().map(|(path, content)| (path.to_vec(), content)));
        for path in made {
            let folders = (0..path.len()).filter(|&at| path[at] == b'/').map(|at| &path[..at]);
            if let Some(file) = folders.into_iter().find(|&folder| files.contains_key(folder)) {
                return Err(conflict(
                    path,
                    None,
                    format!("{:?} is a file, not a folder", String::from_utf8_lossy(file)),
                ));
            }
            let inside = [path, b"/"].concat();
            if files.range(inside.clone()..).next().is_some_and(|(other, _)| other.starts_with(&inside)) {
                return Err(conflict(path, None, "a folder has this name"));
            }
        }
        Ok(files)
    }
}
