//! Paths that variables name.

use std::path::PathBuf;

/// The path that a variable names, if it is an absolute one.
pub(super) fn absolute(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}
