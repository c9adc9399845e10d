//! Environments of tests: what lock files say has to be installed, made once for each of their contents and shared by work
//! trees, searches and processes. [`description`] says what one is, [`store`] keeps them, [`made`] makes one and shows it to
//! a work tree with [`linked`], [`surroundings`] to the commands in it, [`pointers`] looks for what would lead back into that tree.

mod description;
mod linked;
mod made;
mod pointers;
mod store;
mod surroundings;

pub use description::Environment;
pub(super) use made::Environments;
pub(super) use store::InUse;

/// The variable that names the folder of an environment.
pub(super) const VARIABLE: &str = "FIRSTBAD_ENVIRONMENT";
