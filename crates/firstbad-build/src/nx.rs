//! Nx: `nx graph --file=graph.json`, or the project graph in `.nx/workspace-data`.
//!
//! Projects are build targets. A project owns every file below its root. npm packages are left out and counted.

use std::collections::{BTreeMap, BTreeSet};

use firstbad::suspicion::BuildGraphKind;
use firstbad::{Error, json};
use serde::Deserialize;

use crate::collected::CollectedTargets;
use crate::loaded::Loaded;
use crate::npm::WORKSPACE_FILES;
use crate::warnings::{left_out, unreadable};

const JSON: &str = "the file that `nx graph --file=graph.json` writes";

#[derive(Debug, Deserialize)]
struct File {
    graph: Option<Graph>,
    #[serde(flatten)]
    bare: Option<Graph>,
}

#[derive(Debug, Deserialize)]
struct Graph {
    nodes: BTreeMap<String, Project>,
    #[serde(default)]
    dependencies: BTreeMap<String, Vec<Dependency>>,
}

#[derive(Debug, Deserialize)]
struct Project {
    #[serde(default)]
    data: Data,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Data {
    root: Option<String>,
    source_root: Option<String>,
    files: Vec<Listed>,
    implicit_dependencies: Vec<String>,
}

/// A file with its hash, or only its name in older versions.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Listed {
    Hashed { file: String },
    Named(String),
}

#[derive(Debug, Deserialize)]
struct Dependency {
    target: String,
}

/// Loads a build graph from an Nx project graph. Build targets have the names of their projects.
///
/// # Errors
/// [`Error::InvalidArgument`] if the text is not a project graph.
pub fn nx(text: &str) -> Result<Loaded, Error> {
    nx_below(text, "")
}

pub(crate) fn nx_below(text: &str, prefix: &str) -> Result<Loaded, Error> {
    let file: File = json::read(text).map_err(|error| unreadable(text, JSON, error))?;
    let graph = file.graph.or(file.bare).ok_or_else(|| unreadable(text, JSON, "the file has no graph with nodes"))?;
    let mut collected = CollectedTargets::default();
    let mut warnings = Vec::new();
    for (name, project) in &graph.nodes {
        let target = collected.target(name);
        match (&project.data.root, &project.data.source_root) {
            (None, None) => {
                warnings.push(format!("project {name} has no root, so it has only the files that it lists"))
            }
            (root, source_root) => {
                [root, source_root].into_iter().flatten().for_each(|folder| collected.folder(target, folder.clone()));
            }
        }
        for file in &project.data.files {
            let (Listed::Hashed { file } | Listed::Named(file)) = file;
            collected.file(target, file.clone());
        }
        let implicit = project.data.implicit_dependencies.iter().filter(|name| graph.nodes.contains_key(*name));
        let explicit = graph.dependencies.get(name).into_iter().flatten().map(|dependency| &dependency.target);
        explicit.chain(implicit).for_each(|dep| collected.dep(target, dep.clone()));
    }
    collected.workspace(["nx.json", "tsconfig.base.json"].into_iter().chain(WORKSPACE_FILES));
    let (graph, outside) = collected.finish(BuildGraphKind::Nx, prefix)?;
    let (packages, unknown): (BTreeSet<_>, BTreeSet<_>) = outside.into_iter().partition(|name| name.contains(':'));
    warnings.extend(left_out("packages from outside", &packages));
    warnings.extend(left_out("dependencies that are not projects", &unknown));
    Ok(Loaded { graph, warnings })
}
