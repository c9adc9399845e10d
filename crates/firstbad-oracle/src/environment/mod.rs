//! Environments of tests: what lock files say has to be installed, made once for each of their contents and shared by work
//! trees, searches and processes.
//!
//! [`place`] says where they are, and [`store`] keeps them. [`pointers`] looks in one for what would lead back into the work
//! tree. [`linked`] shows one to a work tree, and [`surroundings`] to a command.

mod linked;
pub(crate) mod place;
pub(crate) mod pointers;
pub(crate) mod store;
mod surroundings;

pub(super) use place::Environments;
pub(super) use store::InUse;
