//! Environment variables that refer to the checkout, and their values for a worktree.

use std::env::{join_paths, split_paths};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use firstbad_platform::files;

/// The search path variables to check.
pub(super) const SEARCHED: [&str; 6] = ["PYTHONPATH", "NODE_PATH", "RUBYLIB", "PERL5LIB", "CLASSPATH", "PATH"];

/// Returns the entries of a variable that are inside the checkout, relative to its top.
pub(super) fn entries_inside(top: &Path, value: &OsStr) -> Vec<PathBuf> {
    split_paths(value).filter_map(|entry| inside(top, &entry)).collect()
}

fn inside(top: &Path, entry: &Path) -> Option<PathBuf> {
    let real = files::real_path(entry).ok().filter(|_| entry.is_absolute())?;
    Some(real.strip_prefix(top).ok()?.to_owned())
}

/// Returns the value of a variable with `folders` of the checkout replaced by those of the worktree.
pub(super) fn moved(value: &OsStr, top: &Path, folders: &[PathBuf], tree: &Path) -> OsString {
    let entry = |entry: PathBuf| match inside(top, &entry) {
        Some(below) if folders.contains(&below) => in_tree(tree, &below),
        _ => entry,
    };
    join_paths(split_paths(value).map(entry)).unwrap_or_else(|_| value.to_owned())
}

/// Returns a search path that starts with folders of a worktree.
pub(super) fn led_by(value: Option<&OsStr>, folders: &[PathBuf], tree: &Path) -> Option<OsString> {
    let before = folders.iter().map(|below| in_tree(tree, below));
    let rest = value.filter(|value| !value.is_empty()).map(split_paths).into_iter().flatten();
    join_paths(before.chain(rest)).ok()
}

/// Returns a folder of a worktree, without a trailing slash for the top.
fn in_tree(tree: &Path, below: &Path) -> PathBuf {
    if below.as_os_str().is_empty() { tree.to_owned() } else { tree.join(below) }
}
