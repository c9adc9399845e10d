//! From a set of changes to the tree that the base has with them.

use std::sync::{MutexGuard, PoisonError};

use firstbad::{ChangeSet, Error};

use super::Slices;
use super::made::{Brought, Conflict, Made};
use crate::trees::{Context, Spaces};

impl Slices {
    /// The full id of the tree that the base has with just these changes, or which of them git cannot bring there. Parts of one
    /// commit are one patch, and only what comes from several commits is merged.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an index that no change has; [`Error::Git`].
    pub fn tree(&self, changes: &ChangeSet) -> Result<Result<String, Conflict>, Error> {
        let states = &self.chain.states;
        let indices: Vec<usize> = changes.iter().collect();
        if let Some(change) = indices.iter().find(|&&change| change + 1 >= states.len()) {
            return Err(Error::invalid("changes", change, format!("an index below {}", states.len() - 1)));
        }
        let mut at = states[0].clone();
        for own in indices.chunk_by(|one, other| self.chain.piece_of[*one] == self.chain.piece_of[*other]) {
            at = match self.with(&at, own)? {
                Ok(tree) => tree,
                Err(conflict) => return Ok(Err(conflict)),
            };
        }
        Ok(Ok(at))
    }

    /// A tree with some changes of one commit on it.
    fn with(&self, at: &str, own: &[usize]) -> Result<Brought, Error> {
        let words = match self.brought(at, own)? {
            Ok(Ok(tree)) => return Ok(Ok(tree)),
            Ok(Err(words)) => words,
            Err(conflict) => return Ok(Err(conflict)),
        };
        // Which of them it is: the last one of the fewest that conflict.
        for count in 1..own.len() {
            if let Ok(Err(words)) = self.brought(at, &own[..count])? {
                return Ok(Err(Conflict { change: own[count - 1], words }));
            }
        }
        Ok(own.last().map_or_else(|| Ok(at.to_owned()), |&change| Err(Conflict { change, words })))
    }

    /// The same, with the words of a conflict that may be that of any of them.
    fn brought(&self, at: &str, own: &[usize]) -> Result<Result<Result<String, String>, Conflict>, Error> {
        let before = &self.chain.states[self.chain.pieces[self.chain.piece_of[own[0]]].first];
        Ok(match self.partly(own)? {
            // The history itself, as far as nothing was left out, needs no merge.
            Ok(after) if at == before => Ok(Ok(after)),
            Ok(after) => Ok(self.merged(at, before, &after)?),
            Err(conflict) => Err(conflict),
        })
    }

    /// What some changes of a commit make of the state before it.
    fn partly(&self, own: &[usize]) -> Result<Brought, Error> {
        let piece = &self.chain.pieces[self.chain.piece_of[own[0]]];
        let is_beginning = own.iter().enumerate().all(|(place, change)| piece.first + place == *change);
        let (true, Some(patch)) = (!is_beginning, &piece.patch) else {
            return Ok(Ok(self.chain.states[piece.first + own.len()].clone()));
        };
        if let Some(known) = self.made().partly.get(own) {
            return Ok(known.clone());
        }
        let mut lines: Vec<usize> = own.iter().flat_map(|change| piece.parts[change - piece.first].clone()).collect();
        lines.sort_unstable();
        let standing = patch.standing(&lines)?;
        let falls = |change: &&usize| {
            piece.parts[**change - piece.first].iter().any(|line| standing.binary_search(line).is_err())
        };
        let made = match own.iter().find(falls) {
            Some(&change) => Err(Conflict { change, words: "it rests on another change of its commit".to_owned() }),
            None => {
                let subset = patch.subset(&lines)?;
                Ok(self.trees.applied(&self.chain.states[piece.first], &subset, Spaces::Count, Context::All)?)
            }
        };
        self.made().partly.insert(own.to_vec(), made.clone());
        Ok(made)
    }

    /// A tree with what a commit makes of another one.
    fn merged(&self, at: &str, before: &str, after: &str) -> Result<Result<String, String>, Error> {
        let key = (at.to_owned(), before.to_owned(), after.to_owned());
        if let Some(known) = self.made().merged.get(&key) {
            return Ok(known.clone());
        }
        let sides = self.trees.sides(before, at, after)?;
        let merged = self.trees.merged(&sides, Spaces::Count)?;
        let made =
            merged.map_err(|found| found.words.unwrap_or_else(|| format!("a merge conflicts in {:?}", found.paths)));
        self.made().merged.insert(key, made.clone());
        Ok(made)
    }

    // Nothing can panic while the lock is held, so a poisoned one is as good.
    fn made(&self) -> MutexGuard<'_, Made> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
