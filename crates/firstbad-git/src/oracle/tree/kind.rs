//! What lies in folders.

/// What an entry of a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::oracle) enum Kind {
    Folder,
    File,
    /// A link, for one.
    Other,
}
