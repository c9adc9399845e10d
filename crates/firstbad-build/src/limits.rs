//! How much is read of what others wrote. A tree or a text may come from anybody, so nothing in it may take memory or time
//! without bound: what is too large is left out with a warning, or refused with an error that names it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::source::Source;
use crate::warnings::left_out;

/// The largest file that is read, in bytes. Programs that people write are far smaller, and a syntax tree takes a hundred
/// times the memory of its text.
pub(crate) const LARGEST_FILE: usize = 8 << 20;
/// The longest path, in bytes: no system opens a longer one (`PATH_MAX` of Linux). It bounds names in imports, too, which
/// are looked up with each of their beginnings.
pub(crate) const LONGEST_PATH: usize = 4096;
/// How many bytes of names of files and dependencies a graph may hold, with 32 more for each name.
pub(crate) const MOST_NAMES: usize = 1 << 30;

/// What a file holds.
///
/// # Errors
/// Why it cannot be read, in words; also if it is too large.
pub(crate) fn read<'a>(source: &'a dyn Source, path: &str) -> Result<Cow<'a, [u8]>, String> {
    source.read(path).and_then(|bytes| match bytes.len() {
        ..=LARGEST_FILE => Ok(bytes),
        _ => Err(too_large()),
    })
}

pub(crate) fn too_large() -> String {
    format!("it has more than {} MiB", LARGEST_FILE >> 20)
}

/// All files whose paths are not too long; the others go to `warnings`.
pub(crate) fn paths<'a>(source: &'a dyn Source, warnings: &mut Vec<String>) -> BTreeSet<&'a str> {
    let (paths, long): (BTreeSet<&str>, BTreeSet<&str>) = source.paths().partition(|path| path.len() <= LONGEST_PATH);
    let begin = |path: &&str| format!("{}...", path.chars().take(60).collect::<String>());
    warnings.extend(left_out("files with paths of more than 4096 bytes", &long.iter().map(begin).collect()));
    paths
}
