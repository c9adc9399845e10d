//! From a ranking of changes to a prior over the revisions of a history.

use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};
use serde::{Deserialize, Serialize};

use super::prior::PriorOptions;
use super::ranking::Ranking;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};

/// What a ranking says of the suspects of a culprit search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HistoryPrior {
    /// A weight for every suspect, summing to 1. `None` if no suspect is known to affect the test: then the ranking
    /// tells none from another, and all are alike.
    pub weights: Option<BTreeMap<String, f64>>,
    /// What the caller should be told, if anything.
    pub warning: Option<String>,
}

impl Ranking {
    /// A prior over the revisions that are `bad` or among its ancestors, and not `good` nor among its ancestors (by
    /// default the roots), as [`CulpritConfig`](crate::CulpritConfig) takes it. Changes are revisions; any name will do
    /// that the history knows. Those outside of it count for nothing.
    ///
    /// A revision without a change, like a merge that changed nothing by itself, does not affect the test. With
    /// `options.exclude` such revisions weigh nothing: they share the outcome of those before them (FACF, Section 1). Where
    /// that would leave nobody, the failure comes from elsewhere or the build graph lacks something: there are no weights
    /// then, but a warning.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`] for ends, changes and factors that the history does not
    /// know; [`Error::InvalidArgument`] for options out of range, and for two changes that are one revision.
    pub fn prior_in(
        &self,
        history: &CommitGraph,
        bad: &[String],
        good: &[String],
        options: &PriorOptions,
    ) -> Result<HistoryPrior, Error> {
        options.check()?;
        let all = |names: &[String], argument| -> Result<Vec<Node>, Error> {
            names.iter().map(|name| history.resolve(name, argument)).collect()
        };
        let mut between = history.ancestors(&all(bad, "bad")?);
        let good = if good.is_empty() { history.roots().collect() } else { all(good, "good")? };
        between.difference_with(&history.ancestors(&good));

        let mut named: HashMap<&str, Node> = HashMap::new();
        let mut seen = HashSet::new();
        for name in self.suspects.iter().map(|suspect| &suspect.change).chain(&self.excluded) {
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
        let mut inside = Ranking { suspects: Vec::new(), excluded: Vec::new(), ..self.clone() };
        for suspect in &self.suspects {
            let node = named[suspect.change.as_str()];
            if between.contains(node as usize) {
                between.remove(node as usize);
                let mut suspect = suspect.clone();
                suspect.change = id(node);
                inside.suspects.push(suspect);
            }
        }
        inside.excluded = between.ones().map(|node| id(node as Node)).collect();
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
                "nothing between good and bad touches anything that {} depends on: the failure is not from a change there",
                self.test
            )
        };
        format!("{found}; the build graph tells no revision from another, and all are taken for equally likely")
    }
}
