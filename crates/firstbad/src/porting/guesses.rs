//! Guesses of a reduction's result from earlier patches.
//!
//! The lines of the carried patch are probably also needed where the patch no longer applies (Artho, Section 6.7). The
//! reverse of the cause probably is a repair: a smaller part would leave the whole cause.

use std::borrow::Cow;
use std::collections::BTreeSet;

use hashbrown::{HashMap, HashSet};

use crate::items::needs::Need;
use crate::patch::{Change, ChangeKind, Patch};
use crate::reduction::{Expect, ReductionConfig};
use crate::search::{ChangeSet, Content};

/// The changes of an earlier difference that probably recur in the next one.
#[derive(Debug, Clone)]
pub(super) struct Guess {
    pub(super) content: Content,
    pub(super) changes: ChangeSet,
    /// Whether the next difference goes in the other direction between the same trees.
    pub(super) is_reversed: bool,
}

impl Guess {
    /// Returns sets of changes of a patch to test first, and how to continue with each: the guessed changes, those in hunks
    /// that contain nothing else, and whole hunks, which may contain the cause.
    pub(super) fn sets(&self, patch: &Patch, options: &ReductionConfig, then: Expect) -> Vec<(ChangeSet, Expect)> {
        let Ok(earlier) = Patch::parse(self.content.bytes()) else { return Vec::new() };
        let guessed = if self.is_reversed { self.mirrored(&earlier, patch) } else { self.same(&earlier, patch) };
        let hunks = patch.parents();
        let around: HashSet<_> = guessed.iter().map(|&change| hunks[change]).collect();
        let whole: Vec<usize> = (0..patch.len()).filter(|&change| around.contains(&hunks[change])).collect();
        let is_guessed: HashSet<usize> = guessed.iter().copied().collect();
        let mixed: HashSet<_> =
            whole.iter().filter(|&change| !is_guessed.contains(change)).map(|&change| hunks[change]).collect();
        let pure = guessed.iter().copied().filter(|&change| !mixed.contains(&hunks[change])).collect();
        let candidates = match self.is_reversed {
            true => vec![(guessed, then), (whole, then)],
            false => vec![(guessed, then), (pure, then), (whole, Expect::Parts)],
        };
        let mut sets: Vec<(ChangeSet, Expect)> = Vec::new();
        for (changes, then) in candidates {
            let set: ChangeSet = standing(&changes, options).into_iter().collect();
            if !set.is_empty() && set.len() < patch.len() && sets.iter().all(|(other, _)| *other != set) {
                sets.push((set, then));
            }
        }
        sets
    }

    /// Returns the reverse changes: a removed line becomes an added one at the same place.
    fn mirrored(&self, earlier: &Patch, patch: &Patch) -> Vec<usize> {
        let reversed = |kind| match kind {
            ChangeKind::Added => ChangeKind::Removed,
            ChangeKind::Removed => ChangeKind::Added,
            ChangeKind::Creation => ChangeKind::Deletion,
            ChangeKind::Deletion => ChangeKind::Creation,
            other => other,
        };
        let place = |change: &Change<'_>, kind| (change.path.to_vec(), kind, change.line);
        let wanted: HashSet<_> = self.own(earlier).map(|change| place(&change, reversed(change.kind))).collect();
        let is_wanted = |change: &Change<'_>| wanted.contains(&place(change, change.kind));
        patch.changes().filter(is_wanted).map(|change| change.index).collect()
    }

    /// Returns the changes with the same text in the same file. If a text is more frequent than before, only changes beside
    /// others count.
    fn same(&self, earlier: &Patch, patch: &Patch) -> Vec<usize> {
        let files = self.files(earlier, patch);
        let mut wanted: HashMap<Line, usize> = HashMap::new();
        for change in self.own(earlier) {
            if let Some(&file) = files.get(&change.file) {
                *wanted.entry(line(file, &change)).or_default() += 1;
            }
        }
        let mut there: HashMap<Line, usize> = HashMap::new();
        patch.changes().for_each(|change| *there.entry(line(change.file, &change)).or_default() += 1);
        let (mut found, mut open) = (BTreeSet::new(), Vec::new());
        for change in patch.changes() {
            let key = line(change.file, &change);
            match wanted.get(&key) {
                None => {}
                Some(count) if there[&key] <= *count => {
                    found.insert(change.index);
                }
                Some(_) => open.push((change.index, key)),
            }
        }
        let mut left = usize::MAX;
        while open.len() < left {
            left = open.len();
            open.retain(|(change, key)| {
                let is_beside =
                    found.contains(&(change + 1)) || change.checked_sub(1).is_some_and(|one| found.contains(&one));
                let count = wanted.get_mut(key).filter(|count| is_beside && **count > 0);
                count.is_none_or(|count| {
                    *count -= 1;
                    !found.insert(*change)
                })
            });
        }
        found.into_iter().collect()
    }

    /// Returns the file of a patch for each file of the earlier one: the file with the same name, or after a rename the file
    /// with most of the changes.
    fn files(&self, earlier: &Patch, patch: &Patch) -> HashMap<usize, usize> {
        let mut changed: HashMap<usize, HashSet<Line>> = HashMap::new();
        for change in self.own(earlier) {
            changed.entry(change.file).or_default().insert(line(0, &change));
        }
        let mut shared: HashMap<(usize, usize), usize> = HashMap::new();
        for change in patch.changes() {
            for (&file, lines) in &changed {
                if lines.contains(&line(0, &change)) {
                    *shared.entry((file, change.file)).or_default() += 1;
                }
            }
        }
        let matching = |&file: &usize| {
            let old = names(earlier, file);
            let is_same = |&other: &usize| names(patch, other).iter().any(|name| old.contains(name));
            let is_alike = |&other: &usize| shared.contains_key(&(file, other));
            let all = 0..patch.files().len();
            let alike = || all.clone().filter(is_alike).max_by_key(|&other| shared[&(file, other)]);
            Some((file, all.clone().find(is_same).or_else(alike)?))
        };
        changed.keys().filter_map(matching).collect()
    }

    fn own<'a>(&'a self, earlier: &'a Patch) -> impl Iterator<Item = Change<'a>> {
        self.changes.iter().filter_map(|change| earlier.change(change))
    }
}

fn names(patch: &Patch, file: usize) -> Vec<&[u8]> {
    patch.file(file).into_iter().flat_map(|file| [file.old_path(), file.new_path()]).flatten().collect()
}

/// The file of a change, its kind, and its text.
type Line<'a> = (usize, ChangeKind, Cow<'a, [u8]>);

fn line<'a>(file: usize, change: &Change<'a>) -> Line<'a> {
    (file, change.kind, change.text.clone())
}

/// Adds the changes that a set of changes needs.
fn standing(changes: &[usize], options: &ReductionConfig) -> HashSet<usize> {
    let mut standing: HashSet<usize> = HashSet::new();
    let mut open = changes.to_vec();
    while let Some(change) = open.pop() {
        if standing.insert(change) {
            open.extend(options.dependencies.get(&change).into_iter().flatten().filter_map(|need| match need {
                Need::Item(other) => Some(*other),
                Need::AnyOf(others) => others.first().copied(),
            }));
        }
    }
    standing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(name: &str, lines: &[&str]) -> String {
        let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let count = |sign: char| lines.iter().filter(|line| !line.starts_with(sign)).count();
        let (old, new) = (count('+'), count('-'));
        format!("diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -1,{old} +1,{new} @@\n{body}")
    }

    fn guessed(content: String, changes: usize, next: &str) -> Vec<Vec<usize>> {
        let next = Patch::parse(next.as_bytes()).unwrap();
        let guess = Guess {
            content: Content::new(content.as_bytes()).unwrap(),
            changes: ChangeSet::all(changes),
            is_reversed: false,
        };
        let sets = guess.sets(&next, &ReductionConfig::default(), Expect::Nothing);
        sets.into_iter().map(|(set, _)| set.iter().collect()).collect()
    }

    #[test]
    fn lines_are_found_under_the_old_name() {
        let carried = patch("new/name.py", &["+import one", "+import two", " start"]);
        let other = patch("other.py", &["+import one", " start"]);
        let next = other + &patch("name.py", &["+import one", "-gone", "+import two", " start"]);
        assert_eq!(guessed(carried, 2, &next), [vec![1, 3], vec![1, 2, 3]]);
        assert_eq!(guessed(patch("a", &["+unknown", " start"]), 1, &next), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn hunks_with_other_changes_are_left_out_next() {
        let carried = patch("a", &["+one", " start"]) + &patch("b", &["+two", " start"]);
        let next =
            patch("a", &["+one", " start"]) + &patch("b", &["+two", "-gone", " start"]) + &patch("c", &["+c", " d"]);
        assert_eq!(guessed(carried, 2, &next), [vec![0, 1], vec![0], vec![0, 1, 2]]);
    }
}
