//! Conversion between requests of a search and runs of an oracle.

use firstbad::{Error, Event, Observation, Outcome, Stage, Target};
use serde_json::json;

use super::{Conflict, Slices};
use crate::signals::told;
use crate::variants::{Carried, Trial, Way};

impl Slices {
    /// Returns how to test a set of changes. If the changes conflict, or if the same files were [tested](Slices::seen) before by
    /// this search or one that [shares](Slices::share) its outcomes, the outcome is known. Otherwise, returns a patch for the
    /// base.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the target has no changes, and the errors of [`Slices::tree`].
    pub fn trial(&self, target: &Target) -> Result<Trial, Error> {
        let Some(changes) = &target.changes else {
            return Err(Error::invalid("target", target, "a set of changes"));
        };
        let tree = match self.tree(changes)? {
            Ok(tree) => tree,
            Err(conflict) => return Ok(Trial::Answered(Box::new(self.conflicting(&conflict)))),
        };
        if let Some(seen) = self.seen.of(&tree) {
            return Ok(Trial::Answered(Box::new(told(Observation { ran: false, ..seen }, "tree", json!(tree)))));
        }
        let own = self.own_tree()?;
        let way = if self.chain.states.contains(&tree) { Way::Exact } else { Way::ThreeWay };
        Ok(Trial::Run(Carried { patch: self.trees.diff(&own, &tree)?, tree, way }))
    }

    /// Records the observation of a run, and returns the observation for the search.
    pub fn seen(&self, carried: &Carried, seen: Observation) -> Observation {
        if seen.ran {
            self.seen.add(&carried.tree, &seen);
        }
        told(seen, "tree", json!(carried.tree))
    }

    /// Restores the observations of a resumed search.
    pub fn remember(&self, events: &[Event]) {
        self.seen.remember_all(events, |_| true);
    }

    fn conflicting(&self, conflict: &Conflict) -> Observation {
        let name = self.chain.changes[conflict.change].name();
        Observation {
            stage: Some(Stage::Patch),
            note: Some(format!("{name} cannot be merged: {}", conflict.words)),
            signals: Some(json!({ "conflict": conflict.change })),
            ran: false,
            ..Observation::new(Outcome::Unresolved)
        }
    }
}
