//! Loads build graphs for [`firstbad::suspicion`] from build tools, monorepo tools, workspaces of package managers, and imports
//! in source code.
//!
//! No tool is run. [`bazel`], [`nx`], [`turborepo`], [`cargo`], and [`go`] parse the output of these tools. [`workspaces`],
//! [`python()`], and [`javascript()`] read a [`Source`]: a [`Folder`], files in memory, or a revision. [`load`] and [`read`]
//! select a loader by name. [`Revisions`] reads the revisions of a repository. [`suspects()`] computes the prior of a culprit
//! search.
//!
//! Hostile input is safe. Anything too large, too deep, or cyclic is left out with a warning or is an error.
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
mod collected;
mod go;
mod javascript;
mod kinds;
mod limits;
mod loaded;
mod npm;
mod nx;
mod options;
mod paths;
mod python;
mod revisions;
mod source;
mod suspects;
mod turborepo;
mod warnings;
mod workspaces;
mod written;
mod yaml;

pub use bazel::bazel;
pub use cargo::cargo;
pub use go::go;
pub use javascript::javascript;
pub use kinds::{SOURCES, TEXTS, is_read, load, read};
pub use loaded::Loaded;
pub use nx::nx;
pub use options::SourceOptions;
pub use python::python;
pub use revisions::{Revisions, read_folder};
pub use source::{Folder, Snapshot, Source};
pub use suspects::{Suspected, Suspicion, changes_between, content_beside, suspects};
pub use turborepo::turborepo;
pub use workspaces::workspaces;
