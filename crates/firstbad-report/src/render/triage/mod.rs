//! The formats of a triage.

mod annotations;
mod code_quality;
mod junit;
mod markdown;
mod next;
mod text;

pub(super) use annotations::render as annotations;
pub(super) use code_quality::render as code_quality;
pub use junit::junit;
pub(super) use markdown::render as markdown;
pub(super) use text::render as text;
