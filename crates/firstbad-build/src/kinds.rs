//! Loaders by their names.

use firstbad::Error;

use crate::loaded::Loaded;
use crate::options::SourceOptions;
use crate::source::Source;
use crate::{bazel, cargo, go, javascript, npm, nx, python, turborepo, workspaces};

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
        "workspaces" => workspaces::workspaces(source),
        "python" => python::python(source, options),
        "javascript" => javascript::javascript(source, options),
        _ => Err(Error::invalid("kind", kind, format!("one of {}", SOURCES.join(", ")))),
    }
}

/// Whether [`read`] asks for what a file holds, of this kind of source tree: what a [`Snapshot`](crate::Snapshot) must have.
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
/// seen from the folder that changes count their paths from: empty if these are one.
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
