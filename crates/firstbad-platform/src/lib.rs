//! What differs between systems, behind one interface for all of them.
//!
//! Each module is one concern, with what Unix systems and Windows do for it in files beside it; docs/systems.md says what
//! holds where. Nothing here knows of searches, repositories or journals.

pub mod files;
pub mod folders;
pub mod groups;
pub mod leftovers;
pub mod processes;
pub mod programs;
pub mod trees;
