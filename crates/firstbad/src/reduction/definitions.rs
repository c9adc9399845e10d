//! Definitions and blocks: the levels of a patch between hunks and lines.
//!
//! Half a function seldom compiles, and a line seldom makes sense without its block. The indentation of a hunk's lines
//! ([`crate::text::outline`]) shows the blocks, so neither a grammar nor the whole file is needed.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::unionfind::UnionFind;

use super::edits::edits;
use super::granularity::Granularity;
use super::replacements::Replacements;
use crate::items::needs::Need;
use crate::patch::{Hunk, Line, LineKind, Patch};
use crate::text::decides;

/// The number of nested block levels below a hunk. Deeper blocks stay with the block around them until single edits are
/// tried.
const DEEPEST: usize = 4;

/// Returns the tree of a patch ([`Patch::parents`]) with more levels between hunks and lines.
///
/// Directly below a hunk are its *definitions*: outermost blocks that contain changes. The blocks inside come next, then
/// replacements, then lines. An edit is never split between two blocks.
pub(super) fn parents(patch: &Patch, finely: Granularity) -> Vec<Option<usize>> {
    let mut parents = patch.parents();
    for hunk in patch.files().flat_map(|file| file.hunks().collect::<Vec<_>>()) {
        let changes = hunk.changes();
        if changes.is_empty() {
            continue;
        }
        let mut above = vec![parents[changes.start]; changes.len()];
        for (depth, blocks) in levels(hunk, finely).into_iter().enumerate() {
            let (around, inside) = (counted(&above), counted(&blocks));
            let mut entries: BTreeMap<usize, usize> = BTreeMap::new();
            for (entry, block) in above.iter_mut().zip(blocks) {
                // The level of definitions always exists. Other levels exist only if they divide something.
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

/// Returns the needs of lines that keep blocks whole.
///
/// An added line needs the added head of its block. The removal of a head needs the removal of the lines in its block.
/// Brackets go in pairs. Lines added between brackets can stand without the brackets, but not edits under a condition.
pub(super) fn needs(patch: &Patch, finely: Granularity) -> BTreeMap<usize, Vec<Need>> {
    let mut needs = needs_of(patch, Some(finely));
    if finely == Granularity::Edits {
        for hunk in patch.files().flat_map(|file| file.hunks().collect::<Vec<_>>()) {
            for changes in Replacements::of(hunk).whole {
                // Each change needs the next one, and the last needs the first.
                let next = changes.iter().cycle().skip(1);
                changes
                    .iter()
                    .zip(next)
                    .for_each(|(&one, &other)| needs.entry(one).or_default().push(Need::Item(other)));
            }
        }
    }
    needs
}

/// Returns only the needs between opening and closing brackets.
pub(crate) fn brackets(patch: &Patch) -> BTreeMap<usize, Vec<Need>> {
    needs_of(patch, None)
}

/// With `finely` `None`, only the needs of brackets.
fn needs_of(patch: &Patch, finely: Option<Granularity>) -> BTreeMap<usize, Vec<Need>> {
    let of_all_lines = finely.is_some();
    let mut needs: BTreeMap<usize, Vec<Need>> = BTreeMap::new();
    for hunk in patch.files().flat_map(|file| file.hunks().collect::<Vec<_>>()) {
        for kind in [LineKind::Removed, LineKind::Added] {
            let side: Vec<Line<'_>> =
                hunk.lines().filter(|line| line.kind == kind || line.kind == LineKind::Context).collect();
            let (parents, closing) = outlined(&side);
            let is_closed = |(&head, all): (&usize, &Vec<Need>)| {
                let closes = |need: &Need| matches!(need, Need::Item(line) if parents[*line] == Some(head));
                all.iter().any(closes).then_some(head)
            };
            let bracketed: BTreeSet<usize> = closing.iter().filter_map(is_closed).collect();
            let mut need = |one: Option<usize>, other: Option<usize>| {
                if let (Some(one), Some(other)) = (one, other) {
                    let own = needs.entry(one).or_default();
                    if !own.contains(&Need::Item(other)) {
                        own.push(Need::Item(other));
                    }
                }
            };
            // Lines without a common block: `#if` and `#endif`, and lines continued by a backslash.
            for (&line, all) in &closing {
                let others =
                    all.iter().filter_map(|need| if let Need::Item(other) = need { Some(*other) } else { None });
                for other in others.filter(|&other| parents[other] != Some(line)) {
                    let (one, other) = if kind == LineKind::Added { (line, other) } else { (other, line) };
                    need(side[one].change, side[other].change);
                }
            }
            for (place, head) in parents.iter().enumerate().filter_map(|(place, head)| Some((place, (*head)?))) {
                let (line, first) = (side[place].change, side[head].change);
                let is_closing = closing.get(&head).is_some_and(|all| all.contains(&Need::Item(place)));
                // Lines between brackets can stand alone, except edits under the condition that decides them.
                let stands_alone = bracketed.contains(&head)
                    && !(finely == Some(Granularity::Edits) && decides(&String::from_utf8_lossy(side[head].content)));
                if is_closing || of_all_lines && kind == LineKind::Added && !stands_alone {
                    need(line, first);
                }
                if is_closing || of_all_lines && kind == LineKind::Removed {
                    need(first, line);
                }
            }
        }
    }
    needs
}

fn outlined(lines: &[Line<'_>]) -> (Vec<Option<usize>>, BTreeMap<usize, Vec<Need>>) {
    let texts: Vec<_> = lines.iter().map(|line| String::from_utf8_lossy(line.content)).collect();
    crate::text::outline(texts.iter().map(AsRef::as_ref))
}

/// Returns the blocks of a hunk's changes, outermost first, and then edits. Each level has one label for each change.
fn levels(hunk: Hunk<'_>, finely: Granularity) -> Vec<Vec<usize>> {
    let lines: Vec<Line<'_>> = hunk.lines().collect();
    let (above, _) = outlined(&lines);
    let first = hunk.changes().start;
    let mut joined = UnionFind::new(hunk.changes().len());
    let together = if finely == Granularity::Edits {
        let Replacements { whole, divisible } = Replacements::of(hunk);
        [whole, divisible].concat()
    } else {
        edits(hunk)
    };
    for edit in together {
        edit.iter().for_each(|&change| _ = joined.union(edit[0] - first, change - first));
    }
    let mut found = vec![joined.clone().into_labeling()];
    // A line comes after the head of its block.
    let mut depths = vec![0_usize; lines.len()];
    for place in 0..lines.len() {
        depths[place] = above[place].map_or(0, |head| depths[head] + 1);
    }
    // Find the line around each line at this depth.
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

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"--- a/f.py\n+++ b/f.py\n@@ -1,7 +1,10 @@\n def one(a):\n-    if a:\n-        b()\n+    if a > 1:\n+        b()\n+        c()\n     return 1\n-def two():\n-    return 2\n+def two(a):\n+    while a:\n+        a -= 1\n+    return a\n # end\n";

    fn parsed(text: &[u8]) -> Patch {
        Patch::parse(text).unwrap()
    }

    fn below(parents: &[Option<usize>], entry: usize, changes: usize) -> Vec<usize> {
        let is_below =
            |&change: &usize| std::iter::successors(Some(change), |&one| parents[one]).any(|one| one == entry);
        (0..changes).filter(is_below).collect()
    }

    #[test]
    fn hunks_contain_definitions_then_blocks_then_edits() {
        let patch = parsed(TEXT);
        let parents = parents(&patch, Granularity::Lines);
        let hunk = patch.len();
        let of = |entry: usize| below(&parents, entry, patch.len());
        let definitions: Vec<_> =
            (patch.len()..parents.len()).filter(|&entry| parents[entry] == Some(hunk)).map(of).collect();
        assert_eq!(definitions, [vec![0, 1, 2, 3, 4], vec![5, 6, 7, 8, 9, 10]]);
        let all: Vec<_> = (patch.len()..parents.len()).map(of).collect();
        assert!(all.iter().filter(|changes| changes.len() > 1).count() >= 3, "{all:?}");
    }

    #[test]
    fn added_lines_need_their_block_and_removed_blocks_their_lines() {
        let needs = needs(&parsed(TEXT), Granularity::Lines);
        let of = |change: usize| needs.get(&change).cloned().unwrap_or_default();
        // b() and c() are in the new condition. The old condition can be removed only with its old content.
        assert_eq!([of(3), of(4)], [[Need::Item(2)], [Need::Item(2)]]);
        assert_eq!((of(0), of(1)), (vec![Need::Item(1)], vec![]));
        assert_eq!([of(8), of(9), of(10)], [[Need::Item(7)], [Need::Item(8)], [Need::Item(7)]]);
        assert_eq!((of(5), of(6)), (vec![Need::Item(6)], vec![]));
    }

    #[test]
    fn paired_brackets_need_each_other() {
        let needs =
            needs(&parsed(b"--- a/f\n+++ b/f\n@@ -1,2 +1,5 @@\n {\n+if (a) {\n+  b();\n+}\n }\n"), Granularity::Lines);
        let of = |change: usize| needs.get(&change).cloned().unwrap_or_default();
        assert_eq!([of(0), of(1), of(2)], [vec![Need::Item(2)], vec![], vec![Need::Item(0)]]);
    }

    #[test]
    fn lines_between_brackets_can_stand_without_them() {
        let needs = brackets(&parsed(b"--- a/f\n+++ b/f\n@@ -1,2 +1,7 @@\n x\n+f(\n+  a,\n+  [\n+  ],\n+);\n y\n"));
        let of = |change: usize| needs.get(&change).cloned().unwrap_or_default();
        assert_eq!(of(1), []);
        assert!([(0, 4), (2, 3)].iter().all(|&(one, other)| of(one) == [Need::Item(other)]), "{needs:?}");
        assert!(brackets(&parsed(TEXT)).is_empty());
    }

    #[test]
    fn without_brackets_a_block_needs_its_first_line() {
        let needs = needs(
            &parsed(b"--- a/f\n+++ b/f\n@@ -1 +1,5 @@\n x\n+if a:\n+    b()\n+else:\n+    c()\n"),
            Granularity::Lines,
        );
        let of = |change: usize| needs.get(&change).cloned().unwrap_or_default();
        assert_eq!([of(1), of(3)], [[Need::Item(0)], [Need::Item(2)]]);
    }

    #[test]
    fn strings_continued_by_a_backslash_are_divided() {
        let text =
            "--- a/f.rs\n+++ b/f.rs\n@@ -1,2 +1,5 @@\n fn f() {\n+    g(\"one (\\\n+       two\");\n+    h();\n }\n";
        let config = crate::ReductionConfig::of_patch(&parsed(text.as_bytes()), Granularity::Lines);
        let needs = config.dependencies;
        assert_eq!(needs.get(&1), Some(&vec![Need::Item(0)]), "{needs:?}");
        assert_eq!(needs.get(&2), None, "{needs:?}");
    }

    #[test]
    fn a_new_file_is_divided_by_its_functions() {
        let text =
            "--- /dev/null\n+++ b/f\n@@ -0,0 +1,6 @@\n+int f() {\n+  return 1;\n+}\n+int g() {\n+  return 2;\n+}\n";
        let patch = parsed(text.as_bytes());
        let config = crate::ReductionConfig::of_patch(&patch, Granularity::Definitions);
        assert_eq!(config.depth, Some(3));
        let parents = config.parents.unwrap();
        let first_line = patch.len() - 6;
        let definition = |line: usize| parents[first_line + line];
        assert!(definition(0) == definition(2) && definition(3) == definition(5) && definition(0) != definition(3));
    }
}
