//! Build graphs: made by hand, of what tools print, or of a source tree; and changes ranked by them.

use std::sync::Arc;

use firstbad::suspicion::{
    BuildGraph, BuildGraphBuilder, Change, CommitChange, PriorOptions, RankOptions, Ranking, Signal, SignalConfig,
    fit_sharpness, rank,
};
use firstbad_build::{Folder, Loaded, Snapshot, SourceOptions, build_target_of_test};
use napi::Env;
use napi::bindgen_prelude::Object;
use napi_derive::napi;
use serde::Deserialize;

use crate::error::thrown;
use crate::graph::BindingGraph;
use crate::json::{parsed, text};
use crate::promise::promised;
use crate::repository::BindingRepository;

/// A target as JavaScript writes it.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[derive(Default)]
struct Target {
    name: String,
    files: Vec<String>,
    folders: Vec<String>,
    build_file: Option<String>,
    deps: Vec<String>,
}

/// [`SourceOptions`] as JavaScript writes them.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Reading {
    roots: Vec<String>,
    data: bool,
    configuration: bool,
}

impl Default for Reading {
    fn default() -> Self {
        let SourceOptions { roots, data, configuration } = SourceOptions::default();
        Reading { roots, data, configuration }
    }
}

impl From<Reading> for SourceOptions {
    fn from(Reading { roots, data, configuration }: Reading) -> Self {
        SourceOptions { roots, data, configuration }
    }
}

/// A build graph.
#[napi]
pub struct BindingBuildGraph {
    graph: Arc<BuildGraph>,
    warnings: Vec<String>,
}

impl From<Loaded> for BindingBuildGraph {
    fn from(Loaded { graph, warnings }: Loaded) -> Self {
        BindingBuildGraph { graph: Arc::new(graph), warnings }
    }
}

#[napi]
impl BindingBuildGraph {
    /// From a JSON array of targets.
    #[napi(factory, catch_unwind)]
    pub fn from_targets(targets: String) -> napi::Result<BindingBuildGraph> {
        let targets: Vec<Target> = parsed("targets", &targets)?;
        let mut builder = BuildGraphBuilder::new();
        for Target { name, files, folders, build_file, deps } in &targets {
            builder.target(name);
            for file in files.iter().chain(build_file) {
                builder.file(file);
            }
            for folder in folders {
                builder.folder(folder);
            }
            for dep in deps {
                builder.dep(dep);
            }
        }
        let graph = builder.build().map_err(thrown)?;
        Ok(Loaded { graph, warnings: Vec::new() }.into())
    }

    /// Of what a tool prints.
    #[napi(factory, catch_unwind)]
    pub fn load(kind: String, text: String, prefix: String) -> napi::Result<BindingBuildGraph> {
        Ok(firstbad_build::load(&kind, &text, &prefix).map_err(thrown)?.into())
    }

    /// Of a folder.
    #[napi(catch_unwind, ts_return_type = "Promise<BindingBuildGraph>")]
    pub fn read<'env>(env: &'env Env, kind: String, folder: String, options: String) -> napi::Result<Object<'env>> {
        let options: Reading = parsed("options", &options)?;
        promised(env, move || {
            let folder = Folder::open(folder)?;
            let mut loaded = firstbad_build::read(&kind, &folder, &options.into())?;
            loaded.warnings.extend_from_slice(folder.unread());
            Ok(BindingBuildGraph::from(loaded))
        })
    }

    /// Of a revision's files.
    #[napi(catch_unwind, ts_return_type = "Promise<BindingBuildGraph>")]
    pub fn at<'env>(
        env: &'env Env,
        repository: &BindingRepository,
        revision: String,
        kind: String,
        options: String,
    ) -> napi::Result<Object<'env>> {
        let options: Reading = parsed("options", &options)?;
        let repository = repository.shared();
        promised(env, move || {
            let tree = repository.tree(&revision, |path| firstbad_build::is_read(&kind, path))?;
            let source = Snapshot { paths: tree.paths, contents: tree.contents };
            let mut loaded = firstbad_build::read(&kind, &source, &options.into())?;
            loaded.warnings.extend(tree.unread);
            Ok(BindingBuildGraph::from(loaded))
        })
    }

    #[napi(getter)]
    pub fn size(&self) -> u32 {
        self.graph.len() as u32
    }

    /// How many dependencies, and how many files.
    #[napi(catch_unwind)]
    pub fn counts(&self) -> Vec<u32> {
        vec![self.graph.dependency_count() as u32, self.graph.file_count() as u32]
    }

    #[napi(catch_unwind)]
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    #[napi(catch_unwind)]
    pub fn targets(&self) -> Vec<String> {
        self.graph.targets().map(str::to_owned).collect()
    }

    /// A JSON array of arrays of names.
    #[napi(catch_unwind)]
    pub fn cycles(&self) -> napi::Result<String> {
        text(&self.graph.cycles())
    }

    #[napi(catch_unwind)]
    pub fn dependencies(&self, target: String) -> napi::Result<Vec<String>> {
        let found = self.graph.direct_dependencies(&target).map_err(thrown)?;
        Ok(found.into_iter().map(str::to_owned).collect())
    }

    #[napi(catch_unwind)]
    pub fn targets_of(&self, file: String) -> Vec<String> {
        self.graph.targets_of(&file).map(str::to_owned).collect()
    }

    /// Changes, a JSON array, as suspects.
    #[napi(catch_unwind)]
    pub fn rank(
        &self,
        changes: String,
        test: String,
        by: String,
        before: Option<&BindingBuildGraph>,
    ) -> napi::Result<BindingRanking> {
        let changes: Vec<Change> = parsed("changes", &changes)?;
        let by = by.parse().map_err(thrown)?;
        let test = build_target_of_test(&self.graph, &test).unwrap_or(test);
        let options = RankOptions { by, before: before.map(|before| before.graph.as_ref()) };
        Ok(BindingRanking { ranking: rank(&self.graph, &changes, &test, &options).map_err(thrown)? })
    }
}

/// Suspects, the most suspicious first.
#[napi]
pub struct BindingRanking {
    ranking: Ranking,
}

#[napi]
impl BindingRanking {
    #[napi(catch_unwind)]
    pub fn json(&self) -> napi::Result<String> {
        text(&self.ranking)
    }

    #[napi(catch_unwind)]
    pub fn text(&self, most: u32) -> String {
        self.ranking.to_text(most as usize)
    }

    #[napi(catch_unwind)]
    pub fn markdown(&self, most: u32) -> String {
        self.ranking.to_markdown(most as usize)
    }

    /// A weight for every change, as a JSON object.
    #[napi(catch_unwind)]
    pub fn prior(&self, options: String) -> napi::Result<String> {
        let options: PriorOptions = parsed("options", &options)?;
        text(&self.ranking.prior(&options).map_err(thrown)?)
    }

    /// `{ weights, warning }` for the suspects of a search, as JSON.
    #[napi(catch_unwind)]
    pub fn prior_in(
        &self,
        history: &BindingGraph,
        bad: Vec<String>,
        good: Vec<String>,
        options: String,
    ) -> napi::Result<String> {
        let options: PriorOptions = parsed("options", &options)?;
        text(&self.ranking.prior_in(&history.graph, &bad, &good, &options).map_err(thrown)?)
    }
}

/// The sharpness that fits past rankings, as JSON each, parallel to the culprits.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind, js_name = "fitSharpness")]
pub(crate) fn fitted(rankings: Vec<String>, culprits: Vec<String>, by: String, floor: f64) -> napi::Result<f64> {
    PriorOptions { floor, ..PriorOptions::default() }.check().map_err(thrown)?;
    let rankings: Vec<Ranking> =
        rankings.iter().map(|ranking| parsed("cases", ranking)).collect::<napi::Result<_>>()?;
    let cases: Vec<_> = rankings.iter().zip(&culprits).map(|(ranking, culprit)| (ranking, culprit.as_str())).collect();
    Ok(fit_sharpness(&cases, by.parse().map_err(thrown)?, floor))
}

/// A factor for a change.
#[napi]
pub struct BindingSignal {
    signal: Signal,
}

#[napi]
impl BindingSignal {
    #[napi(factory, catch_unwind)]
    pub fn open(config: String) -> napi::Result<BindingSignal> {
        let config: SignalConfig = parsed("signal", &config)?;
        Ok(BindingSignal { signal: Signal::new(config).map_err(thrown)? })
    }

    /// The factor of a change, which comes as JSON.
    #[napi(catch_unwind)]
    pub fn factor(&self, change: String) -> napi::Result<f64> {
        let change: CommitChange = parsed("change", &change)?;
        Ok(self.signal.factor(&change))
    }
}
