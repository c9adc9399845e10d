//! Worktrees: small private repositories that hold a revision, its submodules, and patches on it.

pub(crate) mod carry;
pub(crate) mod filters;
pub(crate) mod gitmodules;
pub(crate) mod index;
pub(crate) mod lfs;
pub(crate) mod links;
pub(crate) mod network;
pub(crate) mod patched;
pub(crate) mod pool;
pub(crate) mod sources;
pub(crate) mod submodules;
pub(crate) mod work_tree;
