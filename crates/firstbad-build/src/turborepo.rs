//! Turborepo: `turbo run build --dry=json`.
//!
//! Packages are build targets. A package owns every file below its folder. A package depends on another if one of its tasks
//! depends on a task of the other. Use a task that depends on the same task of its dependencies (`"^build"`).

use std::collections::{BTreeMap, BTreeSet};

use firstbad::suspicion::BuildGraphKind;
use firstbad::{Error, json};
use serde::Deserialize;
use serde_json::Value;

use crate::collected::CollectedTargets;
use crate::loaded::Loaded;
use crate::npm::WORKSPACE_FILES;
use crate::paths;
use crate::warnings::{left_out, unreadable};

const JSON: &str = "the output of `turbo run build --dry=json`";

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tasks: Vec<Task>,
    #[serde(default)]
    packages: Vec<String>,
    #[serde(default)]
    global_cache_inputs: GlobalInputs,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct GlobalInputs {
    files: Option<BTreeMap<String, Value>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Task {
    task_id: Option<String>,
    package: Option<String>,
    directory: Option<String>,
    #[serde(default)]
    dependencies: Vec<String>,
    inputs: Option<BTreeMap<String, Value>>,
}

/// Returns the package of a task, whose name is `package#task`.
fn package(task: &str) -> &str {
    task.rsplit_once('#').map_or(task, |(package, _)| package)
}

/// Loads a build graph from a dry run of Turborepo. Build targets have the names of their packages. The root package is `//`.
///
/// # Errors
/// [`Error::InvalidArgument`] if the text is not a dry run.
pub fn turborepo(text: &str) -> Result<Loaded, Error> {
    turborepo_below(text, "")
}

pub(crate) fn turborepo_below(text: &str, prefix: &str) -> Result<Loaded, Error> {
    // Turborepo may print warnings first.
    let json = text.find('{').map_or(text, |start| &text[start..]);
    let run: Run = json::read(json).map_err(|error| unreadable(text, JSON, error))?;
    let mut collected = CollectedTargets::default();
    let mut linked = false;
    for task in &run.tasks {
        let Some(name) = task.package.as_deref().or(task.task_id.as_deref().map(package)) else { continue };
        let target = collected.target(name);
        let folder = task.directory.as_deref().unwrap_or("").replace('\\', "/");
        if task.directory.is_some() {
            collected.folder(target, folder.clone());
        }
        for input in task.inputs.iter().flatten().map(|(input, _)| paths::join(&folder, input)) {
            // Files below its folder already belong to the package.
            if !paths::is_below(&input, &folder) {
                collected.file(target, input);
            }
        }
        for dep in task.dependencies.iter().map(|task| package(task)).filter(|dep| *dep != name) {
            linked = true;
            collected.dep(target, dep);
        }
    }
    let known = |name: &String| collected.contains(name);
    let idle: BTreeSet<String> = run.packages.iter().filter(|name| !known(name)).cloned().collect();
    let global = run.global_cache_inputs.files.into_iter().flatten().map(|(file, _)| file);
    collected.workspace(global.chain(["turbo.json"].into_iter().chain(WORKSPACE_FILES).map(str::to_owned)));
    let several = run.tasks.len() > 1;
    let (graph, outside) = collected.finish(BuildGraphKind::Turborepo, prefix)?;
    let mut warnings = Vec::new();
    warnings.extend(left_out("packages without a task in this run", &idle));
    warnings.extend(left_out("dependencies without a task in this run", &outside));
    if several && !linked {
        warnings.push(
            "no package depends on another. Name a task that depends on tasks of its dependencies (^build)".to_owned(),
        );
    }
    Ok(Loaded { graph, warnings })
}
