//! What changes of different files need from each other, because of their paths.

use std::collections::BTreeMap;

use super::model::{Section, Step};
use super::needs::Collector;

/// A file that goes away from a path.
#[derive(Debug, Clone, Copy)]
struct Leaving {
    section: usize,
    change: usize,
    step: Step,
}

/// Adds what files need from each other.
pub(super) fn between_files(sections: &[Section], collector: &mut Collector) {
    if sections.len() < 2 {
        return;
    }
    let mut leaving: BTreeMap<&[u8], Vec<Leaving>> = BTreeMap::new();
    for (at, section) in sections.iter().enumerate() {
        if let (Step::Deleted | Step::Renamed, Some(change)) = (section.step, section.step_change()) {
            let leave = Leaving { section: at, change, step: section.step };
            leaving.entry(&section.old.path).or_default().push(leave);
        }
    }
    for (at, section) in sections.iter().enumerate() {
        if let (Step::Created | Step::Renamed | Step::Copied, Some(change)) = (section.step, section.step_change()) {
            let room = room_for(&section.new.path, at, &leaving);
            collector.needs_each(Some(change), room.into_iter());
        }
    }
    old_names(sections, collector);
    again(sections, collector);
}

/// What has to go away for a file at `path`: the one that is there, those whose names are its folders, and all that
/// are in a folder of its name.
fn room_for(path: &[u8], section: usize, leaving: &BTreeMap<&[u8], Vec<Leaving>>) -> Vec<usize> {
    let mut changes = Vec::new();
    // Renames start from the files as they were, wherever they stand in the patch; a deletion only makes room for what
    // comes after it.
    let here = leaving.get(path).into_iter().flatten().filter(|leave| leave.section != section);
    let earlier = |leave: &&Leaving| leave.step == Step::Renamed || leave.section < section;
    changes.extend(here.filter(earlier).map(|leave| leave.change));
    let folders = (0..path.len()).filter(|&at| path[at] == b'/').map(|at| &path[..at]);
    changes.extend(folders.filter_map(|folder| leaving.get(folder)).flatten().map(|leave| leave.change));
    let folder = [path, b"/"].concat();
    let inside = leaving.range(folder.as_slice()..).take_while(|(other, _)| other.starts_with(&folder));
    changes.extend(inside.flat_map(|(_, leaves)| leaves).map(|leave| leave.change));
    changes
}

/// Without its rename a file changes under its old name, but not where something else happens there too.
fn old_names(sections: &[Section], collector: &mut Collector) {
    let mut touching: BTreeMap<&[u8], usize> = BTreeMap::new();
    for section in sections {
        let old = (section.step != Step::Copied).then_some(&section.old.path);
        let new = Some(&section.new.path).filter(|&new| Some(new) != old);
        for path in old.into_iter().chain(new) {
            *touching.entry(path).or_default() += 1;
        }
    }
    for section in sections.iter().filter(|section| section.step == Step::Renamed) {
        if touching.get(section.old.path.as_slice()).is_some_and(|&count| count > 1) {
            collector.each_needs(section.changes.clone(), section.step_change());
        }
    }
}

/// A file that stands in the patch again is changed as the first time left it.
fn again(sections: &[Section], collector: &mut Collector) {
    let mut latest: BTreeMap<&[u8], usize> = BTreeMap::new();
    for (at, section) in sections.iter().enumerate() {
        // Renames and copies take the file as it was before the whole patch, and creations make their own.
        if matches!(section.step, Step::Modified | Step::Deleted)
            && let Some(&before) = latest.get(section.old.path.as_slice())
        {
            collector.all_need_all(section.changes.clone(), sections[before].changes.clone());
        }
        if section.step == Step::Deleted {
            latest.remove(section.old.path.as_slice());
        } else {
            latest.insert(&section.new.path, at);
        }
    }
}
