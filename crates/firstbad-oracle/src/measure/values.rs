//! The values of one run.

use std::path::{Component, Path};

/// The values of one run, or why there is none.
pub(super) type Found = Result<Vec<f64>, String>;

/// The most values of one run.
pub(super) const MOST_VALUES: usize = 100_000;

/// Returns whether a path leads to a place below the folder that it is relative to.
pub(super) fn is_below(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    let has_name = Path::new(path).file_name().is_some();
    has_name && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below_their_folder() {
        for (path, is_valid) in [
            ("a", true),
            ("./a/b", true),
            ("a/*/b", true),
            ("", false),
            (".", false),
            ("a/..", false),
            ("../a", false),
            ("/a", false),
        ] {
            assert_eq!(is_below(path), is_valid, "{path}");
        }
    }
}
