use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use hashbrown::{HashMap, HashSet};
use serde::{Deserialize, Serialize};

use super::prior::PriorOptions;
use super::ranking::{Ranking, Suspect};
use crate::error::Error;
use crate::graph::{AncestorSums, CommitGraph, Node};

/// The prior of a culprit search that follows from a ranking.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HistoryPrior {
    /// The weight of every suspect. Weights sum to 1. `None` if no suspect is known to affect the test, so that all suspects are
    /// equally likely.
    pub weights: Option<BTreeMap<String, f64>>,
    /// A warning for the caller.
    pub warning: Option<String>,
}

impl Ranking {
    /// Returns a prior over the suspects between `good` and `bad` for [`CulpritConfig`](crate::CulpritConfig).
    ///
    /// The suspects are the `bad` revisions and their ancestors without the `good` revisions and their ancestors. Without `good`,
    /// the roots are good. Changes can have any revision name that the history knows. Changes that are not suspects have no
    /// effect.
    ///
    /// A revision without a change is excluded if the build graph [may exclude changes](Ranking::complete), because it has the
    /// outcome of its parent (FACF, Section 1). A merge has several parents and can break what passed on both sides. A merge is
    /// therefore excluded only if the changes of all but one parent cannot matter. Otherwise, it is unlikely.
    ///
    /// If no suspect is left, the prior has a warning instead of weights. The failure then has another cause, or the build graph
    /// is incomplete.
    ///
    /// # Errors
    /// - [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] if the history does not know an endpoint, change, or factor.
    /// - [`Error::InvalidArgument`] if an option is out of range, or if two changes are the same revision.
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
                let expected = format!("each revision once, but another name there also means {}", history.id(node));
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

    /// Returns the warning for a prior without weights.
    fn nobody(&self) -> String {
        let found = if self.suspects.is_empty() {
            self.message.clone()
        } else {
            format!("no change between good and bad touches a file that {}, so the cause is elsewhere", self.what())
        };
        format!("{found}. The build graph cannot rank these revisions")
    }
}

/// Returns the `bad` revisions and their ancestors, without the `good` revisions and their ancestors. Without `good`, the roots
/// are good.
pub(super) fn suspects_between(history: &CommitGraph, bad: &[String], good: &[String]) -> Result<FixedBitSet, Error> {
    let all = |names: &[String], argument| -> Result<Vec<Node>, Error> {
        names.iter().map(|name| history.resolve(name, argument)).collect()
    };
    let mut between = history.ancestors(&all(bad, "bad")?);
    let good = if good.is_empty() { history.roots().collect() } else { all(good, "good")? };
    between.difference_with(&history.ancestors(&good));
    Ok(between)
}

/// Revisions that share the outcome of a parent because nothing between the two matters.
struct SharedOutcomes<'a> {
    history: &'a CommitGraph,
    /// The number of ancestors that may matter or precede the suspects, by revision.
    sums: Option<AncestorSums>,
}

impl<'a> SharedOutcomes<'a> {
    /// `idle` contains the revisions of `between` whose own change does not matter.
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
