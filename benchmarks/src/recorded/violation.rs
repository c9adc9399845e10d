//! What soundness forbids.

/// A run that is not sound.
#[derive(Debug, Clone)]
pub(crate) struct Violation {
    pub(crate) algorithm: &'static str,
    pub(crate) instance: String,
    pub(crate) words: String,
}
