//! The differences between operating systems, behind one interface.
//!
//! Each module covers one topic and has one file for Unix and one for Windows. docs/systems.md lists the differences. This crate
//! knows nothing about searches, repositories, or journals.

pub mod files;
pub mod folders;
pub mod groups;
pub mod leftovers;
pub mod processes;
pub mod programs;
pub mod trees;
