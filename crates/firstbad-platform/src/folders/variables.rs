use std::path::PathBuf;

/// Returns the path in an environment variable if it is absolute.
pub(super) fn absolute(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}
