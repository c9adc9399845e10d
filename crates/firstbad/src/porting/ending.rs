//! What is found out once a version passes: what the test needs there, what broke it, what mends it, and the paper's own
//! answer (IDD, Sections 4.1 and 4.2).

use super::failure::Kind;
use super::patches::{Part, text};
use super::reduction::{Between, How, Reduced};
use super::report::{PortedPatch, Purpose};
use crate::error::Error;
use crate::patch::Patch;
use crate::reduction::{Granularity, Guarantee};
use crate::search::{ChangeSet, Content, Target};

/// A version that passes, and the one after it that fails.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) good: String,
    /// With what it passes.
    pub(super) good_part: Part,
    pub(super) bad: String,
    /// With what it fails as the start does.
    pub(super) bad_part: Part,
    /// Versions between them that do not build by themselves.
    pub(super) between: Vec<String>,
    /// What the failure needs, where both versions have the same patch: nothing of it can go at the version that fails.
    /// As long as the other one passes with it, that is what the test needs. Less would often do for a pass, and would only
    /// be missing where the failure is to come back (Section 5.2: what a pass needs is hollowed out).
    pub(super) needed: Option<Reduced>,
}

impl Found {
    /// With what the older version passes, as far as that is known.
    pub(super) fn passing(&self) -> &Part {
        self.needed.as_ref().map_or(&self.good_part, |needed| &needed.part)
    }

    pub(super) fn failing(&self) -> Target {
        self.needed.as_ref().map_or(&self.bad_part, |needed| &needed.part).on(&self.bad)
    }
}

/// What there is to find out, in that order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// Of the patch that both versions have: how much the failure needs.
    Needed,
    Carried,
    Cause,
    Repair,
    Figure2,
    /// At the revision that the fix was brought to.
    Forward,
}

impl Task {
    pub(super) fn purpose(self) -> Purpose {
        match self {
            Task::Needed | Task::Carried => Purpose::Carried,
            Task::Cause => Purpose::Cause,
            Task::Repair => Purpose::Repair,
            Task::Figure2 => Purpose::Figure2,
            Task::Forward => Purpose::Forward,
        }
    }

    pub(super) fn after(self) -> Option<Task> {
        match self {
            Task::Needed => Some(Task::Carried),
            Task::Carried => Some(Task::Cause),
            Task::Cause => Some(Task::Repair),
            Task::Repair => Some(Task::Figure2),
            Task::Figure2 | Task::Forward => None,
        }
    }

    /// How the patch is taken apart. What the test needs was carried as coarsely as the search was told; between two versions
    /// that are known there is nothing to be hollowed out. The paper's own answer comes about as the paper's reductions do.
    pub(super) fn how(self, told: Granularity) -> How {
        let lines = Granularity::Lines;
        match self {
            Task::Needed | Task::Carried => How { granularity: told, guarantee: Guarantee::OneMinimal, blocks: true },
            Task::Cause | Task::Repair => How { granularity: lines, guarantee: Guarantee::OneMinimal, blocks: true },
            Task::Figure2 => How { granularity: told, guarantee: Guarantee::Fixpoint, blocks: false },
            Task::Forward => How { granularity: lines, guarantee: Guarantee::Fixpoint, blocks: false },
        }
    }

    /// What the reduction is between. `None` if there is nothing to reduce.
    pub(super) fn between(self, found: &Found, patches: &Patches) -> Option<Between> {
        let (good, needs) = (Target::from(found.good.as_str()), patches.carried_part.on(&found.good));
        match self {
            Task::Forward => None,
            // As early as a part of a patch was seen to pass, there is no patch that both versions have.
            Task::Needed if found.needed.is_some() || found.good_part != found.bad_part => None,
            Task::Needed | Task::Carried if found.good_part.is_empty() => None,
            Task::Needed => Some(Between { from: found.bad.as_str().into(), to: found.failing(), keep: Kind::Same }),
            Task::Carried => Some(Between { from: good, to: found.passing().on(&found.good), keep: Kind::Pass }),
            Task::Cause => Some(Between { from: needs, to: found.failing(), keep: Kind::Same }),
            Task::Repair => Some(Between { from: found.failing(), to: needs, keep: Kind::Pass }),
            Task::Figure2 => {
                // With less than all: what the test needs, and what brings the failure back to it. With a part of a patch that
                // was seen to pass early there is a smallest patch already: the walk's.
                let both =
                    patches.caused.clone().filter(|_| found.good_part == found.bad_part && !found.good_part.is_empty());
                Some(Between { from: good, to: both.unwrap_or_else(|| found.failing()), keep: Kind::Same })
            }
        }
    }
}

/// The patches found so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Patches {
    pub(super) carried: Option<PortedPatch>,
    pub(super) cause: Option<PortedPatch>,
    pub(super) repair: Option<PortedPatch>,
    pub(super) figure2: Option<PortedPatch>,
    pub(super) forward: Option<PortedPatch>,
    /// What the test needs on the version that passes, and what mends the one that fails, to go on with.
    pub(super) carried_part: Part,
    pub(super) repair_part: Part,
    /// The version that passes, with what the test needs and what brings the failure back.
    pub(super) caused: Option<Target>,
}

impl Patches {
    pub(super) fn set(&mut self, task: Task, part: &Part, patch: Option<PortedPatch>) {
        match task {
            Task::Needed => {}
            Task::Carried => (self.carried, self.carried_part) = (patch, part.clone()),
            Task::Cause => self.cause = patch,
            Task::Repair => (self.repair, self.repair_part) = (patch, part.clone()),
            Task::Figure2 => self.figure2 = patch,
            Task::Forward => self.forward = patch,
        }
    }
}

/// All of what lies between two trees, as a patch that was found to be as small as `needed` says.
///
/// # Errors
/// Those of [`Patch::parse`] and [`text`].
pub(super) fn whole(on: &Target, needed: &Reduced, content: &Content) -> Result<Option<PortedPatch>, Error> {
    let all = ChangeSet::all(Patch::parse(content.bytes())?.len());
    ported(on, &Reduced { part: Part::new(0, all), ..needed.clone() }, content)
}

/// A patch as it is reported; `None` if it changes nothing.
///
/// # Errors
/// Those of [`text`].
pub(super) fn ported(on: &Target, reduced: &Reduced, content: &Content) -> Result<Option<PortedPatch>, Error> {
    if reduced.part.is_empty() {
        return Ok(None);
    }
    let bytes = text(content, &reduced.part.changes)?;
    Ok(Some(PortedPatch {
        on: on.clone(),
        changes: reduced.part.changes.len(),
        of: reduced.count,
        guarantee: reduced.guarantee,
        bytes: if std::str::from_utf8(&bytes).is_err() { Some(Content::new(&bytes)?) } else { None },
        text: String::from_utf8(bytes).ok(),
    }))
}
