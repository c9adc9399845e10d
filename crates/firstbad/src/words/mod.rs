//! Text that people write and read: suggestions for names, safe text, and values as JSON.

pub mod json;
pub(crate) mod nearest;
pub(crate) mod printable;
