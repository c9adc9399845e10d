//! Build graphs for [`firstbad::suspicion`] from where people have them: what build tools and monorepo tools print,
//! package managers' workspaces, and the imports in source code.
//!
//! Nothing is ever run. [`bazel`], [`nx`], [`turborepo`], [`cargo`] and [`go`] read what those tools print;
//! [`workspaces`], [`python()`] and [`javascript()`] read a [`Source`]: a [`Folder`], files in memory, or a revision.
//! [`load`] and [`read`] are the same by name, for faces.
//!
//! ```
//! use firstbad_build::nx;
//!
//! let text = r#"{"graph": {
//!     "nodes": {"app": {"data": {"root": "apps/app"}}, "lib": {"data": {"root": "libs/lib"}}},
//!     "dependencies": {"app": [{"source": "app", "target": "lib", "type": "static"}]}
//! }}"#;
//! let loaded = nx(text)?;
//! assert_eq!(loaded.graph.targets_of("libs/lib/src/index.ts").collect::<Vec<_>>(), ["lib"]);
//! # Ok::<(), firstbad::Error>(())
//! ```

mod bazel;
mod cargo;
mod draft;
mod go;
mod javascript;
mod loaded;
mod npm;
mod nx;
mod options;
mod paths;
mod python;
mod source;
mod syntax;
mod tests_names;
mod turborepo;
mod warnings;
mod workspaces;

use firstbad::Error;

pub use bazel::bazel;
pub use cargo::cargo;
pub use go::go;
pub use javascript::javascript;
pub use loaded::Loaded;
pub use nx::nx;
pub use options::SourceOptions;
pub use python::python;
pub use source::{Folder, Snapshot, Source};
pub use tests_names::target_of_test;
pub use turborepo::turborepo;
pub use workspaces::workspaces;

/// The kinds of text that [`load`] takes.
pub const TEXTS: [&str; 5] = ["bazel", "nx", "turborepo", "cargo", "go"];

/// The kinds of source trees that [`read`] takes.
pub const SOURCES: [&str; 3] = ["workspaces", "python", "javascript"];

/// A build graph from a source tree, the loader by its name in [`SOURCES`].
///
/// # Errors
/// [`Error::InvalidArgument`] for an unknown kind, and for a tree that has nothing of it.
pub fn read(kind: &str, source: &dyn Source, options: &SourceOptions) -> Result<Loaded, Error> {
    match kind {
        "workspaces" => workspaces(source),
        "python" => python(source, options),
        "javascript" => javascript(source, options),
        _ => Err(Error::invalid("kind", kind, format!("one of {}", SOURCES.join(", ")))),
    }
}

/// Whether [`read`] asks for what a file holds, of this kind of source tree: what a [`Snapshot`] must have.
#[must_use]
pub fn is_read(kind: &str, path: &str) -> bool {
    match kind {
        "workspaces" => npm::is_description(path),
        "python" => python::is_module(path),
        "javascript" => npm::is_description(path) || javascript::is_read(path),
        _ => false,
    }
}

/// A build graph from what a tool prints, the tool by its name in [`TEXTS`]. `prefix` is the folder that the tool ran in,
/// seen from the folder that changes count their paths from: empty where these are one.
///
/// # Errors
/// [`Error::InvalidArgument`] for an unknown kind, and for a text of another one.
pub fn load(kind: &str, text: &str, prefix: &str) -> Result<Loaded, Error> {
    match kind {
        "bazel" => bazel::bazel_below(text, prefix),
        "nx" => nx::nx_below(text, prefix),
        "turborepo" => turborepo::turborepo_below(text, prefix),
        "cargo" => cargo::cargo_below(text, prefix),
        "go" => go::go_below(text, prefix),
        _ => Err(Error::invalid("kind", kind, format!("one of {}", TEXTS.join(", ")))),
    }
}
