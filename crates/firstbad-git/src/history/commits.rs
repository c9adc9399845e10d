//! Commits by number: first those in the commit-graph file by position, then newer ones.

use firstbad::Error;
use gix_commitgraph::{Graph, Position};
use gix_hash::ObjectId;
use hashbrown::HashMap;

use super::file::damaged;
use super::newer::{self, Newer};
use crate::repository::Repository;

/// The number of a commit.
pub(super) type Number = u32;

/// The commits of the commit-graph file and newer ones.
pub(super) struct Commits<'a> {
    file: &'a Graph,
    newer: Vec<Newer>,
    numbers: HashMap<ObjectId, Number>,
}

impl<'a> Commits<'a> {
    /// Reads the commits that are reachable from `starts` but not in the file. There are few or none in most cases.
    pub(super) fn read(repository: &Repository, file: &'a Graph, starts: &[ObjectId]) -> Result<Self, Error> {
        let mut beyond: Vec<ObjectId> = starts.iter().filter(|id| file.lookup(id).is_none()).copied().collect();
        beyond.sort_unstable();
        beyond.dedup();
        let newer = if beyond.is_empty() { Vec::new() } else { newer::read(repository, file, &beyond)? };
        let numbers = newer.iter().map(|commit| commit.id).zip(file.num_commits()..).collect();
        Ok(Commits { file, newer, numbers })
    }

    /// Returns the number of commits.
    pub(super) fn len(&self) -> usize {
        self.file.num_commits() as usize + self.newer.len()
    }

    /// Returns the number of a commit, or `None` for other objects.
    pub(super) fn number(&self, id: &ObjectId) -> Option<Number> {
        self.file.lookup(id).map(|place| place.0).or_else(|| self.numbers.get(id).copied())
    }

    fn newer(&self, number: Number) -> Option<&Newer> {
        self.newer.get(number.checked_sub(self.file.num_commits())? as usize)
    }

    /// Writes the parents of a commit to `into`, in order and without duplicates.
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

    /// Returns the commit time in seconds since 1970.
    pub(super) fn time(&self, number: Number) -> i64 {
        match self.newer(number) {
            Some(stored) => stored.time,
            None => self.file.commit_at(Position(number)).committer_timestamp() as i64,
        }
    }

    /// Writes the id of a commit to `buffer` in hexadecimal.
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
