/// The options of [`python`](crate::python()) and [`javascript`](crate::javascript()).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceOptions {
    /// The folders that absolute imports of Python start from, such as `src`. If empty, they are detected from packages,
    /// `pyproject.toml` and similar files, and `src` folders. Ignored for JavaScript.
    pub roots: Vec<String>,
    /// Whether other files, such as data, snapshots, and documentation, belong to the nearest package. Default: false.
    pub data: bool,
    /// Whether tests depend on configuration files, such as `pyproject.toml`, `package.json`, and lock files. Default: true.
    pub configuration: bool,
}

impl Default for SourceOptions {
    fn default() -> Self {
        SourceOptions { roots: Vec::new(), data: false, configuration: true }
    }
}
