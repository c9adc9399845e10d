//! Slices of a history, and the search for the smallest one.

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::{Observation, Report, Search as _, SlicedHistory, SlicerReport, Target, json};
use firstbad_git::{Slices, Trial};
use firstbad_store::Keys;
use napi::Env;
use napi::bindgen_prelude::{Buffer, ClassInstance, Either, Object};
use napi_derive::napi;

use crate::error::thrown;
use crate::json::{parsed, text};
use crate::oracle::BindingOracle;
use crate::promise::promised;
use crate::repository::BindingRepository;
use crate::search::BindingSearch;
use crate::store::BindingStore;
use crate::variants::BindingCarried;

/// A commit of a slice.
#[napi(object)]
pub(crate) struct BindingSliced {
    pub commit: String,
    pub made: String,
    pub name: String,
    pub patch: Buffer,
}

/// A definition that a change inserts, updates, or deletes.
#[napi(object)]
pub(crate) struct BindingDefinition {
    pub file: String,
    pub name: String,
    pub kind: String,
}

/// The parts of a history.
#[napi]
pub struct BindingSlices {
    slices: Arc<Slices>,
}

#[napi]
impl BindingSlices {
    /// Splits the history in the options of a search.
    #[napi(catch_unwind, ts_return_type = "Promise<BindingSlices>")]
    pub fn of<'env>(
        env: &'env Env,
        repository: ClassInstance<'_, BindingRepository>,
        options: String,
    ) -> napi::Result<Object<'env>> {
        let options = parsed("options", &options)?;
        let repository = repository.shared();
        promised(env, move || Ok(BindingSlices { slices: Arc::new(Slices::of_options(&repository, &options)?) }))
    }

    /// Creates the search for the smallest slice, with its options as JSON.
    #[napi(catch_unwind, ts_return_type = "Promise<BindingSearch>")]
    pub fn search<'env>(&self, env: &'env Env, options: String) -> napi::Result<Object<'env>> {
        let options = parsed("options", &options)?;
        let (slices, items) = (Arc::clone(&self.slices), self.slices.changes().len());
        promised(env, move || Ok(BindingSearch::new(slices.search(&options)?, items)))
    }

    /// Records the outcomes that a search already has.
    #[napi(catch_unwind)]
    pub fn remember(&self, search: ClassInstance<'_, BindingSearch>) {
        self.slices.remember(&search.session.inspect().events(0));
    }

    /// Returns what to run for a target, given as JSON, or its observation as JSON if no run is needed.
    #[napi(catch_unwind, ts_return_type = "Promise<string | BindingCarried>")]
    pub fn trial<'env>(&self, env: &'env Env, target: String) -> napi::Result<Object<'env>> {
        let target: Target = parsed("target", &target)?;
        let slices = Arc::clone(&self.slices);
        promised(env, move || {
            Ok(match slices.trial(&target)? {
                Trial::Answered(seen) => Either::A(json::text(&*seen)?),
                Trial::Run(carried) => Either::B(BindingCarried::new(carried)),
            })
        })
    }

    /// Converts the oracle's observation of a tree to that of its target, both as JSON.
    #[napi(catch_unwind)]
    pub fn seen(&self, carried: &BindingCarried, seen: String) -> napi::Result<String> {
        let seen: Observation = parsed("answer", &seen)?;
        text(&self.slices.seen(carried.inner(), seen))
    }

    /// Shares outcomes of trees from now on. The search has the same name as in its journal, or `run` without one.
    #[napi(catch_unwind)]
    pub fn share(
        &self,
        store: &BindingStore,
        search: ClassInstance<'_, BindingSearch>,
        run: String,
    ) -> napi::Result<()> {
        self.slices.share(Box::new(store.cache(search.called(run), Keys::trees())?));
        Ok(())
    }

    /// Returns why outcomes are no longer shared, if so.
    #[napi(catch_unwind)]
    pub fn cache_trouble(&self) -> Option<String> {
        self.slices.cache_trouble()
    }

    /// Returns the changes to the lines that a test covers at the tip, given as JSON: for each file from the top of the
    /// repository, its line numbers from 1.
    #[napi(catch_unwind, ts_return_type = "Promise<Array<number>>")]
    pub fn covered<'env>(&self, env: &'env Env, lines: String) -> napi::Result<Object<'env>> {
        let lines: BTreeMap<String, Vec<u32>> = parsed("lines", &lines)?;
        let slices = Arc::clone(&self.slices);
        promised(env, move || Ok(slices.covered(&lines)?.into_iter().map(|change| change as u32).collect::<Vec<_>>()))
    }

    /// Passes the changed definitions to the tests of an oracle.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn trace<'env>(&self, env: &'env Env, oracle: &BindingOracle) -> napi::Result<Object<'env>> {
        let (slices, oracle) = (Arc::clone(&self.slices), oracle.shared());
        promised(env, move || oracle.trace(&slices))
    }

    /// Returns the definitions that changes insert, update, or delete.
    #[napi(catch_unwind, ts_return_type = "Promise<Array<BindingDefinition>>")]
    pub fn definitions<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let slices = Arc::clone(&self.slices);
        promised(env, move || {
            let found = slices.definitions()?.into_iter();
            let shown =
                found.map(|own| BindingDefinition { file: own.file, name: own.name, kind: own.kind.to_owned() });
            Ok(shown.collect::<Vec<_>>())
        })
    }

    /// Returns the commits of the slice in a report, given as JSON, oldest first.
    #[napi(catch_unwind, ts_return_type = "Promise<Array<BindingSliced>>")]
    pub fn commits<'env>(&self, env: &'env Env, report: String) -> napi::Result<Object<'env>> {
        let (slices, report): (_, SlicerReport) = (Arc::clone(&self.slices), parsed("report", &report)?);
        promised(env, move || {
            let made = slices.commits(&report.slice()?)?.into_iter();
            let sliced =
                made.map(|of| BindingSliced { commit: of.of, made: of.made, name: of.name, patch: of.patch.into() });
            Ok(sliced.collect::<Vec<_>>())
        })
    }

    /// Creates a branch with the slice in a report, given as JSON, and returns its newest commit.
    #[napi(catch_unwind, ts_return_type = "Promise<string>")]
    pub fn create_branch<'env>(&self, env: &'env Env, name: String, report: String) -> napi::Result<Object<'env>> {
        let (slices, report): (_, SlicerReport) = (Arc::clone(&self.slices), parsed("report", &report)?);
        promised(env, move || slices.create_branch(&name, &report.slice()?))
    }

    /// Removes all temporary objects.
    #[napi(catch_unwind)]
    pub fn close(&self) -> napi::Result<()> {
        self.slices.close().map_err(thrown)
    }
}

/// Adds the subjects of commits to a report, given as JSON. `options` is the history part of the search's options as JSON.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn describe_slice(report: String, repository: &BindingRepository, options: String) -> napi::Result<String> {
    let history = SlicedHistory::from_options(&parsed("options", &options)?).map_err(thrown)?;
    let mut report = Report::Slice(Box::new(parsed("report", &report)?));
    firstbad_git::describe(&mut report, &repository.shared(), Some(&history));
    text(&report)
}
