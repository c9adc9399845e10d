//! The reductions after a version passes: what the test needs there, what broke it, what fixes it, and the result of the
//! paper (IDD, Sections 4.1 and 4.2).

use super::config::PorterConfig;
use super::failure::Kind;
use super::patches::{Part, text};
use super::reduction::{Between, How, Reduced};
use super::report::{PortedPatch, Purpose};
use crate::error::Error;
use crate::patch::Patch;
use crate::reduction::{Expect, Granularity, Guarantee, Method};
use crate::search::{ChangeSet, Content, Target};

/// A version that passes, and the next newer one, which fails.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) good: String,
    /// The patch with which the good version passes.
    pub(super) good_part: Part,
    pub(super) bad: String,
    /// The patch with which the bad version fails as the start does.
    pub(super) bad_part: Part,
    /// Versions between them that do not build without a patch.
    pub(super) between: Vec<String>,
    /// The minimal patch that the failure needs, if both versions have the same patch.
    ///
    /// If the good version passes with it, it is also the patch that the test needs. A smaller patch may be enough for a
    /// pass, but it could lack what the failure needs to return (Section 5.2 on hollow passes).
    pub(super) needed: Option<Reduced>,
}

impl Found {
    /// The patch with which the older version passes, as far as it is known.
    pub(super) fn passing(&self) -> &Part {
        self.needed.as_ref().map_or(&self.good_part, |needed| &needed.part)
    }

    pub(super) fn failing(&self) -> Target {
        self.needed.as_ref().map_or(&self.bad_part, |needed| &needed.part).on(&self.bad)
    }
}

/// The reductions, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// How much of the common patch the failure needs.
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

    /// Returns how to reduce the patch.
    ///
    /// The carried patch and a fix consist of whole definitions, because a test can pass with half of a definition. They are
    /// probably minimal. The cause consists of whole edits. The paper's algorithms and result use the given granularity.
    pub(super) fn how(self, config: &PorterConfig) -> How {
        let (one_minimal, fixpoint) = (Guarantee::OneMinimal, Guarantee::Fixpoint);
        let told = config.granularity;
        let is_paper = config.algorithm != Method::Auto || config.figure2;
        let (granularity, guarantee, then) = match self {
            Task::Needed | Task::Carried if is_paper => (told, one_minimal, Expect::Minimal),
            Task::Needed | Task::Carried => (told.min(Granularity::Definitions), one_minimal, Expect::Minimal),
            Task::Cause => (Granularity::Edits, one_minimal, Expect::Parts),
            Task::Repair => (Granularity::Definitions, one_minimal, Expect::Minimal),
            Task::Figure2 => (told, fixpoint, Expect::Parts),
            Task::Forward => (Granularity::Definitions, fixpoint, Expect::Minimal),
        };
        How { granularity, guarantee, blocks: self != Task::Figure2, then }
    }

    /// Returns the trees of the reduction, or `None` if there is nothing to reduce.
    pub(super) fn between(self, found: &Found, patches: &Patches) -> Option<Between> {
        let (good, needs) = (Target::from(found.good.as_str()), patches.carried_part.on(&found.good));
        match self {
            Task::Forward => None,
            // If a part of a patch passed early, the two versions do not share a patch.
            Task::Needed if found.needed.is_some() || found.good_part != found.bad_part => None,
            Task::Needed | Task::Carried if found.good_part.is_empty() => None,
            Task::Needed => Some(Between { from: found.bad.as_str().into(), to: found.failing(), keep: Kind::Same }),
            Task::Carried => Some(Between { from: good, to: found.passing().on(&found.good), keep: Kind::Pass }),
            Task::Cause => Some(Between { from: needs, to: found.failing(), keep: Kind::Same }),
            Task::Repair => Some(Between { from: found.failing(), to: needs, keep: Kind::Pass }),
            Task::Figure2 => {
                // If a part of a patch passed early, the smallest patch is already known from the walk. Otherwise, combine
                // the patch that the test needs with the one that brings the failure back.
                let both = patches.caused.clone().filter(|_| found.good_part == found.bad_part);
                Some(Between { from: good, to: both.unwrap_or_else(|| found.failing()), keep: Kind::Same })
            }
        }
    }

    /// Returns whether the result of the paper is the carried patch and the cause.
    ///
    /// The failure needs each of them. If more changes never hide the failure, no change of both can be removed.
    pub(super) fn is_union(self, found: &Found, patches: &Patches) -> bool {
        let is_needed =
            found.needed.as_ref().map_or(found.good_part.is_empty(), |needed| needed.part == patches.carried_part);
        self == Task::Figure2 && found.good_part == found.bad_part && is_needed && patches.caused.is_some()
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
    /// The patch that the test needs on the good version, and the one that fixes the bad version, for the following
    /// reductions.
    pub(super) carried_part: Part,
    pub(super) cause_part: Part,
    pub(super) repair_part: Part,
    /// The good version with the patch that the test needs and the cause.
    pub(super) caused: Option<Target>,
}

impl Patches {
    pub(super) fn set(&mut self, task: Task, part: &Part, patch: Option<PortedPatch>) {
        match task {
            Task::Needed => {}
            Task::Carried => (self.carried, self.carried_part) = (patch, part.clone()),
            Task::Cause => (self.cause, self.cause_part) = (patch, part.clone()),
            Task::Repair => (self.repair, self.repair_part) = (patch, part.clone()),
            Task::Figure2 => self.figure2 = patch,
            Task::Forward => self.forward = patch,
        }
    }
}

/// Returns the whole difference between two trees as a patch with the guarantee of `needed`.
///
/// # Errors
/// Returns the errors of [`Patch::parse`] and [`text`].
pub(super) fn whole(on: &Target, needed: &Reduced, content: &Content) -> Result<Option<PortedPatch>, Error> {
    let all = ChangeSet::all(Patch::parse(content.bytes())?.len());
    ported(on, &Reduced { part: Part::new(0, all), ..needed.clone() }, content)
}

/// Returns a patch for the report, or `None` if it changes nothing.
///
/// # Errors
/// Returns the errors of [`text`].
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
