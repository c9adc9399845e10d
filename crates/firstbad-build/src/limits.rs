//! How much is read of what others wrote. A tree or a text may come from anybody, so nothing in it may take memory or time
//! without bound: what is too large is left out with a warning, or refused with an error that names it.

/// The largest file that is read, in bytes. Programs that people write are far smaller, and a syntax tree takes a hundred
/// times the memory of its text.
pub(crate) const LARGEST_FILE: usize = 8 << 20;
/// The longest path, in bytes: no system opens a longer one (`PATH_MAX` of Linux). It bounds names in imports, too, which
/// are looked up with each of their beginnings.
pub(crate) const LONGEST_PATH: usize = 4096;
/// How many bytes of names of files and dependencies a graph may hold, with 32 more for each name.
pub(crate) const MOST_NAMES: usize = 1 << 30;

/// Why a file is not read, in words.
pub(crate) fn too_large() -> String {
    format!("it has more than {} MiB", LARGEST_FILE >> 20)
}
