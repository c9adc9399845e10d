//! The smallest part of a patch that still has a property: files, then hunks, then lines.

use std::collections::BTreeMap;
use std::path::Path;

use firstbad::{Error, Observation, Patch, Probe, World};
use firstbad_git::CommandOracle;
use firstbad_journal::{Opening, Options, Session};
use serde_json::{Map, Value, json};

use super::{PATIENCE, digest};

/// A patch, and the revision that its parts are tried on.
pub(crate) struct PatchSearch {
    pub(crate) patch: Patch,
    pub(crate) base: String,
}

impl PatchSearch {
    /// The search, at its start; `options` are those of a reduction beside the patch's own.
    ///
    /// # Errors
    /// Those of [`firstbad::open`].
    pub(crate) fn session(&self, mut options: Map<String, Value>) -> Result<Session, Error> {
        let needs = self.patch.dependencies().into_iter().enumerate().filter(|(_, needed)| !needed.is_empty());
        let needs: BTreeMap<String, Vec<usize>> = needs.map(|(change, needed)| (change.to_string(), needed)).collect();
        options.insert("parents".to_owned(), json!(self.patch.parents()));
        options.insert("dependencies".to_owned(), json!(needs));
        let world = World::Items(self.patch.len());
        Ok(Session::new(firstbad::open("minimize", world, &Value::Object(options))?))
    }

    /// Keeps the search in a journal.
    ///
    /// # Errors
    /// Those of [`Session::attach`].
    pub(crate) fn attach(&self, session: &mut Session, journal: &Path, driver: Value) -> Result<Opening, Error> {
        let digest = digest([&b"p"[..], self.patch.as_bytes()]);
        session.attach(journal, &Options { wait: PATIENCE, digest: Some(digest), driver })
    }

    /// Runs the test with a part of the patch on its revision.
    ///
    /// # Errors
    /// Those of [`CommandOracle::run_patched_until`].
    pub(crate) fn test(
        &self,
        oracle: &CommandOracle,
        probe: &Probe,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        let changes: Vec<usize> = probe.changes().map(|changes| changes.iter().collect()).unwrap_or_default();
        oracle.run_patched_until(&self.base, self.patch.subset(&changes)?.as_bytes(), keep_going)
    }
}
