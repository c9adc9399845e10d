//! All commits of a history by number: those of a commit-graph file by their place in it, newer ones after them.

use firstbad::Error;
use gix_commitgraph::{Graph, Position};
use gix_hash::ObjectId;
use hashbrown::HashMap;

use super::file::damaged;
use super::newer::{self, Newer};
use crate::repository::Repository;

/// A commit's number.
pub(super) type Number = u32;

/// The commit-graph file and the commits that are newer than it.
pub(super) struct Commits<'a> {
    file: &'a Graph,
    newer: Vec<Newer>,
    numbers: HashMap<ObjectId, Number>,
}

impl<'a> Commits<'a> {
    /// Reads what is reachable from `starts` and not in the file; nearly always little or nothing.
    pub(super) fn read(repository: &Repository, file: &'a Graph, starts: &[ObjectId]) -> Result<Self, Error> {
        let mut beyond: Vec<ObjectId> = starts.iter().filter(|id| file.lookup(id).is_none()).copied().collect();
        beyond.sort_unstable();
        beyond.dedup();
        let newer = if beyond.is_empty() { Vec::new() } else { newer::read(repository, file, &beyond)? };
        let numbers = newer.iter().map(|commit| commit.id).zip(file.num_commits()..).collect();
        Ok(Commits { file, newer, numbers })
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        self.file.num_commits() as usize + self.newer.len()
    }

    /// The number of a commit; `None` for other objects.
    pub(super) fn number(&self, id: &ObjectId) -> Option<Number> {
        self.file.lookup(id).map(|place| place.0).or_else(|| self.numbers.get(id).copied())
    }

    fn newer(&self, number: Number) -> Option<&Newer> {
        self.newer.get(number.checked_sub(self.file.num_commits())? as usize)
    }

    /// Puts a commit's parents into `into`, in order, each once.
    pub(super) fn parents(&self, number: Number, into: &mut Vec<Number>) -> Result<(), Error> {
        into.clear();
        let mut add = |parent: Number| {
            if !into.contains(&parent) {
                into.push(parent);
            }
        };
        if let Some(stored) = self.newer(number) {
            for parent in &stored.parents {
                add(self.number(parent).ok_or_else(|| missing(parent))?);
            }
            return Ok(());
        }
        for parent in self.file.commit_at(Position(number)).iter_parents() {
            add(parent.map_err(|error| damaged(&error))?.0);
        }
        Ok(())
    }

    /// When it was committed, in seconds since 1970.
    pub(super) fn time(&self, number: Number) -> i64 {
        match self.newer(number) {
            Some(stored) => stored.time,
            None => self.file.commit_at(Position(number)).committer_timestamp() as i64,
        }
    }

    /// Writes a commit's id into `buffer`, in hexadecimal.
    pub(super) fn hex<'b>(&self, number: Number, buffer: &'b mut [u8; 40]) -> &'b str {
        let id = match self.newer(number) {
            Some(stored) => &stored.id,
            None => self.file.id_at(Position(number)),
        };
        id.hex_to_buf(buffer)
    }
}

fn missing(id: &ObjectId) -> Error {
    Error::Git { message: format!("commit {id} is missing") }
}
