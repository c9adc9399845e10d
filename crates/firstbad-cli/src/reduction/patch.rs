//! The smallest part of a patch that still has a property: files, then hunks, then lines.

use std::path::Path;

use firstbad::digest::{Item, digest};
use firstbad::reduction::{Granularity, options_in_patch};
use firstbad::{Error, Minimizer, Observation, Patch, Probe};
use firstbad_git::{Repository, known_parts};
use firstbad_journal::{Opening, Options, Session, Test};
use firstbad_oracle::CommandOracle;
use serde_json::{Map, Value};

use super::PATIENCE;

/// A patch, and the revision that its parts are tried on.
pub(crate) struct PatchSearch {
    pub(crate) repository: Repository,
    pub(crate) patch: Patch,
    pub(crate) base: String,
}

impl PatchSearch {
    /// The search, at its start, that takes the patch apart so finely; `options` are those of a reduction beside the patch's own.
    ///
    /// # Errors
    /// Those of [`firstbad::open`] and [`known_parts`].
    pub(crate) fn session(&self, finely: Granularity, options: Map<String, Value>) -> Result<Session, Error> {
        let config = options_in_patch(&Value::Object(options), &self.patch, finely)?;
        let mut session = Session::new(Box::new(Minimizer::new(self.patch.len(), config)?));
        session.know_parts(known_parts(&self.repository, &self.base, &self.patch)?);
        Ok(session)
    }

    /// Keeps the search in a journal.
    ///
    /// # Errors
    /// Those of [`Session::attach`].
    pub(crate) fn attach(
        &self,
        session: &mut Session,
        journal: &Path,
        test: Test,
        driver: Value,
    ) -> Result<Opening, Error> {
        session.attach(journal, &Options { wait: PATIENCE, digest: self.digest(), test, driver, is_optional: false })
    }

    /// What the patch is, as the packages say it of the same one.
    pub(crate) fn digest(&self) -> Option<String> {
        digest([Item::Patch(self.patch.as_bytes())])
    }

    /// Runs the test with a part of the patch on its revision. Failures are signed: half a patch fails in ways of its own.
    ///
    /// # Errors
    /// Those of [`CommandOracle::run_with_signature`].
    pub(crate) fn test(
        &self,
        oracle: &CommandOracle,
        probe: &Probe,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        let changes: Vec<usize> = probe.changes().map(|changes| changes.iter().collect()).unwrap_or_default();
        oracle.run_with_signature(&self.base, Some(self.patch.subset(&changes)?.as_bytes()), keep_going)
    }
}
