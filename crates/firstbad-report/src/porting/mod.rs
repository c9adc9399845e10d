//! Reports of iterative delta debugging: the steps as tables, and figures.

mod counts;
mod figures;
mod words;

pub use counts::{ReasonCount, reasons};
pub use figures::{Figure, svg};
pub(crate) use words::{purpose, seen, sizes};
pub use words::{steps_markdown, steps_text};
