//! Repeats unresolved runs in a clean worktree, because many build systems miss that sources have become older.

use firstbad::{Error, Observation, Outcome, Patch};

use super::{CommandOracle, RunKind};
use crate::judging::judge::LATE;
use crate::worktree::work_tree::{Preparation, WorkTree};

impl CommandOracle {
    /// Prepares the worktree and runs the stages. If the outcome with kept build folders is unresolved, repeats the run without
    /// them, unless the run exceeded its time limit.
    ///
    /// # Errors
    /// Those of [`CommandOracle::prepare`] and [`CommandOracle::execute_test`].
    pub(crate) fn see(
        &self,
        work_tree: &mut WorkTree,
        revision: &str,
        patch: Option<&Patch>,
        kind: RunKind,
        how: &mut Preparation<'_, '_>,
    ) -> Result<Observation, Error> {
        if kind.fresh {
            how.keep_build = false;
            work_tree.new = true;
        }
        let prepared = self.prepare(work_tree, revision, patch, how)?;
        let is_used = how.keep_build && work_tree.used;
        let (mut seen, ran) = self.execute_test(work_tree, revision, kind.signed, &prepared, how)?;
        work_tree.used |= ran;
        let is_late = seen.signature.as_deref() == Some(LATE);
        if !is_used || !ran || is_late || seen.outcome != Outcome::Unresolved {
            seen.reused = is_used && ran;
            return Ok(seen);
        }
        how.keep_build = false;
        work_tree.new = true;
        let prepared = self.prepare(work_tree, revision, patch, how)?;
        let (mut again, _) = self.execute_test(work_tree, revision, kind.signed, &prepared, how)?;
        let before = seen.note.unwrap_or_default();
        let note = again.note.take().unwrap_or_default();
        again.note =
            Some(format!("{note}; after a fresh build, because it was unresolved with the kept build: {before}"));
        Ok(again)
    }
}
