//! What many commits touch, in little time: for searches that wait for it.

use std::thread::available_parallelism;
use std::time::Duration;

use firstbad::Error;
use firstbad::suspicion::Changelist;

use super::parse::parsed;
use super::{COUNTED, Merges, UNCOUNTED};
use crate::git;
use crate::repository::Repository;

/// Above so many commits lines are not counted: the search would wait longer for them than for the runs that they save.
const MOST_COUNTED: usize = 300;

/// A process of git for so many commits, and at most so many at once.
const PART: usize = 200;
const MOST_PARTS: usize = 4;

/// The most that is read of what one git says.
const MOST_BYTES: u64 = 256 << 20;

impl Repository {
    /// What commits touch, as [`changes`](Repository::changes) says it, but for what takes its time: the lines of merges of
    /// their own are not counted, nor any lines of more than 300 commits, and what the first commit of a history holds is no
    /// change of it. `plain` have one parent at most in the history that is searched, `merged` more; full ids, in any order. In a
    /// partial clone neither lines nor renames are looked for: that takes the contents.
    ///
    /// # Errors
    /// [`Error::Git`], also where it takes longer than `within`.
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
