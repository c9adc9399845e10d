//! How source trees are read.

/// How [`python`](crate::python()) and [`javascript`](crate::javascript()) read a source tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceOptions {
    /// Folders that absolute imports of Python start from, like `src`. Empty: found by where packages begin, by
    /// `pyproject.toml` and its like, and `src` folders. JavaScript has none.
    pub roots: Vec<String>,
    /// Whether other files (data, snapshots, documents) belong to the nearest package.
    pub data: bool,
    /// Whether tests depend on the files that configure the project: `pyproject.toml`, `package.json`, lock files.
    pub configuration: bool,
}

impl Default for SourceOptions {
    fn default() -> Self {
        SourceOptions { roots: Vec::new(), data: false, configuration: true }
    }
}
