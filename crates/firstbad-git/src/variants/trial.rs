//! From a probe to what an oracle runs, and from what it saw to an answer.

use firstbad::{Error, Event, Observation, Outcome, Request, Stage, Target};
use serde_json::json;

use super::{Carried, Universe, Variants};
use crate::signals::told;

/// What there is to do for a probe.
#[derive(Debug, Clone, PartialEq)]
pub enum Trial {
    /// Nothing: the answer is known, and cost no run.
    Answered(Box<Observation>),
    /// The revision is to be tested with this patch.
    Run(Carried),
}

impl Variants {
    /// What there is to do for a target: where its changes do not apply, where they leave a file that does not parse and both
    /// ends of what they are a part of do (if that [counts](super::VariantsOptions::parse)), or where the same files were
    /// [seen](Variants::seen) before, the answer is known (IDD, Section 5.4, caches by sets of changes; different sets may make
    /// equal files). What other searches saw counts, too, once it is [shared](Variants::share).
    ///
    /// # Errors
    /// Those of [`Variants::carried`], but for the conflict.
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

    /// What is known of a target where a file does not parse in its tree, and does at both ends of the difference that it takes
    /// a part of: with none of the changes, and with all. `None` for anything else: what was carried to another revision is run.
    ///
    /// # Errors
    /// Those of [`Variants::tree`].
    fn unparsed(&self, target: &Target, tree: &str, universes: Universe<'_>) -> Result<Option<Observation>, Error> {
        let Some((Request::Diff { from, to }, _)) = target.universe.and_then(universes) else { return Ok(None) };
        let Some(parsed) = self.parsed.as_ref().filter(|_| from.revision == target.revision) else { return Ok(None) };
        let (from, to) = (self.tree(&from, universes)?, self.tree(&to, universes)?);
        parsed.unparsed(&self.trees, [&from, &to], tree)
    }

    /// The answer to a target, from what an oracle saw, and its control where one was run (see [`wants_control`]).
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

    /// Remembers what a search was told before it was taken up again: what was [seen](Variants::seen) of which tree stands in
    /// the observations' signals.
    pub(super) fn remember(&self, events: &[Event]) {
        self.seen.remember_all(events, is_shared);
    }
}

/// Whether a control is to be run after a test of a target that ended so: after a failure, and after a pass with changes.
#[must_use]
pub fn wants_control(target: &Target, seen: &Observation) -> bool {
    match seen.outcome {
        Outcome::Fail => true,
        Outcome::Pass => target.changes.as_ref().is_some_and(|changes| !changes.is_empty()),
        Outcome::Unresolved => false,
    }
}

/// A failure that counts only if the control passes (IDD, Section 5.2: what a pass needs may be gone). A pass stays one, and
/// its signals say what the control did: whether it counts is for the search to say.
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
            "the test fails and the control does not pass: {}",
            control.note.clone().unwrap_or_else(|| control.describe())
        )),
        output: control.output.clone().or(seen.output.clone()),
        fails: None,
        passes: None,
        ..seen
    }
}

/// The start is run twice on purpose, the second time with no changes.
fn is_shared(target: &Target) -> bool {
    target.universe.is_some() || target.changes.is_none()
}

/// With the tree that it was seen of, and how it came about.
fn described(seen: Observation, carried: &Carried) -> Observation {
    told(told(seen, "carried", json!(carried.way)), "tree", json!(carried.tree))
}
