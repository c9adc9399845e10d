//! What changes are thought to rest on: by the lines that they touch, and by what they define and use.

use std::collections::BTreeMap;

use firstbad::patch::{Reach, hunk_dependencies};
use firstbad::reduction::Need;
use firstbad::{Error, Patch};

use super::{Slices, uses};

/// From what to tell what changes rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DependencyKind {
    /// Where a hunk edits what another one wrote: what git needs to bring a change somewhere.
    Hunks,
    /// Where a definition uses what another change defines: what a program needs to work. The changes of one function or
    /// variable are reverted newest first.
    Syntax,
    /// From both. Hunks say more exactly which changes of one definition rest on each other: there it is left to them.
    Auto,
}

impl Slices {
    /// What changes are thought to rest on, by index. It is a guess from the text alone: whether git can bring a change
    /// somewhere, the merge says, and whether the program works, its test.
    ///
    /// # Errors
    /// [`Error::Git`]; [`Error::InvalidArgument`] if there are more than 2^22 needs of hunks, or 2^20 of definitions.
    pub fn dependencies(&self, kind: DependencyKind) -> Result<BTreeMap<usize, Vec<Need>>, Error> {
        let mut needed = match kind {
            DependencyKind::Syntax => BTreeMap::new(),
            DependencyKind::Hunks | DependencyKind::Auto => self.by_hunks()?,
        };
        if kind != DependencyKind::Hunks {
            let in_order = kind == DependencyKind::Syntax;
            for (change, needs) in uses::needs(&*self.read_definitions()?, self.chain.changes.len(), in_order)? {
                let known = needed.entry(change).or_default();
                for need in needs {
                    let is_known = match &need {
                        Need::Item(_) => known.contains(&need),
                        // Any one of them is enough, and one is needed all the same.
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

    fn by_hunks(&self) -> Result<BTreeMap<usize, Vec<Need>>, Error> {
        let patches: Vec<Patch> = (self.chain.states.windows(2))
            .map(|step| Patch::parse(&self.trees.diff(&step[0], &step[1])?))
            .collect::<Result<_, Error>>()?;
        let mut needed: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for found in hunk_dependencies(&patches, Reach::Touched)? {
            needed.entry(found.of.patch).or_default().extend(found.needs.iter().map(|need| need.patch));
        }
        for needs in needed.values_mut() {
            needs.sort_unstable();
            needs.dedup();
        }
        needed.retain(|_, needs| !needs.is_empty());
        Ok(needed.into_iter().map(|(change, needs)| (change, needs.into_iter().map(Need::Item).collect())).collect())
    }
}
