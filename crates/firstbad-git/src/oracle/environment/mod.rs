//! Environments of tests: what lock files say has to be installed, made once for each of their contents and shared by work
//! trees, searches and processes.
//!
//! [`description`] says what one is, [`place`] where they are, [`store`] keeps them; [`made`] makes one, with [`pointers`] that
//! looks for what would lead back into the work tree; [`linked`] shows it to a work tree, [`surroundings`] to a command.

mod description;
mod linked;
mod made;
mod place;
mod pointers;
mod store;
mod surroundings;

pub use description::Environment;
pub(super) use place::Environments;
pub(super) use store::InUse;

/// The variable that names the folder of an environment.
pub(super) const VARIABLE: &str = "FIRSTBAD_ENVIRONMENT";
