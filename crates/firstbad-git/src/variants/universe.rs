//! The diffs whose changes targets name.

use std::collections::BTreeMap;

use firstbad::{Content, Error, Request, Target};

/// What the number of a read stands for: its request, and what it was given; `None` if there is no such read, or it was given
/// nothing yet. [`Inspect::universe`](firstbad::Inspect::universe) is one.
pub type Universe<'a> = &'a dyn Fn(u64) -> Option<(Request, Content)>;

/// How many universes may rest on one another: each is one more patch to apply. A search that starts its diffs at revisions
/// needs one.
const DEEPEST: usize = 32;

/// The universes that these targets name, those that they rest on, and those that the other ends of their diffs are made of, by
/// their numbers: all that [`Variants`](crate::Variants) will ask for, taken out of a search that goes on meanwhile.
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

/// Adds the universe that a target names and those below it.
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

/// The universes on the way down from a target: each was read before the one above it.
#[derive(Debug, Default)]
pub(super) struct Chain {
    above: Option<u64>,
    length: usize,
}

impl Chain {
    /// What a target's universe starts from, and its patch.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`].
    pub(super) fn next(&self, target: &Target, universes: Universe<'_>) -> Result<(Target, Content, Chain), Error> {
        let Some(id) = target.universe else {
            return Err(Error::invalid(
                "target",
                target,
                "changes with the number of the read that they are changes of",
            ));
        };
        if self.above.is_some_and(|above| id >= above) {
            return Err(Error::invalid("universe", id, "a read that came before the one that rests on it"));
        }
        if self.length == DEEPEST {
            return Err(Error::invalid("universe", id, format!("at most {DEEPEST} reads that rest on one another")));
        }
        match universes(id) {
            Some((Request::Diff { from, .. }, content)) => {
                Ok((from, content, Chain { above: Some(id), length: self.length + 1 }))
            }
            Some((other, _)) => {
                Err(Error::invalid("universe", id, format!("the number of a diff, and not of {other}")))
            }
            None => Err(Error::invalid("universe", id, "the number of a read that was given its content")),
        }
    }
}
