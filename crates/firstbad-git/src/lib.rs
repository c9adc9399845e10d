//! Real repositories for `firstbad`.
//!
//! [`Repository::graph`] reads a commit graph from git. [`Repository::command_oracle`] runs a command for a
//! revision in a work tree of its own, outside the user's checkout, with a patch on it if one is given; such
//! patches come from [`Repository::diff`], and from [`Variants`], which carry some changes of a patch to another revision. The user's checkout, index, refs, stash and
//! configuration are only ever read (but see [`Repository::fetching`]), and no command that a repository's configuration names (hooks, filters, a file
//! system monitor, what the network needs) is ever run. Filters of the user's own configuration are run in work trees, as Git
//! LFS needs it.
//!
//! ```no_run
//! use firstbad_git::{CommandOptions, GraphOptions, Repository};
//!
//! let repository = Repository::open(".")?;
//! let graph = repository.graph(&GraphOptions { tips: vec!["main".into()], ..GraphOptions::default() })?;
//! let oracle = repository.command_oracle(vec!["make".into(), "test".into()], CommandOptions::default())?;
//! println!("{} commits; main: {}", graph.len(), oracle.run("main")?.describe());
//! # Ok::<(), firstbad::Error>(())
//! ```

mod apply;
mod blobs;
mod bumps;
mod cache;
mod changes;
mod commit;
mod dates;
mod diff;
mod empty_files;
mod fetch;
mod forge;
mod git;
mod history;
mod known;
mod merges;
mod objects;
mod open;
mod oracle;
mod promisor;
mod reachable;
mod read;
mod refs;
mod report;
mod repository;
mod revisions;
mod same_change;
mod same_tree;
mod signals;
mod slices;
mod tree_source;
mod trees;
mod variants;

pub use cache::cache_folder;
pub use changes::Merges;
pub use firstbad::suspicion::Changelist;
pub use history::GraphOptions;
pub use known::{known_parts, known_texts, known_texts_of_files};
pub use open::{first_asked, open, open_in, rank_changes, resolve, suspects};
pub use oracle::{
    BuildFolders, CarriedFile, Carry, CommandOptions, CommandOracle, Environment, FileOracle, FileRun, ListOracle,
    NamedFiles, NotCarried, Notice, Preset, PresetChoice, RunKind, TestRecord, Verdict, files_named,
};
pub use report::{card, describe, name_ends, report_json};
pub use repository::Repository;
pub use slices::{Conflict, DependencyKind, SliceChange, SlicedCommit, SlicedDefinition, Slices};
pub use tree_source::Tree;
pub use trees::Overlay;
pub use variants::{Carried, Trial, Universe, Variants, VariantsOptions, Way, porter, universes_of, wants_control};
