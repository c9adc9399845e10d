//! Dependencies between changes of different files that share paths.

use std::collections::BTreeMap;

use super::model::{Section, Step};
use super::needs::Collector;

/// A file that the patch removes from a path.
#[derive(Debug, Clone, Copy)]
struct Leaving {
    section: usize,
    change: usize,
    step: Step,
}

/// The changes that remove files from each path. Every file that arrives at a path shares the same nodes, because there
/// may be many files on both sides.
#[derive(Debug, Default)]
struct Room<'a> {
    leaving: BTreeMap<&'a [u8], Vec<Leaving>>,
    /// The node for all removals from a path.
    all: BTreeMap<&'a [u8], usize>,
    /// The node for all removals below a path.
    below: BTreeMap<&'a [u8], usize>,
    /// The node for all renames away from a path.
    renamed: BTreeMap<&'a [u8], usize>,
    /// The sections that delete the file at a path, each with a node for this deletion and all earlier ones.
    deleted: BTreeMap<&'a [u8], Vec<(usize, usize)>>,
}

/// Adds the dependencies between files.
pub(super) fn between_files(sections: &[Section], collector: &mut Collector) {
    if sections.len() < 2 {
        return;
    }
    let mut room = Room::default();
    for (at, section) in sections.iter().enumerate() {
        if let (Step::Deleted | Step::Renamed, Some(change)) = (section.step, section.step_change()) {
            let leave = Leaving { section: at, change, step: section.step };
            room.leaving.entry(&section.old.path).or_default().push(leave);
        }
    }
    for (at, section) in sections.iter().enumerate() {
        if let (Step::Created | Step::Renamed | Step::Copied, Some(change)) = (section.step, section.step_change()) {
            let needed = room.needed(&section.new.path, at, collector);
            collector.needs_each(Some(change), needed.into_iter());
        }
    }
    old_names(sections, collector);
    again(sections, collector);
}

impl<'a> Room<'a> {
    /// Returns the removals that a file at `path` needs: of the file there, of files at its parent folders, and of files
    /// below `path`.
    fn needed(&mut self, path: &'a [u8], section: usize, collector: &mut Collector) -> Vec<usize> {
        let mut needed = self.here(path, section, collector);
        for folder in (0..path.len()).filter(|&at| path[at] == b'/').map(|at| &path[..at]) {
            if let Some(leaves) = self.leaving.get(folder) {
                let all = || collector.all_of(leaves.iter().map(|leave| leave.change));
                needed.push(*self.all.entry(folder).or_insert_with(all));
            }
        }
        let below = || {
            let folder = [path, b"/"].concat();
            let inside = self.leaving.range(folder.as_slice()..).take_while(|(other, _)| other.starts_with(&folder));
            collector.all_of(inside.flat_map(|(_, leaves)| leaves).map(|leave| leave.change))
        };
        needed.push(*self.below.entry(path).or_insert_with(below));
        needed
    }

    /// Returns the removals of the file at `path` itself. Renames start from the original files, wherever they are in
    /// the patch. A deletion only frees the path for later sections.
    fn here(&mut self, path: &'a [u8], section: usize, collector: &mut Collector) -> Vec<usize> {
        let Some(leaves) = self.leaving.get(path) else { return Vec::new() };
        let of = |step| leaves.iter().filter(move |leave| leave.step == step);
        if !self.deleted.contains_key(path) {
            let renamed = collector.all_of(of(Step::Renamed).map(|leave| leave.change));
            self.renamed.insert(path, renamed);
            let mut before = None;
            let until = |leave: &Leaving| {
                let node = collector.all_of(before.into_iter().chain([leave.change]));
                before = Some(node);
                (leave.section, node)
            };
            self.deleted.insert(path, of(Step::Deleted).map(until).collect());
        }
        let deleted = self.deleted.get(path).map(Vec::as_slice).unwrap_or_default();
        let earlier = deleted.partition_point(|&(other, _)| other < section);
        let deleted = deleted[..earlier].last().map(|&(_, node)| node);
        deleted.into_iter().chain(self.renamed.get(path).copied()).collect()
    }
}

/// Without its rename, a file changes under its old name, so its lines need the rename if the old name is reused.
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

/// If a file occurs in the patch again, its later changes need its earlier ones.
fn again(sections: &[Section], collector: &mut Collector) {
    let mut latest: BTreeMap<&[u8], usize> = BTreeMap::new();
    for (at, section) in sections.iter().enumerate() {
        // Renames and copies start from the file before the whole patch, and creations start from nothing.
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
