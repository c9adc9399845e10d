//! Cargo: `cargo metadata --format-version 1`, with or without `--no-deps`.
//!
//! The packages of the workspace are build targets. A package owns every file below its folder, including `Cargo.toml`. Normal,
//! build, and dev dependencies by path count. Packages from registries are left out and counted.

use std::collections::{BTreeMap, BTreeSet};

use firstbad::suspicion::BuildGraphKind;
use firstbad::{Error, json};
use serde::Deserialize;

use crate::collected::CollectedTargets;
use crate::loaded::Loaded;
use crate::paths;
use crate::warnings::{left_out, unreadable};

const JSON: &str = "the output of `cargo metadata --format-version 1`";

/// Workspace files that every package depends on.
const WORKSPACE_FILES: [&str; 6] =
    ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "rust-toolchain", ".cargo/config.toml", ".cargo/config"];

#[derive(Debug, Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_root: String,
}

#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    /// The registry or repository, or `None` for a package on disk.
    source: Option<String>,
    manifest_path: String,
    #[serde(default)]
    dependencies: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    path: Option<String>,
}

/// Loads a build graph from the output of `cargo metadata`. Build targets have the names of their packages. If several packages
/// share a name, the folder is added to all but the first.
///
/// # Errors
/// [`Error::InvalidArgument`] if the text is not the output of `cargo metadata`.
pub fn cargo(text: &str) -> Result<Loaded, Error> {
    cargo_below(text, "")
}

pub(crate) fn cargo_below(text: &str, prefix: &str) -> Result<Loaded, Error> {
    let metadata: Metadata = json::read(text).map_err(|error| unreadable(text, JSON, error))?;
    let mut collected = CollectedTargets::default();
    let (mut registry, mut elsewhere) = (BTreeSet::new(), BTreeSet::new());
    // The names of the build targets by folder.
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let folder = |path: &str| paths::relative(path, &metadata.workspace_root);
    let own = |package: &&Package| package.source.is_none();
    for package in metadata.packages.iter().filter(own) {
        let Some(manifest) = folder(&package.manifest_path) else {
            elsewhere.insert(package.name.clone());
            continue;
        };
        let folder = paths::parent(&manifest).to_owned();
        let twice = collected.contains(&package.name);
        let name = if twice { format!("{} ({folder})", package.name) } else { package.name.clone() };
        let target = collected.target(&name);
        collected.folder(target, folder.clone());
        names.insert(folder, name);
    }
    for package in metadata.packages.iter().filter(own) {
        let manifest = folder(&package.manifest_path);
        let Some(name) = manifest.and_then(|manifest| names.get(paths::parent(&manifest))) else { continue };
        let target = collected.target(name);
        for dependency in &package.dependencies {
            let path = dependency.path.as_deref().map(folder);
            match path {
                None => {
                    registry.insert(dependency.name.clone());
                }
                Some(path) => match path.as_ref().and_then(|path| names.get(path)) {
                    Some(name) => collected.dep(target, name.clone()),
                    None => {
                        elsewhere.insert(dependency.name.clone());
                    }
                },
            }
        }
    }
    collected.workspace(WORKSPACE_FILES);
    let (graph, _) = collected.finish(BuildGraphKind::Cargo, prefix)?;
    let mut warnings = Vec::new();
    warnings.extend(left_out("packages from registries", &registry));
    warnings.extend(left_out("packages outside the workspace's folder, or not in its metadata", &elsewhere));
    Ok(Loaded { graph, warnings })
}
