//! What a search has to see between tests.

use serde::{Deserialize, Serialize};

use super::content::Content;
use super::target::Target;
use crate::error::Error;

/// What is to be seen.
///
/// As JSON, `{"read": "diff", "from": "...", "to": "..."}` and so on; what a diff is between is a text if it is a revision, and
/// an object (a [`Target`]) if it is a revision with changes on it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "read", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Request {
    /// The patch from one revision to another, as `git diff` writes it. Either may have changes on it: those of an earlier read,
    /// its [universe](Target::universe).
    Diff {
        /// The revision before.
        #[serde(with = "side")]
        from: Target,
        /// The revision after.
        #[serde(with = "side")]
        to: Target,
    },
    /// What a file holds at a revision; empty if there is no such file, which the tree tells.
    File {
        /// The revision.
        revision: String,
        /// The file, from the top of the repository.
        path: String,
    },
    /// The paths of all files at a revision, sorted by their bytes, each with a zero byte behind it.
    Tree {
        /// The revision.
        revision: String,
    },
}

impl std::fmt::Display for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Request::Diff { from, to } => write!(f, "the patch from {:?} to {:?}", from.to_string(), to.to_string()),
            Request::File { revision, path } => write!(f, "the file {path:?} at {revision:?}"),
            Request::Tree { revision } => write!(f, "the names of all files at {revision:?}"),
        }
    }
}

/// What a diff is between, as JSON: a text for a revision by itself.
mod side {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::search::target::Target;

    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a revision, or a revision with changes of a universe on it")]
    enum Side {
        Revision(String),
        Changed(Target),
    }

    pub(super) fn serialize<S: Serializer>(target: &Target, serializer: S) -> Result<S::Ok, S::Error> {
        match target {
            Target { revision: Some(revision), changes: None, .. } => serializer.serialize_str(revision),
            changed => changed.serialize(serializer),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Target, D::Error> {
        Ok(match Side::deserialize(deserializer)? {
            Side::Revision(revision) => revision.into(),
            Side::Changed(target) => target,
        })
    }
}

/// One request to see something. Its id is its number, from 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Read {
    /// The id to answer with.
    pub id: u64,
    /// What is to be seen.
    #[serde(flatten)]
    pub request: Request,
}

/// All that an algorithm ever asked to see, and what it was given. What was given is kept whatever is taken back: the same
/// request has the same id and the same content for good.
#[derive(Debug, Clone, Default)]
pub struct Reads {
    requests: Vec<(Request, Option<Content>)>,
    /// Which of them are needed now, and not given.
    open: Vec<usize>,
}

impl Reads {
    /// The id and the content of a request; `None` if it was not given yet: then it is open from here on.
    pub fn get(&mut self, request: Request) -> Option<(u64, Content)> {
        let place = self.requests.iter().position(|(other, _)| *other == request).unwrap_or_else(|| {
            self.requests.push((request, None));
            self.requests.len() - 1
        });
        let content = self.requests[place].1.clone();
        if content.is_none() && !self.open.contains(&place) {
            self.open.push(place);
        }
        content.map(|content| (place as u64, content))
    }

    /// Whether something is needed that was not given.
    #[must_use]
    pub fn are_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// What is needed and was not given, oldest first.
    pub fn open(&self) -> impl Iterator<Item = Read> + '_ {
        self.open.iter().map(|&place| Read { id: place as u64, request: self.requests[place].0.clone() })
    }

    /// The content of a read; `None` if it was not given.
    ///
    /// # Errors
    /// [`Error::UnknownRead`].
    pub fn content(&self, id: u64) -> Result<Option<&Content>, Error> {
        let asked = self.requests.len() as u64;
        let found = usize::try_from(id).ok().and_then(|place| self.requests.get(place));
        found.map(|(_, content)| content.as_ref()).ok_or(Error::UnknownRead { id, asked })
    }

    /// A request and what it was given; `None` if there is no such read, or it was given nothing yet.
    #[must_use]
    pub fn given(&self, id: u64) -> Option<(&Request, &Content)> {
        let (request, content) = usize::try_from(id).ok().and_then(|place| self.requests.get(place))?;
        Some((request, content.as_ref()?))
    }

    /// Keeps what was given.
    ///
    /// # Errors
    /// [`Error::UnknownRead`].
    pub fn set(&mut self, id: u64, content: Content) -> Result<(), Error> {
        self.content(id)?;
        self.open.retain(|&place| place as u64 != id);
        self.requests[id as usize].1 = Some(content);
        Ok(())
    }

    /// Nothing is needed for now: the algorithm begins anew.
    pub fn reset(&mut self) {
        self.open.clear();
    }
}
