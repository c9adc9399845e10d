//! From a ranking of changes to a prior over the revisions of a history.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use hashbrown::{HashMap, HashSet};
use serde::{Deserialize, Serialize};

use super::prior::PriorOptions;
use super::ranking::{Ranking, Suspect};
use crate::error::Error;
use crate::graph::{AncestorSums, CommitGraph, Node};

/// What a ranking says of the suspects of a culprit search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HistoryPrior {
    /// A weight for every suspect, summing to 1. `None` if no suspect is known to affect the test: then the ranking tells none
    /// from another, and all are alike.
    pub weights: Option<BTreeMap<String, f64>>,
    /// What the caller should be told, if anything.
    pub warning: Option<String>,
}

impl Ranking {
    /// A prior over the revisions that are `bad` or among its ancestors, and not `good` nor among its ancestors (by default the
    /// roots), as [`CulpritConfig`](crate::CulpritConfig) takes it. Changes are revisions; any name will do that the history
    /// knows. Those outside of it count for nothing.
    ///
    /// A revision without a change of its own is excluded, as far as the build graph may [exclude](Ranking::complete): it shares
    /// the outcome of the one before it (FACF, Section 1). A merge has no single one before it, and may break what passed on both
    /// sides: it is excluded only if what came with all but one parent cannot matter, and is unlikely otherwise. Where no suspect
    /// is left, the failure comes from elsewhere or the build graph lacks something: there are no weights then, but a warning.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`] for ends, changes and factors that the history does not know;
    /// [`Error::InvalidArgument`] for options out of range, and for two changes that are one revision.
    pub fn prior_in(
        &self,
        history: &CommitGraph,
        bad: &[String],
        good: &[String],
        options: &PriorOptions,
    ) -> Result<HistoryPrior, Error> {
        options.check()?;
        let between = suspects_between(history, bad, good)?;
        let mut named: HashMap<&str, Node> = HashMap::new();
        let mut seen = HashSet::new();
        for name in self.suspects.iter().map(|suspect| &suspect.change).chain(&self.excluded).chain(&self.unlikely) {
            let node = history.resolve(name, "changes")?;
            if !seen.insert(node) {
                let expected = format!("each revision once; another name there stands for {} too", history.id(node));
                return Err(Error::invalid("changes", name, expected));
            }
            named.insert(name, node);
        }
        let id = |node: Node| history.id(node).to_owned();
        let mut factors = BTreeMap::new();
        for (name, &factor) in &options.factors {
            let node = named.get(name.as_str()).copied().map_or_else(|| history.resolve(name, "factors"), Ok)?;
            factors.insert(id(node), factor);
        }
        let mut inside = Ranking { suspects: Vec::new(), excluded: Vec::new(), unlikely: Vec::new(), ..self.clone() };
        let mut idle = between.clone();
        for suspect in &self.suspects {
            let node = named[suspect.change.as_str()];
            if idle.contains(node as usize) {
                idle.remove(node as usize);
                inside.suspects.push(Suspect { change: id(node), ..suspect.clone() });
            }
        }
        for node in
            self.unlikely.iter().map(|change| named[change.as_str()]).filter(|&node| idle.contains(node as usize))
        {
            inside.unlikely.push(id(node));
        }
        inside.unlikely.iter().filter_map(|id| history.get(id)).for_each(|node| idle.remove(node as usize));
        let shares = self.complete.then(|| SharedOutcomes::new(history, &between, &idle));
        for node in idle.ones().map(|node| node as Node) {
            let excluded = shares.as_ref().is_some_and(|shares| shares.holds(node));
            if excluded { &mut inside.excluded } else { &mut inside.unlikely }.push(id(node));
        }
        if inside.suspects.is_empty() {
            return Ok(HistoryPrior { weights: None, warning: Some(self.nobody()) });
        }
        let weights = inside.prior(&PriorOptions { factors, ..options.clone() })?;
        Ok(HistoryPrior { weights: Some(weights), warning: None })
    }

    /// What to say if no revision is known to affect the test.
    fn nobody(&self) -> String {
        let found = if self.suspects.is_empty() {
            self.message.clone()
        } else {
            format!(
                "nothing between good and bad touches anything that {}: the failure is not from a change there",
                self.what()
            )
        };
        format!("{found}; the build graph tells no revision from another")
    }
}

/// The revisions that are `bad` or among its ancestors, and not `good` (by default the roots) nor among its ancestors.
///
/// # Errors
/// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] that name `bad` or `good`.
pub(super) fn suspects_between(history: &CommitGraph, bad: &[String], good: &[String]) -> Result<FixedBitSet, Error> {
    let all = |names: &[String], argument| -> Result<Vec<Node>, Error> {
        names.iter().map(|name| history.resolve(name, argument)).collect()
    };
    let mut between = history.ancestors(&all(bad, "bad")?);
    let good = if good.is_empty() { history.roots().collect() } else { all(good, "good")? };
    between.difference_with(&history.ancestors(&good));
    Ok(between)
}

/// Which revisions share the outcome of a parent, because nothing that may matter lies between the two.
struct SharedOutcomes<'a> {
    history: &'a CommitGraph,
    /// By revision, how many of its ancestors may matter, or come from before the suspects.
    sums: Option<AncestorSums>,
}

impl<'a> SharedOutcomes<'a> {
    /// `idle` are those of `between` that change nothing that matters by themselves.
    fn new(history: &'a CommitGraph, between: &FixedBitSet, idle: &FixedBitSet) -> Self {
        let is_merge = |node: usize| history.parents(node as Node).len() > 1;
        let sums = idle.ones().any(is_merge).then(|| {
            let ends: Vec<Node> = between.ones().map(|node| node as Node).collect();
            let all = history.ancestors(&ends);
            let weights: Vec<f64> = all.ones().map(|node| if idle.contains(node) { 0.0 } else { 1.0 }).collect();
            AncestorSums::new(history, &all, &weights)
        });
        SharedOutcomes { history, sums }
    }

    fn holds(&self, node: Node) -> bool {
        let parents = self.history.parents(node);
        let (Some(sums), [_, _, ..]) = (&self.sums, parents) else { return true };
        parents.iter().any(|&parent| sums.get(parent) == sums.get(node))
    }
}
