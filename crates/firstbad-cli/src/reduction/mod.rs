//! Searches for what is small and still shows it: among the changes of a patch.

mod digest;
mod patch;

pub(crate) use digest::digest;
pub(crate) use patch::PatchSearch;
