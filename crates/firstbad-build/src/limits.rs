//! Limits on untrusted input. Input beyond a limit is left out with a warning or is an error.

/// The largest file to read, in bytes. Programs written by people are far smaller. A syntax tree takes a hundred times the memory
/// of its text.
pub(crate) const LARGEST_FILE: usize = 8 << 20;
/// The longest path in bytes, `PATH_MAX` of Linux. It also bounds imported names, which are looked up with each of their
/// prefixes.
pub(crate) const LONGEST_PATH: usize = 4096;
/// The maximum size of all names in a graph in bytes, with 32 more for each name.
pub(crate) const MOST_NAMES: usize = 1 << 30;

pub(crate) fn too_large() -> String {
    format!("it has more than {} MiB", LARGEST_FILE >> 20)
}
