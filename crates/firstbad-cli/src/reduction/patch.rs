//! Reductions of patches.

use std::path::Path;

use firstbad::digest::{Item, digest};
use firstbad::reduction::{Granularity, options_in_patch};
use firstbad::{Error, Minimizer, Observation, Patch, Probe};
use firstbad_git::{Repository, known_parts};
use firstbad_journal::{Opening, Options, Session, Test};
use firstbad_oracle::CommandOracle;
use serde_json::{Map, Value};

use super::PATIENCE;

/// A patch and its base revision.
pub(crate) struct PatchSearch {
    pub(crate) repository: Repository,
    pub(crate) patch: Patch,
    pub(crate) base: String,
}

impl PatchSearch {
    /// Creates the search.
    pub(crate) fn session(&self, finely: Granularity, options: Map<String, Value>) -> Result<Session, Error> {
        let config = options_in_patch(&Value::Object(options), &self.patch, finely)?;
        let mut session = Session::new(Box::new(Minimizer::new(self.patch.len(), config)?));
        session.know_parts(known_parts(&self.repository, &self.base, &self.patch)?);
        Ok(session)
    }

    /// Saves the search in a journal.
    pub(crate) fn attach(
        &self,
        session: &mut Session,
        journal: &Path,
        test: Test,
        driver: Value,
    ) -> Result<Opening, Error> {
        session.attach(journal, &Options { wait: PATIENCE, digest: self.digest(), test, driver, is_optional: false })
    }

    /// Returns the digest of the patch, the same as in Python and Node.
    pub(crate) fn digest(&self) -> Option<String> {
        digest([Item::Patch(self.patch.as_bytes())])
    }

    /// Runs the test with a part of the patch. Parts of a patch can fail in other ways, so failures have signatures.
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
