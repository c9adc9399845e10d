//! What is found out once a version passes: what the test needs there, what broke it, what mends it, and the paper's own
//! answer (IDD, Sections 4.1 and 4.2).

use super::failure::Kind;
use super::patches::{Part, text};
use super::reduction::{Between, Reduced};
use super::report::{PortedPatch, Purpose};
use crate::error::Error;
use crate::reduction::Granularity;
use crate::search::{Content, Target};

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
}

impl Found {
    fn failing(&self) -> Target {
        self.bad_part.on(&self.bad)
    }
}

/// What there is to find out, in that order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
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
            Task::Carried => Purpose::Carried,
            Task::Cause => Purpose::Cause,
            Task::Repair => Purpose::Repair,
            Task::Figure2 => Purpose::Figure2,
            Task::Forward => Purpose::Forward,
        }
    }

    pub(super) fn after(self) -> Option<Task> {
        match self {
            Task::Carried => Some(Task::Cause),
            Task::Cause => Some(Task::Repair),
            Task::Repair => Some(Task::Figure2),
            Task::Figure2 | Task::Forward => None,
        }
    }

    /// How finely the patch is taken apart. What the test needs was carried as coarsely as the search was told; between two
    /// versions that are known there is nothing to be hollowed out.
    pub(super) fn granularity(self, told: Granularity) -> Granularity {
        match self {
            Task::Carried | Task::Figure2 => told,
            Task::Cause | Task::Repair | Task::Forward => Granularity::Lines,
        }
    }

    /// What the reduction is between; `carried` is what the test was found to need. `None` if there is nothing to reduce.
    pub(super) fn between(self, found: &Found, carried: &Part) -> Option<Between> {
        let (good, needs) = (Target::from(found.good.as_str()), carried.on(&found.good));
        match self {
            Task::Forward => None,
            Task::Carried if found.good_part.is_empty() => None,
            Task::Carried => Some(Between { from: good, to: found.good_part.on(&found.good), keep: Kind::Pass }),
            Task::Cause => Some(Between { from: needs, to: found.failing(), keep: Kind::Same }),
            Task::Repair => Some(Between { from: found.failing(), to: needs, keep: Kind::Pass }),
            Task::Figure2 => Some(Between { from: good, to: found.failing(), keep: Kind::Same }),
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
}

impl Patches {
    pub(super) fn set(&mut self, task: Task, part: &Part, patch: Option<PortedPatch>) {
        match task {
            Task::Carried => (self.carried, self.carried_part) = (patch, part.clone()),
            Task::Cause => self.cause = patch,
            Task::Repair => (self.repair, self.repair_part) = (patch, part.clone()),
            Task::Figure2 => self.figure2 = patch,
            Task::Forward => self.forward = patch,
        }
    }
}

/// A patch as it is reported; `None` if it changes nothing.
///
/// # Errors
/// Those of [`text`].
pub(super) fn ported(between: &Between, reduced: &Reduced, content: &Content) -> Result<Option<PortedPatch>, Error> {
    if reduced.part.is_empty() {
        return Ok(None);
    }
    let bytes = text(content, &reduced.part.changes)?;
    Ok(Some(PortedPatch {
        on: between.from.clone(),
        changes: reduced.part.changes.len(),
        of: reduced.count,
        guarantee: reduced.guarantee,
        bytes: if std::str::from_utf8(&bytes).is_err() { Some(Content::new(&bytes)?) } else { None },
        text: String::from_utf8(bytes).ok(),
    }))
}
