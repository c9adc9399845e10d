//! Items that a reduction takes apart: what they are, what they need of each other, and which are equal.

pub mod digest;
pub(crate) mod needs;
pub(crate) mod repeats;
