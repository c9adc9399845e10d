//! Reports of iterative delta debugging: as text, as Markdown, and as figures.

mod counts;
mod figures;
mod words;

pub use counts::{ReasonCount, reasons};
pub use figures::{Figure, svg};
pub(crate) use words::sizes;
pub use words::{markdown, text};
