//! The trees of sets of changes.

use std::sync::{MutexGuard, PoisonError};

use firstbad::{ChangeSet, Error};

use super::Slices;
use super::made::{Brought, Conflict, Made};
use crate::trees::{Context, Spaces};

impl Slices {
    /// Returns the full id of the tree of the ground with only these changes, or the change that cannot be applied. Changes of one
    /// commit are applied as one patch. Only changes of different commits are merged.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there is no change with an index. [`Error::Git`] if Git fails.
    pub fn tree(&self, changes: &ChangeSet) -> Result<Result<String, Conflict>, Error> {
        let most = self.chain.changes.len();
        let indices: Vec<usize> = changes.iter().collect();
        if let Some(change) = indices.iter().find(|&&change| change >= most) {
            return Err(Error::invalid("changes", change, format!("an index below {most}")));
        }
        let mut at = self.chain.ground.clone();
        for own in indices.chunk_by(|one, other| self.chain.piece_of[*one] == self.chain.piece_of[*other]) {
            at = match self.with(&at, own)? {
                Ok(tree) => tree,
                Err(conflict) => return Ok(Err(conflict)),
            };
        }
        Ok(Ok(at))
    }

    /// Applies some changes of one commit to a tree.
    fn with(&self, at: &str, own: &[usize]) -> Result<Brought, Error> {
        let words = match self.brought(at, own)? {
            Ok(Ok(tree)) => return Ok(Ok(tree)),
            Ok(Err(words)) => words,
            Err(conflict) => return Ok(Err(conflict)),
        };
        // The conflicting change is the last one in the shortest prefix that conflicts.
        for count in 1..own.len() {
            if let Ok(Err(words)) = self.brought(at, &own[..count])? {
                return Ok(Err(Conflict { change: own[count - 1], words }));
            }
        }
        Ok(own.last().map_or_else(|| Ok(at.to_owned()), |&change| Err(Conflict { change, words })))
    }

    /// Applies some changes of one commit to a tree. A merge conflict is not yet assigned to a change.
    fn brought(&self, at: &str, own: &[usize]) -> Result<Result<Result<String, String>, Conflict>, Error> {
        let before = self.chain.before(self.chain.piece_of[own[0]]);
        Ok(match self.partly(own)? {
            // If no earlier change was left out, no merge is needed.
            Ok(after) if at == before => Ok(Ok(after)),
            Ok(after) => Ok(self.merged(at, before, &after)?),
            Err(conflict) => Err(conflict),
        })
    }

    /// Returns the state after some changes of a commit.
    fn partly(&self, own: &[usize]) -> Result<Brought, Error> {
        let piece = &self.chain.pieces[self.chain.piece_of[own[0]]];
        let is_beginning = own.iter().enumerate().all(|(place, change)| piece.first + place == *change);
        let (true, Some(patch)) = (!is_beginning, &piece.patch) else {
            return Ok(Ok(self.chain.states[self.chain.step_of[piece.first] + own.len()].clone()));
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
            Some(&change) => Err(Conflict { change, words: "it depends on another change of its commit".to_owned() }),
            None => {
                let subset = patch.subset(&lines)?;
                Ok(self.trees.applied(
                    self.chain.before(self.chain.piece_of[own[0]]),
                    &subset,
                    Spaces::Count,
                    Context::All,
                )?)
            }
        };
        self.made().partly.insert(own.to_vec(), made.clone());
        Ok(made)
    }

    /// Merges the difference between two states into a tree.
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

    // No code panics while the lock is held, so a poisoned lock is still valid.
    fn made(&self) -> MutexGuard<'_, Made> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
