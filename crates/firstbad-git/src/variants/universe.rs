//! The diffs whose changes targets refer to.

use std::collections::BTreeMap;

use firstbad::{Content, Error, Request, Target};

/// A function that returns the request and the content of a read by its number, or `None` if there is no content yet.
/// [`Inspect::universe`](firstbad::Inspect::universe) is one.
pub type Universe<'a> = &'a dyn Fn(u64) -> Option<(Request, Content)>;

/// The maximum number of universes that depend on each other. Each needs another patch. A search whose diffs start at revisions
/// needs one.
const DEEPEST: usize = 32;

/// Returns all universes that [`Variants`](crate::Variants) need for these targets: those of the targets, those that they depend
/// on, and those at the other ends of their diffs. The search can continue meanwhile.
pub fn universes_of<'a>(
    targets: impl IntoIterator<Item = &'a Target>,
    universes: Universe<'_>,
) -> BTreeMap<u64, (Request, Content)> {
    let mut found = BTreeMap::new();
    for target in targets {
        rest_on(target, universes, &mut found);
        if let Some((Request::Diff { to, .. }, _)) = target.universe.and_then(universes) {
            rest_on(&to, universes, &mut found);
        }
    }
    found
}

/// Adds the universe of a target and those that it depends on.
fn rest_on(target: &Target, universes: Universe<'_>, found: &mut BTreeMap<u64, (Request, Content)>) {
    let mut next = target.universe;
    while let Some(id) = next.filter(|id| !found.contains_key(id)) {
        let Some((request, content)) = universes(id) else { break };
        next = match &request {
            Request::Diff { from, .. } => from.universe.filter(|&below| below < id),
            _ => None,
        };
        found.insert(id, (request, content));
    }
}

/// The universes between a target and the current one. Each was read before the one that depends on it.
#[derive(Debug, Default)]
pub(super) struct Chain {
    above: Option<u64>,
    length: usize,
}

impl Chain {
    /// Returns the start of a target's universe and its patch.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the universe is missing or invalid.
    pub(super) fn next(&self, target: &Target, universes: Universe<'_>) -> Result<(Target, Content, Chain), Error> {
        let Some(id) = target.universe else {
            return Err(Error::invalid("target", target, "changes with the number of their read"));
        };
        if self.above.is_some_and(|above| id >= above) {
            return Err(Error::invalid("universe", id, "a read before the one that depends on it"));
        }
        if self.length == DEEPEST {
            return Err(Error::invalid("universe", id, format!("at most {DEEPEST} reads that depend on each other")));
        }
        match universes(id) {
            Some((Request::Diff { from, .. }, content)) => {
                Ok((from, content, Chain { above: Some(id), length: self.length + 1 }))
            }
            Some((other, _)) => {
                Err(Error::invalid("universe", id, format!("the number of a diff, and not of {other}")))
            }
            None => Err(Error::invalid("universe", id, "the number of a read that has its content")),
        }
    }
}
