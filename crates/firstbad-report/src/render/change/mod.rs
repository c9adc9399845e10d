//! The formats of a change in numbers.

mod annotations;
mod code_quality;
mod markdown;
mod next;
mod text;

pub(super) use annotations::render as annotations;
pub(super) use code_quality::render as code_quality;
pub(super) use markdown::render as markdown;
pub(super) use text::render as text;
