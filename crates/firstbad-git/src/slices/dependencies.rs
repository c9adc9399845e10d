//! Guessing which changes depend on others, from the lines that they touch and the names that they define and use.

use std::collections::BTreeMap;

use firstbad::patch::{Reach, hunk_dependencies};
use firstbad::reduction::Need;
use firstbad::{Error, Patch};

use super::{Slices, uses};

/// The information from which dependencies of changes are guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DependencyKind {
    /// Hunks: a change depends on another if it edits lines that the other wrote. Git needs these changes to apply it.
    Hunks,
    /// Definitions: a change depends on another if it uses a definition of the other. The program needs these changes to work.
    /// Changes of one function or variable are reverted newest first.
    Syntax,
    /// Both. Hunks are more precise for the changes of one definition, so these use only hunks.
    Auto,
}

impl Slices {
    /// Returns the changes that each change probably depends on, by index. This is a guess from the text. A merge shows whether a
    /// change applies, and the test shows whether the program works.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails. [`Error::InvalidArgument`] if there are more than 2^22 dependencies of hunks or 2^20 of
    /// definitions.
    pub fn dependencies(&self, kind: DependencyKind) -> Result<BTreeMap<usize, Vec<Need>>, Error> {
        let mut needed = match kind {
            DependencyKind::Syntax => BTreeMap::new(),
            DependencyKind::Hunks | DependencyKind::Auto => self.by_hunks()?,
        };
        if kind != DependencyKind::Hunks {
            let in_order = kind == DependencyKind::Syntax;
            let steps = self.chain.change_of.len();
            for (step, needs) in uses::needs(&*self.read_definitions()?, steps, in_order)? {
                let Some(change) = self.chain.change_of[step] else { continue };
                let needs = needs.into_iter().filter_map(|need| self.own_need(need));
                let known = needed.entry(change).or_default();
                for need in needs {
                    let is_known = match &need {
                        Need::Item(_) => known.contains(&need),
                        // If one of the alternatives is needed anyway, the need is met.
                        Need::AnyOf(others) => others.iter().any(|&other| known.contains(&Need::Item(other))),
                    };
                    if !is_known {
                        known.push(need);
                    }
                }
            }
        }
        Ok(needed)
    }

    /// Converts a need of steps to one of changes. Returns `None` if the other branch already meets it.
    fn own_need(&self, need: Need) -> Option<Need> {
        match need {
            Need::Item(step) => self.chain.change_of[step].map(Need::Item),
            Need::AnyOf(steps) => {
                let changes: Option<Vec<usize>> = steps.iter().map(|&step| self.chain.change_of[step]).collect();
                changes.map(Need::AnyOf)
            }
        }
    }

    fn by_hunks(&self) -> Result<BTreeMap<usize, Vec<Need>>, Error> {
        let patches: Vec<Patch> = (self.chain.states.windows(2))
            .map(|step| Patch::parse(&self.trees.diff(&step[0], &step[1])?))
            .collect::<Result<_, Error>>()?;
        let mut needed: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for found in hunk_dependencies(&patches, Reach::Touched)? {
            let Some(change) = self.chain.change_of[found.of.patch] else { continue };
            let needs = self.chain.changes_of(found.needs.iter().map(|need| need.patch));
            needed.entry(change).or_default().extend(needs);
        }
        for needs in needed.values_mut() {
            needs.sort_unstable();
            needs.dedup();
        }
        needed.retain(|_, needs| !needs.is_empty());
        Ok(needed.into_iter().map(|(change, needs)| (change, needs.into_iter().map(Need::Item).collect())).collect())
    }
}
