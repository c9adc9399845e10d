//! Definitions and blocks: the levels of a patch between hunks and lines.
//!
//! Half a function seldom compiles, and a line without the block that it stands in says nothing. Where a block begins and
//! ends is told by the indentation of a hunk's lines ([`outline`]): no grammar is needed, and a hunk is enough.

use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;

use super::config::Need;
use super::edits::edits;
use super::outline::outline;
use crate::patch::{Hunk, Line, LineKind, Patch};

/// How many levels of blocks in blocks there are below a hunk. What is nested deeper goes with the block around it until
/// single edits are tried.
const DEEPEST: usize = 4;

/// The tree of a patch ([`Patch::parents`]) with further levels between hunks and lines.
///
/// Directly below a hunk are its *definitions*: outermost blocks that hold changes. Below them are the blocks inside, then
/// old lines with the new ones in their place, then lines. What is one edit is never in two blocks.
pub(super) fn parents(patch: &Patch) -> Vec<Option<usize>> {
    let mut parents = patch.parents();
    for hunk in patch.files().flat_map(|file| file.hunks().collect::<Vec<_>>()) {
        let changes = hunk.changes();
        if changes.is_empty() {
            continue;
        }
        let mut above = vec![parents[changes.start]; changes.len()];
        for (depth, blocks) in levels(hunk).into_iter().enumerate() {
            let (around, inside) = (counted(&above), counted(&blocks));
            let mut entries: BTreeMap<usize, usize> = BTreeMap::new();
            for (entry, block) in above.iter_mut().zip(blocks) {
                // Definitions are always there, so that they are one level; else what parts nothing is left out.
                if depth == 0 || (inside[&block] > 1 && inside[&block] < around[entry]) {
                    *entry = Some(*entries.entry(block).or_insert_with(|| {
                        parents.push(*entry);
                        parents.len() - 1
                    }));
                }
            }
        }
        parents[changes].copy_from_slice(&above);
    }
    parents
}

/// What the lines of a patch need for their blocks to be whole: an added line the added one that its block begins with, and
/// a line that a block begins with needs for its removal that of what stands in the block. A closing bracket goes with what
/// it closes.
pub(super) fn needs(patch: &Patch) -> BTreeMap<usize, Vec<Need>> {
    let mut needs: BTreeMap<usize, Vec<Need>> = BTreeMap::new();
    for hunk in patch.files().flat_map(|file| file.hunks().collect::<Vec<_>>()) {
        for kind in [LineKind::Removed, LineKind::Added] {
            let side: Vec<Line<'_>> =
                hunk.lines().filter(|line| line.kind == kind || line.kind == LineKind::Context).collect();
            let (parents, closing) = outlined(&side);
            let mut need = |one: Option<usize>, other: Option<usize>| {
                if let (Some(one), Some(other)) = (one, other) {
                    needs.entry(one).or_default().push(Need::Item(other));
                }
            };
            for (place, head) in parents.iter().enumerate().filter_map(|(place, head)| Some((place, (*head)?))) {
                let (line, first) = (side[place].change, side[head].change);
                let is_closing = closing.get(&head).is_some_and(|all| all.contains(&Need::Item(place)));
                if kind == LineKind::Added || is_closing {
                    need(line, first);
                }
                if kind == LineKind::Removed || is_closing {
                    need(first, line);
                }
            }
        }
    }
    needs
}

fn outlined(lines: &[Line<'_>]) -> (Vec<Option<usize>>, BTreeMap<usize, Vec<Need>>) {
    let texts: Vec<_> = lines.iter().map(|line| String::from_utf8_lossy(line.content)).collect();
    outline(texts.iter().map(AsRef::as_ref))
}

/// The blocks of a hunk's changes, outermost first: for each level a label for each change, alike for those of one block;
/// last, edits.
fn levels(hunk: Hunk<'_>) -> Vec<Vec<usize>> {
    let lines: Vec<Line<'_>> = hunk.lines().collect();
    let (above, _) = outlined(&lines);
    let first = hunk.changes().start;
    let mut joined = UnionFind::new(hunk.changes().len());
    for edit in edits(hunk) {
        edit.iter().for_each(|&change| _ = joined.union(edit[0] - first, change - first));
    }
    let mut found = vec![joined.clone().into_labeling()];
    // A line stands behind the one that its block begins with.
    let mut depths = vec![0_usize; lines.len()];
    for place in 0..lines.len() {
        depths[place] = above[place].map_or(0, |head| depths[head] + 1);
    }
    // From each line the one around it at this depth.
    let mut around: Vec<usize> = (0..lines.len()).collect();
    for depth in (0..DEEPEST).rev() {
        let mut firsts: BTreeMap<usize, usize> = BTreeMap::new();
        for (place, line) in lines.iter().enumerate() {
            while let Some(head) = above[around[place]].filter(|_| depths[around[place]] > depth) {
                around[place] = head;
            }
            if let Some(change) = line.change {
                let with = *firsts.entry(around[place]).or_insert(change - first);
                joined.union(with, change - first);
            }
        }
        found.push(joined.clone().into_labeling());
    }
    found.reverse();
    found
}

fn counted<T: Copy + Ord>(labels: &[T]) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    labels.iter().for_each(|&label| *counts.entry(label).or_default() += 1);
    counts
}
