//! A picture, and what is in it.

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Picture {
    /// An `svg` element, for a page or a file.
    pub(crate) svg: String,
    /// Its width, in pixels.
    pub(crate) width: u32,
    /// The place in it that matters most, from 0 (left) to 1 (right).
    pub(crate) aim: f64,
    /// What is in it, for its legend.
    pub(crate) has: Has,
}

/// What is in a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a sign in the legend")]
pub(crate) struct Has {
    pub(crate) passes: bool,
    pub(crate) fails: bool,
    pub(crate) others: bool,
    pub(crate) unresolved: bool,
    pub(crate) not_run: bool,
    pub(crate) folds: bool,
    pub(crate) runs: bool,
    pub(crate) suspects: bool,
}
