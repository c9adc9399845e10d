//! The paths of a source tree.

/// Longer paths are not looked up part by part.
const MOST_PARTS: usize = 64;

/// The source tree that a report is about. Reports name files by the paths of the machine that ran the tests.
#[derive(Clone, Copy)]
pub struct Tree<'a> {
    root: &'a str,
    exists: &'a dyn Fn(&str) -> bool,
}

impl std::fmt::Debug for Tree<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tree").field("root", &self.root).finish_non_exhaustive()
    }
}

impl<'a> Tree<'a> {
    /// Creates a tree. `root` is the absolute path of the folder that the test command runs in. `exists` returns whether a file
    /// exists at a path relative to `root`.
    #[must_use]
    pub fn new(root: &'a str, exists: &'a dyn Fn(&str) -> bool) -> Tree<'a> {
        Tree { root: root.trim_end_matches(['/', '\\']), exists }
    }

    /// Creates a tree of unknown location and content.
    #[must_use]
    pub fn unknown() -> Tree<'static> {
        Tree { root: "", exists: &|_| false }
    }

    pub(crate) fn root(&self) -> &'a str {
        self.root
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        (self.exists)(path)
    }

    /// Returns the path relative to the root with `/`, or `None` if the path is outside the tree.
    ///
    /// An absolute path of another machine is in the tree if its end is the path of an existing file.
    #[must_use]
    pub fn local(&self, path: &str) -> Option<String> {
        let path = path.strip_prefix("file://").unwrap_or(path).replace('\\', "/");
        let root = self.root.replace('\\', "/");
        // On macOS, `/private/var` and `/var` are the same folder.
        for root in [root.as_str(), root.strip_prefix("/private").unwrap_or_default()] {
            let inside = path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/'));
            if let Some(inside) = inside.filter(|inside| !root.is_empty() && !inside.is_empty()) {
                return Some(inside.to_owned());
            }
        }
        if !is_absolute(&path) {
            let path = path.trim_start_matches("./");
            return Some(path)
                .filter(|path| !path.is_empty() && !path.split('/').any(|part| part == ".."))
                .map(str::to_owned);
        }
        let ends = path.match_indices('/').map(|(at, _)| &path[at + 1..]).take(MOST_PARTS);
        ends.filter(|end| !end.is_empty()).find(|end| self.has(end)).map(str::to_owned)
    }
}

/// Returns whether a path is absolute on any system.
pub(crate) fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\']) || path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic()
}
