//! Random items with requirements, random properties of sets, and their consequences by definition. This module shares no
//! code with the core. A set is a number with bit i for item i.

use crate::random::Random;
use std::collections::BTreeMap;

use firstbad::reduction::{Guarantee, Method, Need};
use firstbad::{ChangeSet, Outcome, ReductionConfig, Target};

pub(crate) type Set = u128;

pub(crate) fn all(count: usize) -> Set {
    if count == 128 { Set::MAX } else { (1 << count) - 1 }
}

pub(crate) fn set_of(items: &[usize]) -> Set {
    items.iter().fold(0, |set, &item| set | 1 << item)
}

pub(crate) fn items_of(set: Set) -> Vec<usize> {
    (0..128).filter(|&item| set >> item & 1 == 1).collect()
}

pub(crate) fn tested(target: &Target) -> Set {
    let changes = target.changes.as_ref().expect("a set of changes");
    changes.iter().fold(0, |set, item| set | 1 << item)
}

pub(crate) fn target(set: Set) -> Target {
    items_of(set).into_iter().collect::<ChangeSet>().into()
}

/// Returns about one in `times` items.
pub(crate) fn some(random: &mut Random, count: usize, times: usize) -> Set {
    (0..count).fold(0, |set, item| if random.once_in(times) { set | 1 << item } else { set })
}

/// The property of a set.
#[derive(Debug, Clone)]
pub(crate) enum Property {
    /// The set contains all items of at least one of these sets.
    AnyOf(Vec<Set>),
    /// As `AnyOf`, but a set that violates requirements is unresolved, and the search does not know the requirements.
    Hidden(Vec<Set>, Vec<Set>),
    /// The set has at least this many items. Smaller sets are unresolved, except the empty set, which lacks the property.
    Large(u32),
    /// Arbitrary: of 16 sets, `holds` have the property and `unresolved` are unresolved.
    Table { seed: u64, holds: u64, unresolved: u64 },
}

impl Property {
    pub(crate) fn is_monotone(&self) -> bool {
        matches!(self, Property::AnyOf(_))
    }

    /// Passes if the set has the property, which all items together have.
    pub(crate) fn of(&self, set: Set, count: usize) -> Outcome {
        let needed = |sets: &[Set]| sets.iter().any(|needed| needed & !set == 0);
        let held = |holds: bool| if holds { Outcome::Pass } else { Outcome::Fail };
        match self {
            Property::AnyOf(sets) => held(needed(sets)),
            Property::Hidden(sets, needs) => {
                let whole = items_of(set).into_iter().all(|item| set & needs[item] == needs[item]);
                if whole { held(needed(sets)) } else { Outcome::Unresolved }
            }
            Property::Large(least) if set.count_ones() >= *least => Outcome::Pass,
            Property::Large(_) if set == 0 => Outcome::Fail,
            Property::Large(_) => Outcome::Unresolved,
            Property::Table { .. } if set == all(count) => Outcome::Pass,
            Property::Table { seed, holds, unresolved } => {
                let mut random = Random(seed ^ (set as u64) ^ (set >> 64) as u64);
                random.draw();
                match random.draw() % 16 {
                    lot if lot < *holds => Outcome::Pass,
                    lot if lot < holds + unresolved => Outcome::Unresolved,
                    _ => Outcome::Fail,
                }
            }
        }
    }
}

/// Items, their configuration, and the property.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(crate) count: usize,
    pub(crate) config: ReductionConfig,
    pub(crate) property: Property,
}

/// The kinds of features that a random world can have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kinds {
    pub(crate) dependencies: bool,
    pub(crate) tree: bool,
    pub(crate) monotonic: bool,
}

impl World {
    pub(crate) fn plain(count: usize, method: Method, property: Property) -> World {
        World { count, config: ReductionConfig::default().algorithm(method), property }
    }

    /// Returns a random world of up to `most` items.
    pub(crate) fn random(random: &mut Random, most: usize, method: Method, kinds: Kinds) -> World {
        let count = 1 + random.below(most);
        let mut config = ReductionConfig::default().algorithm(method);
        if kinds.tree && random.once_in(3) {
            let mut parents: Vec<Option<usize>> = vec![None; count + random.below(4)];
            for node in 0..parents.len() {
                // The parent of a group is a later group. The parent of an item is an earlier item or any group.
                let groups = parents.len() - count.max(node + 1);
                let first = if node < count { count } else { node + 1 };
                parents[node] = match random.below(3) {
                    0 if node < count && node > 0 => Some(random.below(node)),
                    1 if groups > 0 => Some(first + random.below(groups)),
                    _ => None,
                };
            }
            config.parents = Some(parents);
            config.depth = random.once_in(3).then(|| 1 + random.below(3));
        }
        if kinds.dependencies && random.once_in(2) && count > 1 {
            config.dependencies = dependencies(random, count);
        }
        if random.once_in(4) {
            config.weights = Some((0..count).map(|_| 0.1 + random.below(50) as f64 / 10.0).collect());
        }
        if random.once_in(3) {
            config.guarantee = Guarantee::OneMinimal;
        }
        if random.once_in(3) {
            config.keep = Outcome::Fail;
        }
        let sparse = 1 + random.below(count.max(2));
        let sets: Vec<Set> = (0..1 + random.below(3)).map(|_| some(random, count, sparse)).collect();
        let property = match random.below(if kinds.monotonic { 1 } else { 4 }) {
            0 => Property::AnyOf(sets),
            1 => Property::Hidden(sets, (0..count).map(|_| some(random, count, 2 * count)).collect()),
            _ => Property::Table {
                seed: random.draw(),
                holds: 1 + random.draw() % 8,
                unresolved: [0, 3, 7][random.below(3)],
            },
        };
        config.monotonic = property.is_monotone() && random.once_in(4);
        World { count, config, property }
    }

    pub(crate) fn all(&self) -> Set {
        all(self.count)
    }

    /// Returns whether a set has the property.
    pub(crate) fn holds(&self, set: Set) -> bool {
        self.property.of(set, self.count) == Outcome::Pass
    }

    /// Returns the outcome of the oracle.
    pub(crate) fn answer(&self, set: Set) -> Outcome {
        self.spoken(self.property.of(set, self.count))
    }

    /// Translates between pass and fail if this reduction keeps failures.
    pub(crate) fn spoken(&self, outcome: Outcome) -> Outcome {
        if self.config.keep == Outcome::Fail { outcome.swapped() } else { outcome }
    }

    /// Removes all items whose requirements are not satisfied.
    pub(crate) fn standing(&self, mut set: Set) -> Set {
        loop {
            let stands = |&item: &usize| {
                let needs = self.config.dependencies.get(&item).map(Vec::as_slice).unwrap_or_default();
                let met = |need: &Need| match need {
                    Need::Item(other) => set >> other & 1 == 1,
                    Need::AnyOf(others) => others.iter().any(|other| set >> other & 1 == 1),
                };
                let parent = self.config.parents.as_ref().and_then(|parents| parents[item]);
                needs.iter().all(met) && parent.is_none_or(|parent| parent >= self.count || set >> parent & 1 == 1)
            };
            let next = set_of(&items_of(set).into_iter().filter(stands).collect::<Vec<_>>());
            if next == set {
                return set;
            }
            set = next;
        }
    }

    /// Returns the items that are kept or removed with an item, because the item is too deep in the tree.
    pub(crate) fn unit(&self, item: usize) -> Set {
        let (Some(parents), Some(depth)) = (&self.config.parents, self.config.depth) else { return 1 << item };
        let branch = |item: usize| {
            let mut path = vec![item];
            while let Some(parent) = parents[path[path.len() - 1]] {
                path.push(parent);
            }
            path[path.len() - depth.min(path.len())]
        };
        let same = (0..self.count).filter(|&other| branch(other) == branch(item));
        same.fold(0, |set, other| set | 1 << other)
    }

    /// Returns the valid sets with one item less, including items that are removed with it.
    pub(crate) fn with_one_less(&self, set: Set) -> Vec<Set> {
        items_of(set).into_iter().map(|item| self.standing(set & !self.unit(item))).collect()
    }

    /// Returns a set with one item less that also has the property.
    pub(crate) fn smaller(&self, set: Set) -> Option<Set> {
        self.with_one_less(set).into_iter().find(|&less| self.holds(less))
    }
}

fn dependencies(random: &mut Random, count: usize) -> BTreeMap<usize, Vec<Need>> {
    let mut dependencies = BTreeMap::new();
    // Needs are older items only, or can form cycles.
    let cycles = random.once_in(3);
    for item in 1..count {
        if !random.once_in(3) {
            continue;
        }
        let mut other = || random.below(if cycles { count } else { item });
        let one = Need::Item(other());
        let some = Need::AnyOf(vec![other(), other()]);
        let needs = match random.below(4) {
            0 => vec![one, some],
            1 => vec![some],
            _ => vec![one],
        };
        dependencies.insert(item, needs);
    }
    dependencies
}
