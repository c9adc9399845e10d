use crate::error::Error;
use crate::patch::Patch;
use crate::search::{ChangeSet, Content, Target};

/// A part of a read difference, empty without a difference.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) universe: Option<u64>,
    pub(super) changes: ChangeSet,
}

impl Part {
    pub(super) fn new(universe: u64, changes: ChangeSet) -> Part {
        if changes.is_empty() { Part::default() } else { Part { universe: Some(universe), changes } }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.universe.is_none()
    }

    /// Returns a revision with this part applied.
    pub(super) fn on(&self, revision: &str) -> Target {
        match self.universe {
            None => revision.into(),
            Some(universe) => Target {
                revision: Some(revision.to_owned()),
                changes: Some(self.changes.clone()),
                universe: Some(universe),
                ..Target::default()
            },
        }
    }
}

/// Returns the text of a part.
///
/// # Errors
/// Returns the errors of [`Patch::parse`] and [`Patch::subset`].
pub(super) fn text(universe: &Content, changes: &ChangeSet) -> Result<Vec<u8>, Error> {
    let indices: Vec<usize> = changes.iter().collect();
    Ok(Patch::parse(universe.bytes())?.subset(&indices)?.to_bytes())
}
