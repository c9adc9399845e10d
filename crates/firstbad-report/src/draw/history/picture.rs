//! Finished pictures.

/// A picture and the contents of its legend.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Picture {
    /// An `svg` element.
    pub(crate) svg: String,
    /// The width in pixels.
    pub(crate) width: u32,
    /// The horizontal position of the culprit, from 0 (left) to 1 (right).
    pub(crate) aim: f64,
    /// The signs that the legend explains.
    pub(crate) has: Has,
}

/// The kinds of signs in a picture.
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
