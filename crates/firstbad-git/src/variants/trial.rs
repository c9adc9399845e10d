//! Conversion between requests of a search and runs of an oracle.

use firstbad::{Error, Event, Observation, Outcome, Request, Stage, Target};
use serde_json::json;

use super::{Carried, Universe, Variants};
use crate::signals::told;

/// How to test a target.
#[derive(Debug, Clone, PartialEq)]
pub enum Trial {
    /// The outcome is known without a run.
    Answered(Box<Observation>),
    /// Test the revision with this patch.
    Run(Carried),
}

impl Variants {
    /// Returns how to test a target. The outcome is known in these cases:
    ///
    /// - The changes do not apply.
    /// - The changes break the syntax of a file that parses at both ends of the difference, if
    ///   [enabled](super::VariantsOptions::parse).
    /// - The same files were [tested](Variants::seen) before, by this search or one that [shares](Variants::share) its outcomes.
    ///   IDD (Section 5.4) caches by sets of changes, but different sets can give equal files.
    ///
    /// # Errors
    /// The errors of [`Variants::carried`], except for conflicts.
    pub fn trial(&self, target: &Target, universes: Universe<'_>) -> Result<Trial, Error> {
        let carried = match self.carried(target, universes) {
            Ok(carried) => carried,
            Err(error @ Error::PatchConflict { .. }) => {
                return Ok(Trial::Answered(Box::new(Observation {
                    stage: Some(Stage::Patch),
                    note: Some(error.to_string()),
                    signals: Some(json!({ "carried": "conflict" })),
                    ran: false,
                    ..Observation::new(Outcome::Unresolved)
                })));
            }
            Err(error) => return Err(error),
        };
        let before = is_shared(target).then(|| self.seen.of(&carried.tree)).flatten();
        let known = match before {
            Some(before) => Some(Observation { ran: false, ..before }),
            None => self.unparsed(target, &carried.tree, universes)?,
        };
        Ok(match known {
            Some(known) => Trial::Answered(Box::new(described(known, &carried))),
            None => Trial::Run(carried),
        })
    }

    /// Returns the observation for a target whose tree contains a file that does not parse but parses at both ends of the
    /// difference: with none and with all of the changes. Returns `None` for all other targets, including changes applied to
    /// another revision.
    ///
    /// # Errors
    /// See [`Variants::tree`].
    fn unparsed(&self, target: &Target, tree: &str, universes: Universe<'_>) -> Result<Option<Observation>, Error> {
        let Some((Request::Diff { from, to }, _)) = target.universe.and_then(universes) else { return Ok(None) };
        let Some(parsed) = self.parsed.as_ref().filter(|_| from.revision == target.revision) else { return Ok(None) };
        let (from, to) = (self.tree(&from, universes)?, self.tree(&to, universes)?);
        parsed.unparsed(&self.trees, [&from, &to], tree)
    }

    /// Records the observation of a run, with that of its control if one ran (see [`wants_control`]). Returns the observation for
    /// the search.
    pub fn seen(
        &self,
        target: &Target,
        carried: &Carried,
        seen: Observation,
        control: Option<&Observation>,
    ) -> Observation {
        let seen = match control.filter(|_| wants_control(target, &seen)) {
            Some(control) => controlled(seen, control),
            None => seen,
        };
        if is_shared(target) && seen.ran {
            self.seen.add(&carried.tree, &seen);
        }
        described(seen, carried)
    }

    /// Restores the observations of a resumed search. The signals of an observation contain its tree.
    pub(super) fn remember(&self, events: &[Event]) {
        self.seen.remember_all(events, is_shared);
    }
}

/// Returns whether to run a control after a test with this observation: after a failure, and after a pass with changes.
#[must_use]
pub fn wants_control(target: &Target, seen: &Observation) -> bool {
    match seen.outcome {
        Outcome::Fail => true,
        Outcome::Pass => target.changes.as_ref().is_some_and(|changes| !changes.is_empty()),
        Outcome::Unresolved => false,
    }
}

/// Combines a test with its control. A failure counts only if the control passes, because the changes may have removed something
/// that a pass needs (IDD, Section 5.2). A pass stays a pass, and its signals contain the outcome of the control for the search.
fn controlled(seen: Observation, control: &Observation) -> Observation {
    if control.outcome == Outcome::Pass {
        return seen;
    }
    if seen.outcome == Outcome::Pass {
        return told(seen, "control", json!(control.describe()));
    }
    Observation {
        outcome: Outcome::Unresolved,
        stage: Some(Stage::Control),
        signature: control.signature.clone(),
        note: Some(format!(
            "the test and the control fail: {}",
            control.note.clone().unwrap_or_else(|| control.describe())
        )),
        output: control.output.clone().or(seen.output.clone()),
        fails: None,
        passes: None,
        ..seen
    }
}

/// The search intentionally runs the start twice, the second time with an empty set of changes.
fn is_shared(target: &Target) -> bool {
    target.universe.is_some() || target.changes.is_none()
}

/// Adds the tree and the way it was built to the signals.
fn described(seen: Observation, carried: &Carried) -> Observation {
    told(told(seen, "carried", json!(carried.way)), "tree", json!(carried.tree))
}
