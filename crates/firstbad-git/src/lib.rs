//! Access to Git repositories for `firstbad`.
//!
//! [`Repository::graph`] reads a commit graph, [`Repository::diff`] reads a patch, and [`Variants`] apply some changes of a patch
//! to another revision. The crate `firstbad-oracle` runs commands for revisions.
//!
//! The user's checkout, index, refs, stash, and configuration are never written, except as described for
//! [`Repository::fetching`]. No program that a repository's configuration names is ever run. That includes hooks, filters, file
//! system monitors, and network helpers.
//!
//! ```no_run
//! use firstbad_git::{GraphOptions, Repository};
//!
//! let repository = Repository::open(".")?;
//! let graph = repository.graph(&GraphOptions { tips: vec!["main".into()], ..GraphOptions::default() })?;
//! println!("{} commits", graph.len());
//! # Ok::<(), firstbad::Error>(())
//! ```

pub mod apply;
mod blobs;
mod bumps;
pub mod cache;
mod changes;
mod commit;
mod dates;
mod diff;
mod empty_files;
mod fetch;
mod forge;
pub mod git;
mod history;
mod known;
mod merges;
mod objects;
mod open;
mod own_folder;
mod paths;
mod people;
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
mod skipped;
mod slices;
mod template;
mod tree_source;
mod trees;
mod variants;

pub use cache::cache_folder;
pub use changes::Merges;
pub use empty_files::CANNOT_FILL;
pub use fetch::is_network;
pub use firstbad::suspicion::Changelist;
pub use history::GraphOptions;
pub use known::{known_parts, known_texts, known_texts_of_files};
pub use open::{first_asked, open, open_in, rank_changes, resolve, suspects};
pub use own_folder::OwnFolder;
pub use report::{describe, name_ends, named_report, report_json};
pub use repository::Repository;
pub use signals::told;
pub use slices::{Conflict, DependencyKind, SliceChange, SlicedCommit, SlicedDefinition, Slices};
pub use template::Template;
pub use tree_source::Tree;
pub use trees::Overlay;
pub use variants::{Carried, Trial, Universe, Variants, VariantsOptions, Way, porter, universes_of, wants_control};
