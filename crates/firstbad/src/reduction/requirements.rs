//! Requirements: sets that cannot be tested because an item needs another.

use fixedbitset::FixedBitSet;

use super::config::ReductionConfig;
use super::tree::Tree;
use crate::graph::components;
use crate::items::needs::Need;

#[derive(Debug)]
pub(crate) struct Requirements {
    /// The items that each item needs, all of them.
    all: Vec<Vec<u32>>,
    /// The lists of alternatives for each item, one member of each being enough.
    any: Vec<Vec<Vec<u32>>>,
    /// The items that name each item.
    named_by: Vec<Vec<u32>>,
    /// A topological number. Items that need each other share a number, an item has a higher number than its needs, and
    /// newer items have higher numbers if possible.
    rank: Vec<u32>,
}

impl Requirements {
    /// Returns the requirements, or `None` if there are none. An item also needs the next item above it in the tree.
    pub(crate) fn of(config: &ReductionConfig, count: usize) -> Option<Self> {
        let guessed = config.guess.iter().flat_map(|guess| &guess.dependencies);
        Requirements::made(count, config.dependencies.iter().chain(guessed), &above(config, count))
    }

    /// Returns the requirements that are not guesses.
    pub(super) fn firm(config: &ReductionConfig, count: usize) -> Option<Self> {
        let mut above = above(config, count);
        if let Some(guess) = &config.guess {
            let lines = 0..guess.lines.min(above.len());
            lines.chain(guess.frames.iter().copied()).for_each(|item| above[item] = None);
        }
        Requirements::made(count, config.dependencies.iter(), &above)
    }

    fn made<'a>(
        count: usize,
        dependencies: impl Iterator<Item = (&'a usize, &'a Vec<Need>)>,
        above: &[Option<usize>],
    ) -> Option<Self> {
        let mut all = vec![Vec::new(); count];
        let mut any = vec![Vec::new(); count];
        for (&item, needs) in dependencies {
            for need in needs {
                match need {
                    Need::Item(other) => all[item].push(*other as u32),
                    Need::AnyOf(others) => any[item].push(others.iter().map(|&other| other as u32).collect()),
                }
            }
        }
        above.iter().enumerate().for_each(|(item, parent)| all[item].extend(parent.map(|parent| parent as u32)));
        if all.iter().all(Vec::is_empty) && any.iter().all(Vec::is_empty) {
            return None;
        }
        let rank = ranks(&all, &any);
        Some(Requirements { named_by: named_by(&all, &any), all, any, rank })
    }

    /// Returns the requirements among the items that are left.
    pub(super) fn among(&self, left: &FixedBitSet) -> Self {
        let is_left = |other: &u32| left.contains(*other as usize);
        let (mut all, mut any) = (self.all.clone(), self.any.clone());
        for item in left.ones() {
            all[item].retain(is_left);
            any[item].retain(|others| others.iter().any(is_left));
        }
        Requirements { named_by: named_by(&all, &any), all, any, rank: self.rank.clone() }
    }

    /// Returns the number of each item's group of items that need each other.
    pub(super) fn ranks(&self) -> &[u32] {
        &self.rank
    }

    /// Removes all items that depend on a missing one, directly or not. O(removed items).
    pub(crate) fn close(&self, set: &mut FixedBitSet, missing: impl IntoIterator<Item = usize>) {
        let mut gone: Vec<usize> = missing.into_iter().collect();
        while let Some(item) = gone.pop() {
            for &other in &self.named_by[item] {
                let other = other as usize;
                if set.contains(other) && !self.stands(other, set) {
                    set.remove(other);
                    gone.push(other);
                }
            }
        }
    }

    fn stands(&self, item: usize, set: &FixedBitSet) -> bool {
        let is_in = |other: &u32| set.contains(*other as usize);
        self.all[item].iter().all(is_in) && self.any[item].iter().all(|others| others.iter().any(is_in))
    }

    /// If `items` can stay only together, adds them and everything they depend on to `set`.
    pub(super) fn bind(&self, items: impl Iterator<Item = usize> + Clone, set: &mut FixedBitSet) {
        let mut ranks = items.clone().map(|item| self.rank[item]);
        let first = ranks.next();
        if ranks.all(|rank| Some(rank) == first) {
            let mut open: Vec<usize> = items.filter(|&item| !set.put(item)).collect();
            self.complete(set, &mut open);
        }
    }

    fn complete(&self, set: &mut FixedBitSet, open: &mut Vec<usize>) {
        while let Some(item) = open.pop() {
            for &other in &self.all[item] {
                if !set.put(other as usize) {
                    open.push(other as usize);
                }
            }
        }
    }
}

/// Returns the next item above each item in the tree. Groups are skipped.
fn above(config: &ReductionConfig, count: usize) -> Vec<Option<usize>> {
    let tree = config.parents.as_deref().and_then(|parents| Tree::of(parents).ok());
    tree.map_or_else(|| vec![None; count], |tree| tree.items_above(count))
}

fn named_by(all: &[Vec<u32>], any: &[Vec<Vec<u32>>]) -> Vec<Vec<u32>> {
    let mut named_by: Vec<Vec<u32>> = vec![Vec::new(); all.len()];
    for (item, (all, any)) in all.iter().zip(any).enumerate() {
        for &other in all.iter().chain(any.iter().flatten()) {
            named_by[other as usize].push(item as u32);
        }
    }
    named_by
}

/// Numbers the groups of items that need each other, dependencies first, then older items first.
fn ranks(all: &[Vec<u32>], any: &[Vec<Vec<u32>>]) -> Vec<u32> {
    let count = all.len();
    let (group_of, groups_count) = groups(all);
    // Alternatives do not tie items together, but cycles through alternatives have no order.
    let both = |item: usize| all[item].iter().chain(any[item].iter().flatten());
    let mut needs: Vec<Vec<u32>> = vec![Vec::new(); groups_count];
    for item in 0..count {
        let others = both(item).map(|&other| group_of[other as usize]).filter(|&other| other != group_of[item]);
        needs[group_of[item] as usize].extend(others);
    }
    let (ring_of, _) = groups(&needs);
    let mut waiting = vec![0usize; groups_count];
    let mut needed_by: Vec<Vec<u32>> = vec![Vec::new(); groups_count];
    for group in 0..groups_count {
        for &other in needs[group].iter().filter(|&&other| ring_of[other as usize] != ring_of[group]) {
            waiting[group] += 1;
            needed_by[other as usize].push(group as u32);
        }
    }
    let mut oldest = vec![usize::MAX; groups_count];
    for item in (0..count).rev() {
        oldest[group_of[item] as usize] = item;
    }
    let mut ready: std::collections::BTreeSet<(usize, u32)> =
        (0..groups_count).filter(|&group| waiting[group] == 0).map(|group| (oldest[group], group as u32)).collect();
    let mut rank = vec![0u32; groups_count];
    let mut next = 0;
    while let Some((_, group)) = ready.pop_first() {
        rank[group as usize] = next;
        next += 1;
        for &other in &needed_by[group as usize] {
            waiting[other as usize] -= 1;
            if waiting[other as usize] == 0 {
                ready.insert((oldest[other as usize], other));
            }
        }
    }
    group_of.into_iter().map(|group| rank[group as usize]).collect()
}

/// Returns the group number of each item, and the number of groups.
fn groups(needs: &[Vec<u32>]) -> (Vec<u32>, usize) {
    let edges = (0..).zip(needs).flat_map(|(from, list)| list.iter().map(move |&to| (from, to)));
    components(needs.len(), edges)
}
