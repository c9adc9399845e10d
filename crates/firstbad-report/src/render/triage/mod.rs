//! The formats of a triage. `told.rs` has its findings, and `words.rs` the sentences about them.

mod next;
mod people;
mod text;
mod told;
mod words;

pub(super) use next::steps;
pub(super) use text::render as text;
