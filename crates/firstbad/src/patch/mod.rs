//! Patches: unified diffs as git writes them, as files, hunks and single changes, any of which may be left out.
//!
//! A patch is a hierarchy of files, hunks and lines (Artho, "Iterative Delta Debugging", Section 3.4 and Figure 5).
//! [`Patch::parse`] reads it, [`Patch::subset`] takes any changes out of it, and what comes out is a patch again
//! that `git apply` accepts on the same files. [`Patch::parents`] is the hierarchy and [`Patch::dependencies`] what
//! cannot do without what, both for reductions. [`Patch::apply`] is `git apply` in memory, and
//! [`hunk_dependencies`] tells which hunks of a series of patches rest on which earlier ones.

mod apply;
mod base85;
mod binary;
mod change_kind;
mod changes;
mod dependencies;
mod header;
mod hierarchy;
mod hunks;
mod image;
mod lineage;
mod model;
mod names;
mod needs;
mod parse;
mod paths;
mod scan;
mod series;
mod subset;
mod view;

pub use change_kind::ChangeKind;
pub use changes::Patch;
pub use lineage::Reach;
pub use series::{HunkDependency, HunkId, hunk_dependencies};
pub use view::{Change, FileChange, Hunk, Line, LineKind};
