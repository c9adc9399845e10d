//! Files of the JavaScript package managers: `package.json` and its companions.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::paths;

/// Files at the root of a workspace that every package depends on.
pub(crate) const WORKSPACE_FILES: [&str; 8] = [
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "bun.lock",
    "bun.lockb",
];

/// Returns whether a file describes packages.
pub(crate) fn is_description(path: &str) -> bool {
    matches!(paths::name(path), "package.json" | "pnpm-workspace.yaml")
}

/// The relevant fields of a `package.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PackageJson {
    pub(crate) name: Option<String>,
    pub(crate) workspaces: Option<Workspaces>,
    dependencies: Option<BTreeMap<String, Value>>,
    dev_dependencies: Option<BTreeMap<String, Value>>,
    peer_dependencies: Option<BTreeMap<String, Value>>,
    optional_dependencies: Option<BTreeMap<String, Value>>,
    pub(crate) exports: Option<Value>,
    pub(crate) imports: Option<Value>,
    pub(crate) source: Option<Value>,
    pub(crate) module: Option<Value>,
    pub(crate) main: Option<Value>,
    pub(crate) types: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Workspaces {
    Patterns(Vec<String>),
    /// The format of older versions of Yarn.
    Packages {
        #[serde(default)]
        packages: Vec<String>,
    },
}

impl Workspaces {
    pub(crate) fn patterns(&self) -> &[String] {
        let (Workspaces::Patterns(patterns) | Workspaces::Packages { packages: patterns }) = self;
        patterns
    }
}

impl PackageJson {
    /// Parses a `package.json`.
    ///
    /// # Errors
    /// The message of the parser.
    pub(crate) fn parse(bytes: &[u8]) -> Result<PackageJson, String> {
        // Some editors write a byte order mark.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        serde_json::from_slice(bytes).map_err(|error| error.to_string())
    }

    /// Returns the names and versions of all dependencies, of any kind.
    pub(crate) fn dependencies(&self) -> impl Iterator<Item = (&str, &str)> {
        [&self.dependencies, &self.dev_dependencies, &self.peer_dependencies, &self.optional_dependencies]
            .into_iter()
            .flatten()
            .flatten()
            .map(|(name, from)| (name.as_str(), from.as_str().unwrap_or("")))
    }
}
