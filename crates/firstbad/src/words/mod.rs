//! Words that people write and read: which name was meant, what may be shown, and values as JSON.

pub mod json;
pub(crate) mod nearest;
pub(crate) mod printable;
