//! A faster version of [`Repository::changes`] for searches that wait for the result.

use std::thread::available_parallelism;
use std::time::Duration;

use firstbad::Error;
use firstbad::suspicion::Changelist;

use super::parse::parsed;
use super::{COUNTED, Merges, UNCOUNTED};
use crate::git;
use crate::repository::Repository;

/// Above this number of commits, lines are not counted, because counting would take longer than the runs that it saves.
const MOST_COUNTED: usize = 300;

/// How many commits one Git process describes, and how many processes run at the same time.
const PART: usize = 200;
const MOST_PARTS: usize = 4;

/// The maximum output to read from one Git process, in bytes.
const MOST_BYTES: u64 = 256 << 20;

impl Repository {
    /// Returns the changes of these commits like [`changes`](Repository::changes), without the parts that take long. Lines are
    /// not counted for merges with [`Merges::Own`], nor if there are more than 300 commits. The files of a root commit do not
    /// count as changes.
    ///
    /// `plain` are the commits with at most one parent in the searched history, and `merged` are the others. Both are full ids in
    /// any order. In a partial clone, lines are not counted and renames are not detected, because both need file contents.
    ///
    /// # Errors
    /// [`Error::MissingObjects`] in a clone without trees. [`Error::Git`] if Git fails or exceeds `within`.
    pub fn touched(
        &self,
        plain: &[String],
        merged: &[String],
        merges: Merges,
        within: Duration,
    ) -> Result<Vec<Changelist>, Error> {
        let Some(newest) = plain.last().or(merged.last()) else { return Ok(Vec::new()) };
        let counted = Some(if self.promisor().is_some() { UNCOUNTED } else { COUNTED })
            .filter(|&how| how != COUNTED || plain.len() <= MOST_COUNTED);
        let parts =
            available_parallelism().map_or(1, usize::from).min(MOST_PARTS).min(plain.len().div_ceil(PART)).max(1);
        let mut commands: Vec<_> = plain
            .chunks(plain.len().div_ceil(parts).max(1))
            .map(|part| {
                let mut command = self.diff_tree(newest);
                command.args(counted).args(merges.shown());
                (command, part)
            })
            .collect();
        if !merged.is_empty() {
            let mut command = self.diff_tree(newest);
            command.arg("--no-renames").args(merges.shown());
            commands.push((command, merged));
        }
        std::thread::scope(|scope| {
            let running: Vec<_> = commands
                .into_iter()
                .map(|(mut command, part)| {
                    let input = part.iter().flat_map(|id| [id.as_str(), "\n"]).collect::<String>();
                    scope
                        .spawn(move || parsed(&git::output_within(&mut command, input.as_bytes(), within, MOST_BYTES)?))
                })
                .collect();
            let mut changes = Vec::with_capacity(plain.len());
            for part in running {
                let part = part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                changes.extend(part.map_err(|error| self.lacking(newest, error))?);
            }
            Ok(changes)
        })
    }
}
