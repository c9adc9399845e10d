//! Where build graphs come from, and what that says of them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Where a build graph comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BuildGraphKind {
    /// Targets that somebody has written down, all inputs of each.
    #[default]
    Declared,
    /// A part of the inputs, written down or collected by somebody who knows that it is one.
    Partial,
    /// A query of Bazel.
    Bazel,
    /// The project graph of Nx.
    Nx,
    /// A dry run of Turborepo.
    Turborepo,
    /// The metadata of Cargo.
    Cargo,
    /// The list of Go's packages.
    Go,
    /// The workspaces of npm, yarn, bun or pnpm.
    Workspaces,
    /// The imports in Python source.
    Python,
    /// The imports in JavaScript and TypeScript source.
    Javascript,
}

impl BuildGraphKind {
    /// Whether it knows all inputs of its targets, so that a change which touches none of them cannot matter (Culprit Finder,
    /// Definition 9). Bazel does: an action sees what is declared and nothing else. Imports, and the packages of tools that let a
    /// test read whatever lies on the disk, do not say which files are opened at run time, which modules are loaded by a name
    /// made there, and what generates what.
    #[must_use]
    pub fn knows_all_inputs(self) -> bool {
        match self {
            BuildGraphKind::Declared | BuildGraphKind::Bazel => true,
            BuildGraphKind::Partial
            | BuildGraphKind::Nx
            | BuildGraphKind::Turborepo
            | BuildGraphKind::Cargo
            | BuildGraphKind::Go
            | BuildGraphKind::Workspaces
            | BuildGraphKind::Python
            | BuildGraphKind::Javascript => false,
        }
    }

    /// All kinds with their names.
    const NAMED: [(&str, BuildGraphKind); 10] = [
        ("declared", BuildGraphKind::Declared),
        ("partial", BuildGraphKind::Partial),
        ("bazel", BuildGraphKind::Bazel),
        ("nx", BuildGraphKind::Nx),
        ("turborepo", BuildGraphKind::Turborepo),
        ("cargo", BuildGraphKind::Cargo),
        ("go", BuildGraphKind::Go),
        ("workspaces", BuildGraphKind::Workspaces),
        ("python", BuildGraphKind::Python),
        ("javascript", BuildGraphKind::Javascript),
    ];
}

impl FromStr for BuildGraphKind {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = BuildGraphKind::NAMED.iter().find(|(known, _)| *known == name);
        found.map(|(_, kind)| *kind).ok_or_else(|| {
            Error::invalid("kind", name, format!("one of {}", BuildGraphKind::NAMED.map(|(name, _)| name).join(", ")))
        })
    }
}
