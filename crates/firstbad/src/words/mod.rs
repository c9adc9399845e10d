pub mod json;
pub(crate) mod nearest;
pub(crate) mod printable;
