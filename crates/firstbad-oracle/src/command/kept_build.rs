//! Runs in the builds of revisions that worktrees keep.

use std::time::Instant;

use firstbad::{Error, Observation};

use super::CommandOracle;
use super::execution::{Running, Testing};
use super::prepare::Prepared;

/// Runs the test of a revision after its stages. The second argument says whether the build is that of an earlier run.
pub(crate) type InBuild<'t> = dyn FnMut(&mut Running<'_, '_, '_>, bool) -> Result<Observation, Error> + 't;

impl CommandOracle {
    /// Runs a test in the kept build of a revision. Without a kept build, or with `fresh`, builds the revision first.
    ///
    /// The `seconds` of the observation are those of the stages and the test. It has `reused` if the build is that of an earlier run.
    ///
    /// # Errors
    /// Those of [`CommandOracle::within`].
    pub(crate) fn run_in_build(
        &self,
        revision: &str,
        fresh: bool,
        keep_going: &mut dyn FnMut() -> bool,
        test: &mut InBuild<'_>,
    ) -> Result<Observation, Error> {
        self.within(revision, keep_going, &mut |work_tree, revision, how| {
            let is_kept = !fresh && self.pool.keeps_builds() && work_tree.built.as_deref() == Some(revision);
            let prepared = if is_kept { Prepared::kept() } else { self.prepare(work_tree, revision, None, how)? };
            let test = &mut |running: &mut Running<'_, '_, '_>| test(running, is_kept);
            let testing = Testing { signed: true, is_built: is_kept, is_one: false, test };
            let began = Instant::now();
            let (mut seen, ran) = self.execute(work_tree, revision, testing, &prepared, how)?;
            work_tree.used |= ran;
            seen.reused = is_kept;
            seen.seconds = ran.then(|| began.elapsed().as_secs_f64());
            Ok(seen)
        })
    }
}
