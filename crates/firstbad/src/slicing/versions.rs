//! The multi-version graph: dependencies of changes, from the uses of definitions in each version (DEFINER, Section 5,
//! "Change dependency analysis", Figure 10).
//!
//! Each definition has its own sequence of versions. A version uses other definitions. Several definitions can satisfy a
//! use, for example the methods of a class and of its superclasses. A single alternative is a *necessary* dependency, and
//! each of several alternatives is *sufficient*.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Error;
use crate::reduction::Need;

/// The uses of a definition in some versions, each as the definitions of which any one is enough.
pub type Uses = BTreeSet<Vec<usize>>;

/// A definition from the base to the tip.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The uses at the base, or `None` if the definition does not exist there.
    pub base: Option<Uses>,
    /// The changes that insert, update, or delete the definition, oldest first and each once. Each change has the uses after
    /// it, or `None` if it deletes the definition.
    pub changes: Vec<(usize, Option<Uses>)>,
    /// Whether the changes can only be reverted newest first, because they change the same piece of code. Each change then
    /// depends on the previous one.
    pub in_order: bool,
}

/// The multi-version graph of a history.
#[derive(Debug, Clone, Default)]
pub struct VersionGraph {
    definitions: Vec<Timeline>,
    /// The number of changes in the history.
    count: usize,
}

/// The most alternatives of a dependency. A use with more alternatives hardly ever fails.
const MOST_ALTERNATIVES: usize = 8;
/// The most dependencies, about 100 MB. Real histories have far fewer.
const MOST_NEEDS: usize = 1 << 20;

impl VersionGraph {
    /// Creates the graph of a history with `count` changes.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] if a use refers to a missing definition, or if changes are missing or not oldest
    /// first.
    pub fn new(definitions: Vec<Timeline>, count: usize) -> Result<Self, Error> {
        let most = definitions.len();
        for (index, own) in definitions.iter().enumerate() {
            let all =
                own.base.iter().chain(own.changes.iter().filter_map(|(_, uses)| uses.as_ref())).flatten().flatten();
            if let Some(wrong) = all.copied().find(|&other| other >= most) {
                let argument = format!("definitions[{index}]");
                return Err(Error::invalid(argument, wrong, format!("uses of definitions below {most}")));
            }
            let mut before = None;
            for &(change, _) in &own.changes {
                if change >= count || before.is_some_and(|before| change <= before) {
                    let argument = format!("definitions[{index}].changes");
                    return Err(Error::invalid(argument, change, format!("changes below {count}, oldest first")));
                }
                before = Some(change);
            }
        }
        Ok(VersionGraph { definitions, count })
    }

    /// Returns the dependencies of each change, in the order of the changes.
    ///
    /// - A change of a definition that is [in order](Timeline::in_order) depends on the previous one.
    /// - A change that adds a use depends on the insertion of one of the definitions that satisfy it, unless one existed at
    ///   the base.
    /// - A change that deletes a definition depends, for each user at the base, on the change that removes the use or
    ///   inserts another definition that satisfies it.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] if there are more than 2^20 dependencies.
    pub fn needs(&self) -> Result<BTreeMap<usize, Vec<Need>>, Error> {
        let mut found: BTreeMap<usize, BTreeSet<Vec<usize>>> = BTreeMap::new();
        let mut total = 0;
        let mut add = |change: usize, mut others: Vec<usize>| {
            let mut seen = BTreeSet::new();
            others.retain(|&other| other < self.count && seen.insert(other));
            let is_need = !others.is_empty() && !seen.contains(&change) && others.len() <= MOST_ALTERNATIVES;
            total += usize::from(is_need && found.entry(change).or_default().insert(others));
            total <= MOST_NEEDS
        };
        let mut fits = true;
        for own in &self.definitions {
            if own.in_order {
                fits &= own.changes.windows(2).all(|pair| add(pair[1].0, vec![pair[0].0]));
            }
            for (place, (change, uses)) in own.changes.iter().enumerate() {
                let until = own.changes.get(place + 1).map_or(self.count, |(next, _)| *next);
                for others in uses.iter().flatten().filter(|others| !own.used_before(place, others)) {
                    fits &= self.inserts(others, *change, until).is_none_or(|inserts| add(*change, inserts));
                }
            }
        }
        for (change, deleted, user, others) in self.deletions() {
            let substitutes = others.iter().copied().filter(|&other| other != deleted).collect::<Vec<_>>();
            let Some(mut others) = self.inserts(&substitutes, change, self.count) else { continue };
            others.extend(self.definitions[user].drops(deleted));
            fits &= add(change, others);
        }
        if !fits {
            return Err(Error::invalid("dependencies", "syntax", format!("at most {MOST_NEEDS} dependencies")));
        }
        Ok(found.into_iter().map(|(change, needs)| (change, needs.into_iter().map(need).collect())).collect())
    }

    /// Returns the changes before `until` that insert one of these definitions, nearest first. Returns `None` if one of them
    /// exists at the base.
    fn inserts(&self, definitions: &[usize], change: usize, until: usize) -> Option<Vec<usize>> {
        let mut inserts = Vec::new();
        for own in definitions.iter().map(|&other| &self.definitions[other]) {
            if own.base.is_some() {
                return None;
            }
            let mut was_there = false;
            for (at, uses) in &own.changes {
                if uses.is_some() && !was_there && *at < until.max(change + 1) {
                    inserts.push(*at);
                }
                was_there = uses.is_some();
            }
        }
        inserts.sort_unstable_by_key(|&insert| (insert > change, insert.abs_diff(change)));
        Some(inserts)
    }

    /// Returns the changes that delete a definition of the base, each with a user at the base and the alternatives of the
    /// use.
    fn deletions(&self) -> Vec<(usize, usize, usize, &Vec<usize>)> {
        let mut deleted: BTreeMap<usize, usize> = BTreeMap::new();
        for (index, own) in self.definitions.iter().enumerate().filter(|(_, own)| own.base.is_some()) {
            if let Some((change, _)) = own.changes.iter().find(|(_, uses)| uses.is_none()) {
                deleted.insert(index, *change);
            }
        }
        let mut found = Vec::new();
        for (user, own) in self.definitions.iter().enumerate() {
            for others in own.base.iter().flatten().filter(|others| others.len() <= MOST_ALTERNATIVES) {
                let gone = others.iter().filter_map(|other| Some((*deleted.get(other)?, *other)));
                found.extend(gone.map(|(change, other)| (change, other, user, others)));
            }
        }
        found
    }
}

impl Timeline {
    /// Returns whether the version before one of the changes has this use.
    fn used_before(&self, place: usize, others: &Vec<usize>) -> bool {
        let before = if place == 0 { self.base.as_ref() } else { self.changes[place - 1].1.as_ref() };
        before.is_some_and(|uses| uses.contains(others))
    }

    /// Returns the first change after which the definition is no longer used, if there is one.
    fn drops(&self, definition: usize) -> Option<usize> {
        let uses_it = |uses: &Uses| uses.iter().any(|others| others.contains(&definition));
        self.changes.iter().find(|(_, uses)| !uses.as_ref().is_some_and(uses_it)).map(|(change, _)| *change)
    }
}

fn need(mut others: Vec<usize>) -> Need {
    match others.len() {
        1 => Need::Item(others.remove(0)),
        _ => Need::AnyOf(others),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(all: &[&[usize]]) -> Uses {
        all.iter().map(|one| one.to_vec()).collect()
    }

    fn needs(definitions: Vec<Timeline>, count: usize) -> Vec<(usize, Vec<Need>)> {
        VersionGraph::new(definitions, count).unwrap().needs().unwrap().into_iter().collect()
    }

    fn line(base: Option<Uses>, changes: &[(usize, Option<Uses>)]) -> Timeline {
        Timeline { base, changes: changes.to_vec(), in_order: true }
    }

    /// Figure 10: A.f, A.g, B.h, and B.g. B.g is updated, A.g is inserted above, A.f starts to use it, and B.g is deleted.
    #[test]
    fn a_method_moves_to_the_superclass() {
        let none = || Some(Uses::new());
        let found = needs(
            vec![
                line(none(), &[(2, Some(uses(&[&[1]])))]),
                line(None, &[(1, none())]),
                line(Some(uses(&[&[1, 3]])), &[]),
                line(none(), &[(0, none()), (3, None)]),
            ],
            4,
        );
        // The insertion of A.g cannot be removed alone, because A.f and B.h depend on it. All three can be removed together.
        assert_eq!(found, [(2, vec![Need::Item(1)]), (3, vec![Need::Item(0), Need::Item(1)])]);
    }

    #[test]
    fn example_1_of_the_paper() {
        // B.x, B.y, B.s, B.g, B.h, and B.m. Changes have the paper's numbers, starting at 0.
        let none = || Some(Uses::new());
        let found = needs(
            vec![
                line(none(), &[(0, none())]),
                line(None, &[(1, none())]),
                line(none(), &[(2, none())]),
                line(Some(uses(&[&[0], &[4]])), &[(3, Some(uses(&[&[0], &[4], &[5]])))]),
                line(none(), &[(4, none())]),
                line(None, &[(5, Some(uses(&[&[1]])))]),
            ],
            6,
        );
        assert_eq!(found, [(3, vec![Need::Item(5)]), (5, vec![Need::Item(1)])]);
    }

    #[test]
    fn alternatives_are_sufficient_dependencies() {
        let none = || Some(Uses::new());
        // Two definitions of that name are inserted and then used. The nearer one comes first.
        let two =
            vec![line(None, &[(0, none())]), line(None, &[(1, none())]), line(none(), &[(2, Some(uses(&[&[0, 1]])))])];
        assert_eq!(needs(two.clone(), 3), [(2, vec![Need::AnyOf(vec![1, 0])])]);
        // A definition at the base, or from the change itself, is not a dependency.
        let mut base = two.clone();
        base[0].base = none();
        base[0].changes.clear();
        assert_eq!(needs(base, 3), []);
        let mut itself = two;
        itself[0].changes[0].0 = 2;
        assert_eq!(needs(itself, 3), []);
    }

    #[test]
    fn a_deletion_depends_on_its_former_users() {
        let none = || Some(Uses::new());
        let users =
            |after: &[(usize, Option<Uses>)]| vec![line(none(), &[(1, None)]), line(Some(uses(&[&[0]])), after)];
        assert_eq!(needs(users(&[(0, none())]), 2), [(1, vec![Need::Item(0)])]);
        assert_eq!(needs(users(&[(0, None)]), 2), [(1, vec![Need::Item(0)])]);
        assert_eq!(needs(users(&[(1, none())]), 2), [], "the same change");
        assert_eq!(needs(users(&[]), 2), [], "the tip uses it all the same: it comes from elsewhere");
    }

    #[test]
    fn changes_of_an_unordered_definition_are_independent() {
        let none = || Some(Uses::new());
        let loose = Timeline { in_order: false, ..line(none(), &[(0, none()), (1, none())]) };
        assert_eq!(needs(vec![loose], 2), []);
    }

    #[test]
    fn invalid_timelines_are_named() {
        let none = || Some(Uses::new());
        let refused = |own: Timeline| VersionGraph::new(vec![own], 2).unwrap_err().to_string();
        assert!(refused(line(Some(uses(&[&[3]])), &[])).contains("definitions[0]: 3"));
        assert!(refused(line(none(), &[(1, none()), (0, none())])).contains("oldest first"));
        assert!(refused(line(none(), &[(2, none())])).contains("changes below 2"));
    }
}
