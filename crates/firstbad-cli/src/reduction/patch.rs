//! Reductions of patches.

use std::path::Path;

use firstbad::digest::{Item, digest};
use firstbad::reduction::{Granularity, options_in_patch};
use firstbad::{Error, Minimizer, Observation, Patch, Probe};
use firstbad_git::{Repository, known_parts};
use firstbad_journal::{Opening, Options, Session, Test};
use firstbad_oracle::{CommandOracle, SuiteOracle, TestRecord};
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
        oracle: &dyn PatchedTest,
        probe: &Probe,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        let changes: Vec<usize> = probe.changes().map(|changes| changes.iter().collect()).unwrap_or_default();
        oracle.test(&self.base, self.patch.subset(&changes)?.as_bytes(), keep_going)
    }
}

/// A test that runs with a patch on top of a revision.
pub(crate) trait PatchedTest: Sync {
    /// Runs the test. Failures have signatures.
    fn test(&self, revision: &str, patch: &[u8], keep_going: &mut dyn FnMut() -> bool) -> Result<Observation, Error>;

    /// Returns the record of the test for a journal.
    fn record(&self) -> TestRecord;

    /// Records how many seconds the test took with the whole patch in an earlier process.
    fn expect_seconds(&self, _seconds: f64) {}
}

impl PatchedTest for CommandOracle {
    fn test(&self, revision: &str, patch: &[u8], keep_going: &mut dyn FnMut() -> bool) -> Result<Observation, Error> {
        self.run_with_signature(revision, Some(patch), keep_going)
    }

    fn record(&self) -> TestRecord {
        CommandOracle::record(self)
    }

    fn expect_seconds(&self, seconds: f64) {
        CommandOracle::expect_seconds(self, seconds);
    }
}

/// One test of a suite.
pub(crate) struct OneTest<'a> {
    pub(crate) suite: &'a SuiteOracle,
    pub(crate) id: String,
}

impl PatchedTest for OneTest<'_> {
    fn test(&self, revision: &str, patch: &[u8], keep_going: &mut dyn FnMut() -> bool) -> Result<Observation, Error> {
        self.suite.run_test(revision, patch, &self.id, keep_going)
    }

    fn record(&self) -> TestRecord {
        let mut record = self.suite.record();
        record.command.push(self.id.clone());
        record
    }
}
