//! The formats of a triage. `told.rs` has its findings, and `words.rs` the sentences about them.

mod annotations;
mod code_quality;
mod junit;
mod markdown;
mod next;
mod people;
mod text;
pub(crate) mod told;
mod words;

pub(super) use annotations::render as annotations;
pub(super) use code_quality::render as code_quality;
pub use junit::junit;
pub(super) use markdown::render as markdown;
pub(super) use text::render as text;
