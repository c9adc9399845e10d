use serde::{Deserialize, Serialize};

use super::content::Content;
use super::target::Target;
use crate::error::Error;

/// A request for data that a search needs between tests.
///
/// An example of the JSON form is `{"read": "diff", "from": "...", "to": "..."}`. A side of a diff is a string for a revision,
/// and a [`Target`] for a revision with changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "read", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Request {
    /// The patch from one revision to another, in the format of `git diff`. Both sides can have changes from the
    /// [universe](Target::universe) of an earlier read.
    Diff {
        /// The old side of the patch.
        #[serde(with = "side")]
        from: Target,
        /// The new side of the patch.
        #[serde(with = "side")]
        to: Target,
    },
    /// The content of a file at a revision. The content is empty if there is no such file, which the tree shows.
    File {
        /// The full id of the revision.
        revision: String,
        /// The path of the file, relative to the top folder.
        path: String,
    },
    /// The paths of all files at a revision, sorted by bytes, each followed by a zero byte.
    Tree {
        /// The full id of the revision.
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

/// The JSON form of one side of a diff.
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

/// A numbered request for data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Read {
    /// The id of the read. Reads are numbered from 0.
    pub id: u64,
    /// The request.
    #[serde(flatten)]
    pub request: Request,
}

/// All requests of an algorithm and their contents. Contents are kept even if outcomes are taken back. An equal request always
/// has the same id and content.
#[derive(Debug, Clone, Default)]
pub struct Reads {
    requests: Vec<(Request, Option<Content>)>,
    /// The indices of the requests that are needed now and have no content.
    open: Vec<usize>,
}

impl Reads {
    /// Returns the id and the content of a request. `None` if it has no content yet. The request is then open.
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

    /// Returns whether a request is open.
    #[must_use]
    pub fn are_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Returns the open requests, oldest first.
    pub fn open(&self) -> impl Iterator<Item = Read> + '_ {
        self.open.iter().map(|&place| Read { id: place as u64, request: self.requests[place].0.clone() })
    }

    /// Returns the content of a read, or `None` if it has no content yet.
    ///
    /// # Errors
    /// [`Error::UnknownRead`] if the read was never requested.
    pub fn content(&self, id: u64) -> Result<Option<&Content>, Error> {
        let asked = self.requests.len() as u64;
        let found = usize::try_from(id).ok().and_then(|place| self.requests.get(place));
        found.map(|(_, content)| content.as_ref()).ok_or(Error::UnknownRead { id, asked })
    }

    /// Returns a request and its content, or `None` if there is no such read or it has no content yet.
    #[must_use]
    pub fn given(&self, id: u64) -> Option<(&Request, &Content)> {
        let (request, content) = usize::try_from(id).ok().and_then(|place| self.requests.get(place))?;
        Some((request, content.as_ref()?))
    }

    /// Sets the content of a read.
    ///
    /// # Errors
    /// [`Error::UnknownRead`] if the read was never requested.
    pub fn set(&mut self, id: u64, content: Content) -> Result<(), Error> {
        self.content(id)?;
        self.open.retain(|&place| place as u64 != id);
        self.requests[id as usize].1 = Some(content);
        Ok(())
    }

    /// Closes all open requests when the algorithm restarts.
    pub fn reset(&mut self) {
        self.open.clear();
    }
}
