//! Environments of tests: installed dependencies, created once per lock file and shared by worktrees, searches, and processes.
//!
//! [`place`] locates the environments, and [`store`] keeps them. [`pointers`] finds references to the worktree in an environment.
//! [`linked`] links an environment into a worktree, and [`surroundings`] sets the variables of commands.

mod linked;
pub(crate) mod place;
pub(crate) mod pointers;
pub(crate) mod store;
mod surroundings;

pub(super) use place::Environments;
pub(super) use store::InUse;
