//! Git repositories: names, graphs, and oracles for commands.

use firstbad::{Patch, Request, json};
use firstbad_git::{GraphOptions, Repository, known_parts};
use firstbad_oracle::{CommandOracle, MeasureOptions, MeasureOracle, SuiteOptions, SuiteOracle};
use napi::Env;
use napi::bindgen_prelude::{Buffer, Object, Uint8Array};
use napi_derive::napi;
use serde::Deserialize;

use crate::error::thrown;
use crate::graph::BindingGraph;
use crate::json::parsed;
use crate::oracle::BindingOracle;
use crate::patch::BindingPatch;
use crate::promise::promised;
use crate::search::BindingSearch;

/// [`GraphOptions`] in their JavaScript form.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[derive(Default)]
struct Part {
    tips: Option<Vec<String>>,
    exclude: Option<Vec<String>>,
    first_parent: bool,
    paths: Option<Vec<String>>,
}

impl Part {
    fn options(self) -> napi::Result<GraphOptions> {
        GraphOptions::given(self.tips, self.exclude, self.first_parent, self.paths).map_err(thrown)
    }
}

/// A repository on disk.
#[napi]
pub struct BindingRepository {
    repository: Repository,
}

impl BindingRepository {
    /// Returns the repository of the Git crate.
    pub(crate) fn shared(&self) -> Repository {
        self.repository.clone()
    }
}

#[napi]
impl BindingRepository {
    #[napi(factory, catch_unwind)]
    pub fn open(path: String, fetch: bool) -> napi::Result<BindingRepository> {
        Ok(BindingRepository { repository: Repository::open(path).map_err(thrown)?.fetching(fetch) })
    }

    #[napi(getter)]
    pub fn path(&self) -> String {
        self.repository.path().to_string_lossy().into_owned()
    }

    #[napi(catch_unwind)]
    pub fn resolve(&self, revision: String) -> napi::Result<String> {
        self.repository.resolve(&revision).map_err(thrown)
    }

    /// Returns the ids of commits whose parents are missing, as in a shallow clone.
    #[napi(catch_unwind)]
    pub fn boundary(&self) -> napi::Result<Vec<String>> {
        self.repository.boundary().map_err(thrown)
    }

    /// Returns the full ids of a revision's parents.
    #[napi(catch_unwind)]
    pub fn parents(&self, revision: String) -> napi::Result<Vec<String>> {
        self.repository.parents(&revision).map_err(thrown)
    }

    /// Returns the full ids of revisions and of their trees.
    #[napi(catch_unwind)]
    pub fn tree_ids(&self, revisions: Vec<String>) -> napi::Result<Vec<Vec<String>>> {
        let pairs = self.repository.tree_ids(&revisions).map_err(thrown)?;
        Ok(pairs.into_iter().map(|(commit, tree)| vec![commit, tree]).collect())
    }

    /// Creates a search by iterative delta debugging in the history of all revisions that its options name.
    #[napi(catch_unwind, ts_return_type = "Promise<BindingSearch>")]
    pub fn porter<'env>(&self, env: &'env Env, options: String) -> napi::Result<Object<'env>> {
        let options = parsed("options", &options)?;
        let repository = self.repository.clone();
        promised(env, move || Ok(BindingSearch::new(firstbad_git::porter(&repository, &options)?, 0)))
    }

    /// Returns the changes of commits as a JSON array.
    #[napi(catch_unwind, ts_return_type = "Promise<string>")]
    pub fn changes<'env>(
        &self,
        env: &'env Env,
        good: Vec<String>,
        bad: Vec<String>,
        merges: String,
    ) -> napi::Result<Object<'env>> {
        let merges = merges.parse().map_err(thrown)?;
        let repository = self.repository.clone();
        promised(env, move || json::text(&repository.changes(&good, &bad, merges)?))
    }

    /// Gives known outcomes to a search among the changes of a patch, which applies to a revision.
    #[napi(catch_unwind)]
    pub fn known_to(&self, search: &mut BindingSearch, revision: String, patch: Uint8Array) -> napi::Result<()> {
        let patch = Patch::parse(&patch).map_err(thrown)?;
        search.session.know_parts(known_parts(&self.repository, &revision, &patch).map_err(thrown)?);
        Ok(())
    }

    #[napi(catch_unwind, ts_return_type = "Promise<BindingPatch>")]
    pub fn diff<'env>(&self, env: &'env Env, from: String, to: String) -> napi::Result<Object<'env>> {
        let repository = self.repository.clone();
        promised(env, move || BindingPatch::parsed(&repository.diff(&from, &to)?))
    }

    /// Returns the patch between two revisions in a form suited for subsets.
    #[napi(catch_unwind, ts_return_type = "Promise<BindingPatch>")]
    pub fn diff_to_reduce<'env>(&self, env: &'env Env, from: String, to: String) -> napi::Result<Object<'env>> {
        let repository = self.repository.clone();
        promised(env, move || BindingPatch::parsed(&repository.diff_to_reduce(&from, &to)?))
    }

    /// Returns the contents that a search asks to read, given as JSON.
    #[napi(catch_unwind, ts_return_type = "Promise<Buffer>")]
    pub fn read<'env>(&self, env: &'env Env, request: String) -> napi::Result<Object<'env>> {
        let request: Request = parsed("request", &request)?;
        let repository = self.repository.clone();
        promised(env, move || repository.read(&request).map(Buffer::from))
    }

    #[napi(catch_unwind, ts_return_type = "Promise<BindingGraph>")]
    pub fn graph<'env>(&self, env: &'env Env, options: String) -> napi::Result<Object<'env>> {
        let options = parsed::<Part>("options", &options)?.options()?;
        let repository = self.repository.clone();
        promised(env, move || repository.graph(&options).map(BindingGraph::new))
    }

    #[napi(catch_unwind)]
    pub fn graph_sync(&self, options: String) -> napi::Result<BindingGraph> {
        let options = parsed::<Part>("options", &options)?.options()?;
        self.repository.graph(&options).map(BindingGraph::new).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn command_oracle(&self, command: Vec<String>, options: String) -> napi::Result<BindingOracle> {
        let options = crate::oracle::options(&options)?;
        CommandOracle::new(&self.repository, command, options).map(BindingOracle::new).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn suite_oracle(&self, command: Vec<String>, options: String) -> napi::Result<BindingOracle> {
        let (suite, options) = SuiteOptions::read(&parsed("options", &options)?).map_err(thrown)?;
        let oracle = SuiteOracle::new(&self.repository, command, &suite, options);
        oracle.map(BindingOracle::of_suite).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn measure_oracle(&self, command: Vec<String>, options: String) -> napi::Result<BindingOracle> {
        let (measure, options) = MeasureOptions::read(&parsed("options", &options)?).map_err(thrown)?;
        let oracle = MeasureOracle::new(&self.repository, command, &measure, options);
        oracle.map(BindingOracle::of_numbers).map_err(thrown)
    }
}
