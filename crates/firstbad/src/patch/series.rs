//! Dependencies between the hunks of a series of patches.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Patch;
use super::lineage::{Lineage, Reach};
use super::model::{Section, Step};
use super::pieces::Owner;
use crate::error::Error;

/// A hunk or file header in a series of patches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HunkId {
    /// The number of the patch in the series, from 0.
    pub patch: usize,
    /// The number of the file in the patch, from 0.
    pub file: usize,
    /// The number of the hunk in the file, from 0. It is empty for the file's header changes (mode, creation, deletion,
    /// rename, copy) and binary content.
    pub hunk: Option<usize>,
}

/// The dependencies of one hunk or header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HunkDependency {
    /// The hunk or header that has the dependencies.
    pub of: HunkId,
    /// The direct dependencies in earlier patches, ascending.
    pub needs: Vec<HunkId>,
}

/// Finds the dependencies of every hunk and header on earlier patches, in the order of the series.
///
/// Each patch must apply to the result of the previous ones, like the diffs of successive commits. The search tracks only
/// which hunk each line comes from, so it does not need the contents of files.
///
/// With [`Reach::Context`], a hunk needs the hunks that
/// - added a line that it removes or has as context, or
/// - removed lines between two of its old lines, directly before the first, or directly after the last.
///
/// With [`Reach::Touched`], a hunk needs the hunks that
/// - added a line that it removes, or added both neighbors of a line that it adds, or
/// - removed lines directly next to a line that it adds or removes.
///
/// The dependencies of headers are the same for both. All changes of a file need the creation, rename, or copy that brought
/// the file to its path. That change needs the deletion or rename of a previous file at this path. A mode needs the previous
/// mode, binary content needs the previous content, and a deletion needs all of these. Lines keep their origin when a file
/// is renamed or copied.
///
/// # Errors
/// Returns [`Error::InvalidArgument`] if there are more than 2^22 dependencies. With copies and deletions, their number can
/// grow with the square of the number of hunks.
pub fn hunk_dependencies(patches: &[Patch], reach: Reach) -> Result<Vec<HunkDependency>, Error> {
    let mut series = Series { reach, ids: Vec::new(), needs: Needs::default(), files: BTreeMap::new() };
    for (number, patch) in patches.iter().enumerate() {
        series.patch(number, patch);
        if series.needs.too_many {
            let expected = format!("a series with at most {MOST_NEEDS} needs between hunks");
            return Err(Error::invalid("patches", patches.len(), expected));
        }
    }
    let Series { ids, needs: Needs { of: needs, .. }, .. } = series;
    let found = ids.iter().zip(needs).map(|(&of, mut needs)| {
        needs.sort_unstable();
        needs.dedup();
        let earlier = needs.into_iter().map(|owner| ids[owner as usize]).filter(|id| id.patch < of.patch);
        HunkDependency { of, needs: earlier.collect() }
    });
    Ok(found.collect())
}

/// The most needs. Each takes up to 40 bytes in the result.
const MOST_NEEDS: usize = 1 << 22;

#[derive(Debug, Default)]
struct Needs {
    of: Vec<Vec<Owner>>,
    count: usize,
    too_many: bool,
}

impl Needs {
    fn add(&mut self, owner: Owner, needed: Owner) {
        let needs = &mut self.of[owner as usize];
        if needs.last() == Some(&needed) {
            return;
        }
        if self.count == MOST_NEEDS {
            self.too_many = true;
            return;
        }
        self.count += 1;
        needs.push(needed);
    }

    /// Takes as many owners as the limit allows.
    fn room_for(&mut self, mut owners: impl Iterator<Item = Owner>) -> Vec<Owner> {
        let taken = owners.by_ref().take(MOST_NEEDS - self.count).collect();
        self.too_many |= owners.next().is_some();
        taken
    }
}

/// The state of a path.
#[derive(Debug, Clone, Default)]
struct File {
    lineage: Lineage,
    /// The owner that brought the file here or removed it.
    place: Option<Owner>,
    mode: Option<Owner>,
    binary: Option<Owner>,
}

#[derive(Debug)]
struct Series<'a> {
    reach: Reach,
    ids: Vec<HunkId>,
    needs: Needs,
    files: BTreeMap<&'a [u8], File>,
}

impl<'a> Series<'a> {
    fn patch(&mut self, number: usize, patch: &'a Patch) {
        // Renames and copies start from the files before the patch.
        let moves = patch
            .sections
            .iter()
            .enumerate()
            .filter(|(_, section)| matches!(section.step, Step::Renamed | Step::Copied) || section.two_names());
        let mut sources: BTreeMap<usize, File> = moves
            .map(|(at, section)| (at, self.files.get(&section.old.path[..]).cloned().unwrap_or_default()))
            .collect();
        let mut arrived: BTreeSet<&[u8]> = BTreeSet::new();
        for (at, section) in patch.sections.iter().enumerate() {
            let source = sources.remove(&at);
            self.section(patch, section, HunkId { patch: number, file: at, hunk: None }, source, &mut arrived);
        }
    }

    fn id(&mut self, id: HunkId, needs: impl IntoIterator<Item = Owner>) -> Owner {
        self.ids.push(id);
        self.needs.of.push(Vec::new());
        let owner = (self.ids.len() - 1) as Owner;
        needs.into_iter().for_each(|needed| self.needs.add(owner, needed));
        owner
    }

    fn section(
        &mut self,
        patch: &'a Patch,
        section: &'a Section,
        id: HunkId,
        source: Option<File>,
        arrived: &mut BTreeSet<&'a [u8]>,
    ) {
        let (old, new) = (&section.old.path[..], &section.new.path[..]);
        let moves = source.is_some();
        let mut file = source.unwrap_or_else(|| self.files.get(old).cloned().unwrap_or_default());
        let place = file.place;
        let has_header = section.mode.is_some() || section.step.kind().is_some() || section.binary.is_some();
        let header = has_header.then(|| {
            let mut needs: Vec<Owner> = Vec::from_iter(place);
            if moves {
                needs.extend(self.files.get(new).and_then(|file| file.place));
            }
            needs.extend(file.mode.filter(|_| section.mode.is_some() || section.step == Step::Deleted));
            needs.extend(file.binary.filter(|_| section.binary.is_some() || section.step == Step::Deleted));
            if section.step == Step::Deleted {
                needs.extend(self.needs.room_for(file.lineage.owners()));
            }
            self.id(id, needs)
        });
        if section.step == Step::Created {
            file = File::default();
        }
        let first = self.ids.len() as Owner;
        for hunk in 0..section.hunks.len() {
            self.id(HunkId { hunk: Some(hunk), ..id }, place);
        }
        let hunks = patch.hunks[section.hunks.clone()].iter().zip(first..);
        let hunks = hunks.map(|(hunk, owner)| (owner, hunk, &patch.lines[hunk.lines.clone()]));
        let needs = &mut self.needs;
        file.lineage = file.lineage.after(hunks, self.reach, |owner, needed| needs.add(owner, needed));
        file.mode = header.filter(|_| section.mode.is_some()).or(file.mode);
        file.binary = header.filter(|_| section.binary.is_some()).or(file.binary);
        if section.step.kind().is_some() {
            file.place = header;
        }
        let gone = File { place: header.or(place), ..File::default() };
        // A file that arrived in the same patch is not the one that leaves.
        if (section.step == Step::Renamed || section.two_names()) && !arrived.contains(old) {
            self.files.insert(old, gone.clone());
        }
        if section.step == Step::Deleted {
            self.files.insert(old, gone);
        } else {
            arrived.insert(new);
            self.files.insert(new, file);
        }
    }
}
