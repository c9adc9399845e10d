use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The source of a build graph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BuildGraphKind {
    /// Targets written by hand, with all inputs.
    #[default]
    Declared,
    /// Targets written by hand or collected, with only some of the inputs.
    Partial,
    /// Bazel queries.
    Bazel,
    /// The project graph of Nx.
    Nx,
    /// A dry run of Turborepo.
    Turborepo,
    /// The metadata of Cargo.
    Cargo,
    /// The package list of Go.
    Go,
    /// The workspaces of npm, yarn, bun, or pnpm.
    Workspaces,
    /// The imports in Python source.
    Python,
    /// The imports in JavaScript and TypeScript source.
    Javascript,
}

impl BuildGraphKind {
    /// Returns whether the graph knows all inputs of its targets, so that changes to other files cannot matter (Culprit Finder,
    /// Definition 9).
    ///
    /// Bazel knows all inputs, because an action sees only declared files. Import graphs do not know files opened at run time,
    /// modules loaded by a computed name, and generated files. The same applies to package graphs of tools that let a test read
    /// any file.
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
