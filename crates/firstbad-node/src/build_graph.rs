//! Build graphs from targets, tool output, or a source tree, and changes ranked by them.

use std::sync::Arc;

use firstbad::json;
use firstbad::suspicion::{
    BuildGraph, BuildGraphBuilder, BuildGraphKind, Changelist, CommitRanking, Factor, FactorConfig, HistoryPrior,
    PriorOptions, RankOptions, Ranking, fit_sharpness, rank, rank_commits,
};
use firstbad_build::{Loaded, Revisions, SourceOptions, Suspicion, content_beside, read_folder, suspects};
use napi::Env;
use napi::bindgen_prelude::Object;
use napi_derive::napi;
use serde::Deserialize;

use crate::content::BindingContentRanking;
use crate::error::thrown;
use crate::graph::BindingGraph;
use crate::json::{parsed, text};
use crate::promise::promised;
use crate::repository::BindingRepository;

/// A build target in its JavaScript form.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[derive(Default)]
struct BuildTarget {
    name: String,
    files: Vec<String>,
    folders: Vec<String>,
    build_file: Option<String>,
    deps: Vec<String>,
}

/// [`SourceOptions`] in their JavaScript form.
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
    loaded: Arc<Loaded>,
    revisions: Option<Revisions>,
}

impl BindingBuildGraph {
    fn new(loaded: Loaded, revisions: Option<Revisions>) -> Self {
        BindingBuildGraph { loaded: Arc::new(loaded), revisions }
    }

    fn graph(&self) -> &BuildGraph {
        &self.loaded.graph
    }
}

/// Pairs the names of changes or revisions with their graphs, which is a parallel list.
fn graphs_at(names: Vec<String>, graphs: Vec<&BindingBuildGraph>) -> Vec<(String, Arc<Loaded>)> {
    names.into_iter().zip(graphs).map(|(name, graph)| (name, Arc::clone(&graph.loaded))).collect()
}

fn named(graphs: &[(String, Arc<Loaded>)]) -> Vec<(&str, &BuildGraph)> {
    graphs.iter().map(|(name, loaded)| (name.as_str(), &loaded.graph)).collect()
}

/// The options for suspects in their JavaScript form.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Given {
    changes: Vec<Changelist>,
    tests: Vec<String>,
    bad: Vec<String>,
    good: Vec<String>,
    options: PriorOptions,
    prior: Option<String>,
    are_read: bool,
}

#[napi]
impl BindingBuildGraph {
    /// Creates a graph from a JSON array of targets.
    #[napi(factory, catch_unwind)]
    pub fn from_targets(targets: String, partial: bool) -> napi::Result<BindingBuildGraph> {
        let targets: Vec<BuildTarget> = parsed("targets", &targets)?;
        let mut builder = BuildGraphBuilder::new();
        builder.kind(if partial { BuildGraphKind::Partial } else { BuildGraphKind::Declared });
        for BuildTarget { name, files, folders, build_file, deps } in &targets {
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
        Ok(BindingBuildGraph::new(Loaded { graph, warnings: Vec::new() }, None))
    }

    /// Creates a graph from the output of a tool.
    #[napi(factory, catch_unwind)]
    pub fn load(kind: String, text: String, prefix: String) -> napi::Result<BindingBuildGraph> {
        Ok(BindingBuildGraph::new(firstbad_build::load(&kind, &text, &prefix).map_err(thrown)?, None))
    }

    /// Creates a graph from the output of `toJson`.
    #[napi(factory, catch_unwind)]
    pub fn from_json(text: String) -> napi::Result<BindingBuildGraph> {
        let (loaded, revisions) = Loaded::from_json(&text).map_err(thrown)?;
        Ok(BindingBuildGraph::new(loaded, revisions))
    }

    /// Returns the complete graph as JSON.
    #[napi(catch_unwind)]
    pub fn to_json(&self) -> napi::Result<String> {
        self.loaded.to_json(self.revisions.as_ref()).map_err(thrown)
    }

    /// Reads the graph of a folder.
    #[napi(catch_unwind, ts_return_type = "Promise<BindingBuildGraph>")]
    pub fn read<'env>(env: &'env Env, kind: String, folder: String, options: String) -> napi::Result<Object<'env>> {
        let options: Reading = parsed("options", &options)?;
        promised(env, move || {
            let options = options.into();
            let loaded = read_folder(&kind, &folder, &options)?;
            Ok(BindingBuildGraph::new(loaded, Revisions::of_folder(folder, kind, options)))
        })
    }

    /// Reads the graph of a revision.
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
            let revisions = Revisions::new(repository, kind, options.into());
            Ok(BindingBuildGraph::new(revisions.at(&revision)?, Some(revisions)))
        })
    }

    #[napi(getter)]
    pub fn size(&self) -> u32 {
        self.graph().len() as u32
    }

    /// Returns the numbers of dependencies and of files.
    #[napi(catch_unwind)]
    pub fn counts(&self) -> Vec<u32> {
        vec![self.graph().dependency_count() as u32, self.graph().file_count() as u32]
    }

    #[napi(catch_unwind)]
    pub fn warnings(&self) -> Vec<String> {
        self.loaded.warnings.clone()
    }

    #[napi(catch_unwind)]
    pub fn targets(&self) -> Vec<String> {
        self.graph().targets().map(str::to_owned).collect()
    }

    /// Returns a JSON array of arrays of names.
    #[napi(catch_unwind)]
    pub fn cycles(&self) -> napi::Result<String> {
        text(&self.graph().cycles())
    }

    #[napi(catch_unwind)]
    pub fn dependencies(&self, target: String) -> napi::Result<Vec<String>> {
        let found = self.graph().direct_dependencies(&target).map_err(thrown)?;
        Ok(found.into_iter().map(str::to_owned).collect())
    }

    #[napi(catch_unwind)]
    pub fn targets_of(&self, file: String) -> Vec<String> {
        self.graph().targets_of(&file).map(str::to_owned).collect()
    }

    /// Returns whether the graph has all inputs of its targets.
    #[napi(getter)]
    pub fn complete(&self) -> bool {
        self.graph().kind().knows_all_inputs()
    }

    /// Ranks changes, given as a JSON array.
    #[napi(catch_unwind)]
    pub fn rank(
        &self,
        changes: String,
        tests: Vec<String>,
        by: String,
        before: Option<&BindingBuildGraph>,
        names: Vec<String>,
        graphs: Vec<&BindingBuildGraph>,
    ) -> napi::Result<BindingRanking> {
        let changes: Vec<Changelist> = parsed("changes", &changes)?;
        let by = by.parse().map_err(thrown)?;
        let graphs = graphs_at(names, graphs);
        let options = RankOptions { by, before: before.map(BindingBuildGraph::graph), graphs: &named(&graphs) };
        Ok(BindingRanking { ranking: rank(self.graph(), &changes, &tests, &options).map_err(thrown)? })
    }

    /// Ranks changes, given as a JSON array, by the files that they touch and the dependencies of the tests.
    #[napi(catch_unwind)]
    pub fn rank_commits(
        &self,
        changes: String,
        tests: Vec<String>,
        before: Option<&BindingBuildGraph>,
        names: Vec<String>,
        graphs: Vec<&BindingBuildGraph>,
    ) -> napi::Result<BindingContentRanking> {
        let changes: Vec<Changelist> = parsed("changes", &changes)?;
        let content = rank_commits(&changes, &tests).map_err(thrown)?;
        let graphs = graphs_at(names, graphs);
        let before = before.map(BindingBuildGraph::graph);
        let options = RankOptions { before, graphs: &named(&graphs), ..RankOptions::default() };
        let ranking = rank(self.graph(), &changes, &tests, &options).map_err(thrown)?;
        let prior = ranking.prior(&PriorOptions::default()).map_err(thrown)?;
        Ok(BindingContentRanking::new(content.with_build_graph(&ranking, &prior)))
    }

    /// Returns the suspects of a search on `history`, and a prior from their ranks.
    #[napi(catch_unwind, ts_return_type = "Promise<BindingSuspected>")]
    pub fn suspects<'env>(
        &self,
        env: &'env Env,
        history: &BindingGraph,
        given: String,
        before: Option<&BindingBuildGraph>,
        names: Vec<String>,
        graphs: Vec<&BindingBuildGraph>,
    ) -> napi::Result<Object<'env>> {
        let given: Given = parsed("options", &given)?;
        let (build, revisions, history) = (Arc::clone(&self.loaded), self.revisions.clone(), history.graph.clone());
        let (before, graphs) = (before.map(|before| Arc::clone(&before.loaded)), graphs_at(names, graphs));
        promised(env, move || {
            let Given { changes, tests, bad, good, options, prior, are_read } = &given;
            let content = content_beside(prior.as_deref(), *are_read)?;
            let before = before.as_ref().map(|before| &before.graph);
            let (build, revisions, graphs) = (&build.graph, revisions.as_ref(), &named(&graphs)[..]);
            let found = suspects(
                &history,
                &Suspicion { build, revisions, before, graphs, changes, tests, bad, good, options, content },
            )?;
            Ok(BindingSuspected { ranking: found.ranking, prior: found.prior, content: found.content })
        })
    }
}

/// The suspects of a search, and a prior from their ranks.
#[napi]
pub struct BindingSuspected {
    ranking: Ranking,
    prior: HistoryPrior,
    content: Option<CommitRanking>,
}

#[napi]
impl BindingSuspected {
    #[napi(catch_unwind)]
    pub fn ranking(&self) -> BindingRanking {
        BindingRanking { ranking: self.ranking.clone() }
    }

    /// Returns the combined ranking if the options ask for it.
    #[napi(catch_unwind)]
    pub fn content(&self) -> Option<BindingContentRanking> {
        self.content.clone().map(BindingContentRanking::new)
    }

    /// Returns `{ weights, warning }` as JSON.
    #[napi(catch_unwind)]
    pub fn prior(&self) -> napi::Result<String> {
        text(&self.prior)
    }
}

/// Returns the changes between two endpoints as a JSON array, or null if the graph is not from a repository.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind, ts_return_type = "Promise<string | null>")]
pub(crate) fn changes_between<'env>(
    env: &'env Env,
    history: &BindingGraph,
    bad: Vec<String>,
    good: Vec<String>,
) -> napi::Result<Object<'env>> {
    let history = history.graph.clone();
    promised(env, move || {
        let found = firstbad_build::changes_between(&history, &bad, &good)?;
        found.map(|found| json::text(&found)).transpose()
    })
}

/// Suspects in descending order of suspicion.
#[napi]
pub struct BindingRanking {
    ranking: Ranking,
}

#[napi]
impl BindingRanking {
    #[napi(catch_unwind)]
    pub fn card(&self) -> String {
        firstbad_report::card::ranking(&self.ranking)
    }

    #[napi(catch_unwind)]
    pub fn json(&self) -> napi::Result<String> {
        text(&self.ranking)
    }

    #[napi(catch_unwind)]
    pub fn text(&self, most: u32) -> String {
        firstbad_report::ranking_text(&self.ranking, most as usize)
    }

    #[napi(catch_unwind)]
    pub fn markdown(&self, most: u32) -> String {
        firstbad_report::ranking_markdown(&self.ranking, most as usize)
    }

    /// Returns a weight for every change as a JSON object.
    #[napi(catch_unwind)]
    pub fn prior(&self, options: String) -> napi::Result<String> {
        let options: PriorOptions = parsed("options", &options)?;
        text(&self.ranking.prior(&options).map_err(thrown)?)
    }

    /// Returns `{ weights, warning }` for the suspects of a search as JSON.
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

/// Returns the sharpness that fits past rankings, given as JSON and parallel to their culprits.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind, js_name = "fitSharpness")]
pub(crate) fn fitted(rankings: Vec<String>, culprits: Vec<String>, by: String, floor: f64) -> napi::Result<f64> {
    PriorOptions { floor, ..PriorOptions::default() }.check().map_err(thrown)?;
    let rankings: Vec<Ranking> =
        rankings.iter().map(|ranking| parsed("cases", ranking)).collect::<napi::Result<_>>()?;
    let cases: Vec<_> = rankings.iter().zip(&culprits).map(|(ranking, culprit)| (ranking, culprit.as_str())).collect();
    Ok(fit_sharpness(&cases, by.parse().map_err(thrown)?, floor))
}

/// A function of a changelist.
#[napi]
pub struct BindingFactor {
    factor: Factor,
}

#[napi]
impl BindingFactor {
    #[napi(factory, catch_unwind)]
    pub fn open(config: String) -> napi::Result<BindingFactor> {
        let config: FactorConfig = parsed("factor", &config)?;
        Ok(BindingFactor { factor: Factor::new(config).map_err(thrown)? })
    }

    /// Returns the factor of a changelist, given as JSON.
    #[napi(catch_unwind)]
    pub fn of(&self, changelist: String) -> napi::Result<f64> {
        let changelist: Changelist = parsed("changelist", &changelist)?;
        Ok(self.factor.of(&changelist))
    }
}
