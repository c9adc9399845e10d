//! The loaders by name.

use firstbad::Error;

use crate::loaded::Loaded;
use crate::options::SourceOptions;
use crate::source::Source;
use crate::{bazel, cargo, go, javascript, npm, nx, python, turborepo, workspaces};

/// The kinds of tool output that [`load`] accepts.
pub const TEXTS: [&str; 5] = ["bazel", "nx", "turborepo", "cargo", "go"];

/// The kinds of source trees that [`read`] accepts.
pub const SOURCES: [&str; 3] = ["workspaces", "python", "javascript"];

/// Loads a build graph from a source tree. `kind` is one of [`SOURCES`].
///
/// # Errors
/// [`Error::InvalidArgument`] if the kind is unknown, or if the tree contains nothing of this kind.
pub fn read(kind: &str, source: &dyn Source, options: &SourceOptions) -> Result<Loaded, Error> {
    match kind {
        "workspaces" => workspaces::workspaces(source),
        "python" => python::python(source, options),
        "javascript" => javascript::javascript(source, options),
        _ => Err(Error::invalid("kind", kind, format!("one of {}", SOURCES.join(", ")))),
    }
}

/// Returns whether [`read`] needs the content of a file for this kind of source tree. A [`Snapshot`](crate::Snapshot) must
/// contain these files.
#[must_use]
pub fn is_read(kind: &str, path: &str) -> bool {
    match kind {
        "workspaces" => npm::is_description(path),
        "python" => python::is_module(path),
        "javascript" => npm::is_description(path) || javascript::is_read(path),
        _ => false,
    }
}

/// Loads a build graph from the output of a tool. `kind` is one of [`TEXTS`]. `prefix` is the folder in which the tool ran,
/// relative to the folder that the paths of changes start from. It is empty if both are the same.
///
/// # Errors
/// [`Error::InvalidArgument`] if the kind is unknown, or if the text is not of this kind.
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
